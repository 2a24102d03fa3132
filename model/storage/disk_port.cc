// SPDX-License-Identifier: Apache-2.0
//
// See disk_port.h.
#include "model/storage/disk_port.h"

#include "model/types/log_dirs.h"
#include "model/types/model_data.h"

namespace klab::storage {

namespace {

/// The log directories of the broker that runs; none on a controller.
std::vector<std::string> log_dirs_of_node(const sim::Context& ctx) {
    for (const types::BrokerSpec& spec : types::cluster(ctx).brokers) {
        if (spec.node == ctx.self()) {
            return types::log_dirs_of(spec.config);
        }
    }
    return {};
}

/// Which of the directories holds the path; all else of a disk counts as one more.
std::string_view directory_of(const std::vector<std::string>& log_dirs, std::string_view path) {
    for (const std::string& directory : log_dirs) {
        if (types::lies_in(path, directory)) {
            return directory;
        }
    }
    return {};
}

}  // namespace

std::int64_t DiskView::now_ms() const {
    return context_ != nullptr ? context_->now().to_ms() : now_.to_ms();
}

std::int64_t DiskView::monotonic_ms() const {
    return context_ != nullptr ? context_->monotonic().to_ms() : now_.to_ms();
}

DiskView DiskView::without_cost() const {
    return context_ != nullptr ? DiskView(context_->stored(), context_->now()) : *this;
}

std::optional<sim::DiskError> DiskView::offline(std::string_view path) const {
    if (context_ == nullptr || context_->disk_failures().empty()) {
        return std::nullopt;
    }
    const std::vector<std::string> log_dirs = log_dirs_of_node(*context_);
    const std::string_view directory = directory_of(log_dirs, path);
    for (const sim::Context::DiskFailure& failure : context_->disk_failures()) {
        if (directory_of(log_dirs, failure.path) == directory) {
            return failure.error;
        }
    }
    return std::nullopt;
}

std::optional<sim::DiskError> DiskView::offline(sim::FileId file) const {
    if (context_ == nullptr || context_->disk_failures().empty()) {
        return std::nullopt;
    }
    return offline(context_->stored().path_of(file));
}

sim::DiskResult<sim::FileId> DiskView::open(std::string_view path) const {
    if (const auto error = offline(path)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().open(path) : disk_->open(path);
}

sim::DiskResult<sim::FileId> DiskPort::create(std::string_view path) const {
    if (const auto error = offline(path)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().create(path) : writable_->create(path, now_);
}

sim::DiskResult<sim::Done> DiskPort::append(sim::FileId file, ByteView bytes) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().append(file, bytes)
                               : writable_->append(file, bytes, now_);
}

sim::DiskResult<sim::Done> DiskPort::truncate(sim::FileId file, std::uint64_t size) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().truncate(file, size)
                               : writable_->truncate(file, size, now_);
}

sim::DiskResult<Bytes> DiskView::read(sim::FileId file,
                                      std::uint64_t position,
                                      std::uint64_t length) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().read(file, position, length)
                               : disk_->read(file, position, length);
}

sim::DiskResult<std::uint64_t> DiskView::read_into(sim::FileId file,
                                                   std::uint64_t position,
                                                   std::span<std::uint8_t> out) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().read_into(file, position, out)
                               : disk_->read_into(file, position, out);
}

sim::DiskResult<std::uint64_t> DiskView::read_mapped(sim::FileId file,
                                                     std::uint64_t position,
                                                     std::span<std::uint8_t> out) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().read_mapped(file, position, out)
                               : disk_->read_into(file, position, out);
}

sim::DiskResult<sim::Done> DiskPort::write_at(sim::FileId file,
                                              std::uint64_t position,
                                              ByteView bytes) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().write_at(file, position, bytes)
                               : writable_->write_at(file, position, bytes, now_);
}

sim::DiskResult<sim::Done> DiskPort::write_mapped(sim::FileId file,
                                                  std::uint64_t position,
                                                  ByteView bytes) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().write_mapped(file, position, bytes)
                               : writable_->write_at(file, position, bytes, now_);
}

std::uint32_t DiskPort::pick(sim::ChoiceSite site, std::uint32_t bound) const {
    return context_ != nullptr && bound > 0 ? context_->pick(site, bound) : 0;
}

sim::DiskResult<std::uint64_t> DiskView::size(sim::FileId file) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().size(file) : disk_->size(file);
}

sim::DiskResult<sim::Done> DiskPort::sync(sim::FileId file) const {
    if (const auto error = offline(file)) {
        return Error{*error};
    }
    if (context_ != nullptr) {
        return context_->disk().sync(file);
    }
    const auto pages = writable_->sync(file, now_);
    return pages ? sim::DiskResult<sim::Done>(sim::Done{}) : Error{pages.error()};
}

sim::DiskResult<sim::Done> DiskPort::sync_directory(std::string_view path) const {
    if (const auto error = offline(path)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().sync_directory(path)
                               : writable_->sync_directory(path, now_);
}

sim::DiskResult<sim::Done> DiskPort::make_directories(std::string_view path) const {
    if (const auto error = offline(path)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().make_directories(path)
                               : writable_->make_directories(path, now_);
}

sim::DiskResult<sim::Done> DiskPort::rename(std::string_view from, std::string_view to) const {
    if (const auto error = offline(from)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().rename(from, to)
                               : writable_->rename(from, to, now_);
}

sim::DiskResult<sim::Done> DiskPort::remove(std::string_view path) const {
    if (const auto error = offline(path)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().remove(path) : writable_->remove(path, now_);
}

bool DiskView::exists(std::string_view path) const {
    return !offline(path) &&
           (context_ != nullptr ? context_->disk().exists(path) : disk_->exists(path));
}

sim::DiskResult<std::vector<std::string>> DiskView::list(std::string_view path) const {
    if (const auto error = offline(path)) {
        return Error{*error};
    }
    return context_ != nullptr ? context_->disk().list(path) : disk_->list(path);
}

}  // namespace klab::storage
