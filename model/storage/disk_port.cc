// SPDX-License-Identifier: Apache-2.0
//
// See disk_port.h.
#include "model/storage/disk_port.h"

namespace klab::storage {

std::int64_t DiskPort::now_ms() const {
    return context_ != nullptr ? context_->now().to_ms() : now_.to_ms();
}

std::optional<sim::DiskError> DiskPort::offline() const {
    if (context_ == nullptr || !context_->disk_failure()) {
        return std::nullopt;
    }
    return context_->disk_failure()->error;
}

sim::DiskResult<sim::FileId> DiskPort::open(std::string_view path) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().open(path) : disk_->open(path);
}

sim::DiskResult<sim::FileId> DiskPort::create(std::string_view path) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().create(path) : disk_->create(path, now_);
}

sim::DiskResult<sim::Done> DiskPort::append(sim::FileId file, ByteView bytes) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().append(file, bytes)
                               : disk_->append(file, bytes, now_);
}

sim::DiskResult<sim::Done> DiskPort::truncate(sim::FileId file, std::uint64_t size) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().truncate(file, size)
                               : disk_->truncate(file, size, now_);
}

sim::DiskResult<Bytes> DiskPort::read(sim::FileId file,
                                      std::uint64_t position,
                                      std::uint64_t length) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().read(file, position, length)
                               : disk_->read(file, position, length);
}

sim::DiskResult<std::uint64_t> DiskPort::size(sim::FileId file) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().size(file) : disk_->size(file);
}

sim::DiskResult<sim::Done> DiskPort::sync(sim::FileId file) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    if (context_ != nullptr) {
        return context_->disk().sync(file);
    }
    const auto pages = disk_->sync(file, now_);
    return pages ? sim::DiskResult<sim::Done>(sim::Done{}) : Error{pages.error()};
}

sim::DiskResult<sim::Done> DiskPort::sync_directory(std::string_view path) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().sync_directory(path)
                               : disk_->sync_directory(path, now_);
}

sim::DiskResult<sim::Done> DiskPort::make_directories(std::string_view path) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().make_directories(path)
                               : disk_->make_directories(path, now_);
}

sim::DiskResult<sim::Done> DiskPort::rename(std::string_view from, std::string_view to) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().rename(from, to) : disk_->rename(from, to, now_);
}

sim::DiskResult<sim::Done> DiskPort::remove(std::string_view path) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().remove(path) : disk_->remove(path, now_);
}

bool DiskPort::exists(std::string_view path) const {
    return !offline() &&
           (context_ != nullptr ? context_->disk().exists(path) : disk_->exists(path));
}

sim::DiskResult<std::vector<std::string>> DiskPort::list(std::string_view path) const {
    if (const auto error = offline()) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().list(path) : disk_->list(path);
}

}  // namespace klab::storage
