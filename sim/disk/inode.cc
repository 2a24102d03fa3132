// SPDX-License-Identifier: Apache-2.0
//
// Pages of one file: reading, writing, and what undoes it. Power failure is in power_off.cc.
#include "sim/disk/inode.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "sim/base/assert.h"

namespace klab::sim {

namespace {

/// Small first pages stay small (checkpoints, empty logs); later pages get their full size at once.
void make_room(Bytes& bytes, std::uint64_t page, std::size_t needed) {
    if (bytes.capacity() >= needed) {
        return;
    }
    constexpr std::size_t kSmallest = 64;
    bytes.reserve(page > 0 ? std::size_t{kPageBytes} : std::max(kSmallest, std::bit_ceil(needed)));
}

void put_bytes(Bytes& page, std::uint64_t number, std::size_t offset, ByteView bytes) {
    make_room(page, number, offset + bytes.size());
    if (page.size() < offset) {
        page.resize(offset);
    }
    const std::size_t over = std::min(page.size() - offset, bytes.size());
    std::copy_n(bytes.begin(), over, page.begin() + static_cast<std::ptrdiff_t>(offset));
    page.insert(page.end(), bytes.begin() + static_cast<std::ptrdiff_t>(over), bytes.end());
}

}  // namespace

bool operator==(const Page& a, const Page& b) {
    const Bytes& shorter = a.bytes.size() < b.bytes.size() ? a.bytes : b.bytes;
    const Bytes& longer = a.bytes.size() < b.bytes.size() ? b.bytes : a.bytes;
    const auto rest = longer.begin() + static_cast<std::ptrdiff_t>(shorter.size());
    return std::equal(shorter.begin(), shorter.end(), longer.begin()) &&
           std::all_of(rest, longer.end(), [](std::uint8_t byte) { return byte == 0; });
}

std::uint64_t Inode::durable_pages() const { return (durable_size_ + kPageBytes - 1) / kPageBytes; }

std::vector<Inode::Replaced>::iterator Inode::replaced_at(std::uint64_t page) {
    return std::lower_bound(
        replaced_.begin(), replaced_.end(), page, [](const Replaced& r, std::uint64_t p) {
            return r.page < p;
        });
}

ReadMiss Inode::load(std::uint64_t position, std::uint64_t length) {
    if (!cold_ || length == 0) {
        return {};
    }
    const ReadMiss miss =
        cold_->write().load(position / kPageBytes, (position + length - 1) / kPageBytes + 1);
    if ((*cold_)->empty()) {
        cold_.reset();
    }
    return miss;
}

Bytes Inode::read(std::uint64_t position, std::uint64_t length) const {
    Bytes result(position >= size_ ? 0 : std::min(length, size_ - position));
    read_into(position, result);
    return result;
}

std::uint64_t Inode::read_into(std::uint64_t position, std::span<std::uint8_t> out) const {
    if (position >= size_) {
        return 0;
    }
    const std::uint64_t length = std::min<std::uint64_t>(out.size(), size_ - position);
    std::uint64_t done = 0;
    while (done < length) {
        const std::uint64_t offset = (position + done) % kPageBytes;
        const std::uint64_t part = std::min(length - done, kPageBytes - offset);
        const Cow<Page>* page = pages_.find((position + done) / kPageBytes);
        std::uint64_t stored = 0;
        if (page != nullptr && offset < (*page)->bytes.size()) {
            const Bytes& bytes = (*page)->bytes;
            stored = std::min<std::uint64_t>(part, bytes.size() - offset);
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                        stored,
                        out.begin() + static_cast<std::ptrdiff_t>(done));
        }
        std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(done + stored), part - stored, 0);
        done += part;
    }
    return length;
}

std::uint64_t Inode::dirty_pages() const {
    return replaced_.size() + pages_.count_from(durable_pages());
}

std::uint64_t Inode::page_length(std::uint64_t page) const {
    return std::min<std::uint64_t>(kPageBytes, size_ - std::min(size_, page * kPageBytes));
}

std::uint64_t Inode::dirty_bytes() const {
    std::uint64_t bytes = 0;
    for (const Replaced& replaced : replaced_) {
        bytes += pages_.find(replaced.page) == nullptr ? 0 : page_length(replaced.page);
    }
    pages_.for_each_from(durable_pages(),
                         [&](std::uint64_t page, const Cow<Page>&) { bytes += page_length(page); });
    return bytes;
}

bool Inode::can_overwrite_small(std::uint64_t position, std::uint64_t length) const {
    return length > 0 && length <= kSmallBytesMax && position + length <= size_ &&
           position / kPageBytes == (position + length - 1) / kPageBytes;
}

bool Inode::dirty(std::uint64_t page) {
    if (page >= durable_pages()) {
        return false;
    }
    const auto it = replaced_at(page);
    if (it != replaced_.end() && it->page == page) {
        return false;
    }
    std::optional<Cow<Page>> durable;
    if (const Cow<Page>* now = pages_.find(page)) {
        durable = *now;
    }
    replaced_.insert(it, Replaced{page, std::move(durable)});
    return true;
}

void Inode::restore(std::uint64_t page) {
    const auto it = replaced_at(page);
    KLAB_ASSERT(it != replaced_.end() && it->page == page, "page {} is not dirty", page);
    if (it->durable.has_value()) {
        pages_.put(page, std::move(*it->durable));
    } else {
        pages_.erase(page);
    }
    replaced_.erase(it);
}

Inode::PageForWrite Inode::page_for_write(std::uint64_t page) {
    PageForWrite result;
    if (cold_) {
        cold_->write().warm(page);
    }
    result.dirtied = dirty(page);
    Cow<Page>* found = pages_.find_for_write(page);
    result.existed = found != nullptr;
    if (found == nullptr) {
        found = &pages_.put(page, Cow<Page>());
    }
    result.bytes = &found->write().bytes;
    return result;
}

Inode::AppendUndo Inode::append(ByteView bytes) {
    KLAB_ASSERT(can_append(), "append below the durable end");
    KLAB_ASSERT(!bytes.empty(), "append of nothing cannot be undone");
    AppendUndo undo;
    undo.old_size = size_;
    bool first = true;
    while (!bytes.empty()) {
        const std::uint64_t page = size_ / kPageBytes;
        const std::size_t offset = size_ % kPageBytes;
        const std::size_t part = std::min(bytes.size(), kPageBytes - offset);
        const PageForWrite target = page_for_write(page);
        if (first) {
            undo.page_existed = target.existed;
            undo.page_dirtied = target.dirtied;
            first = false;
        }
        put_bytes(*target.bytes, page, offset, bytes.first(part));
        bytes = bytes.subspan(part);
        size_ += part;
    }
    return undo;
}

void Inode::undo_append(const AppendUndo& undo, std::uint64_t keep) {
    size_ = undo.old_size + keep;
    drop_from(size_);
    if (keep > 0) {
        return;
    }
    const std::uint64_t page = undo.old_size / kPageBytes;
    if (undo.page_dirtied) {
        restore(page);
    } else if (!undo.page_existed) {
        pages_.erase(page);
    }
}

Inode::OverwriteUndo Inode::overwrite_small(std::uint64_t position, ByteView bytes) {
    KLAB_ASSERT(can_overwrite_small(position, bytes.size()), "{} bytes", bytes.size());
    const std::uint64_t page = position / kPageBytes;
    const std::size_t offset = position % kPageBytes;
    OverwriteUndo undo;
    undo.position = position;
    undo.length = static_cast<std::uint8_t>(bytes.size());
    const PageForWrite target = page_for_write(page);
    undo.page_existed = target.existed;
    undo.page_dirtied = target.dirtied;
    if (offset < target.bytes->size()) {
        std::copy_n(target.bytes->begin() + static_cast<std::ptrdiff_t>(offset),
                    std::min(bytes.size(), target.bytes->size() - offset),
                    undo.old_bytes.begin());
    }
    put_bytes(*target.bytes, page, offset, bytes);
    return undo;
}

void Inode::undo_overwrite(const OverwriteUndo& undo, std::uint64_t keep) {
    const std::uint64_t page = undo.position / kPageBytes;
    if (keep == 0 && undo.page_dirtied) {
        restore(page);
    } else if (keep == 0 && !undo.page_existed) {
        pages_.erase(page);
    } else {
        const ByteView old(undo.old_bytes.data(), undo.length);
        const std::size_t offset = (undo.position + keep) % kPageBytes;
        put_bytes(*page_for_write(page).bytes, page, offset, old.subspan(keep));
    }
}

void Inode::write(std::uint64_t position, ByteView bytes) {
    while (!bytes.empty()) {
        const std::uint64_t page = position / kPageBytes;
        const std::size_t offset = position % kPageBytes;
        const std::size_t part = std::min(bytes.size(), kPageBytes - offset);
        put_bytes(*page_for_write(page).bytes, page, offset, bytes.first(part));
        bytes = bytes.subspan(part);
        position += part;
        size_ = std::max(size_, position);
    }
}

void Inode::flip_bit(std::uint64_t position, std::uint32_t bit) {
    KLAB_ASSERT(position < size_ && bit < 8, "bit {} at {} of {}", bit, position, size_);
    const std::uint64_t page = position / kPageBytes;
    const std::size_t offset = position % kPageBytes;
    if (pages_.find(page) == nullptr) {
        pages_.put(page, Cow<Page>());  // a hole was rotten too
    }
    Bytes& bytes = pages_.find_for_write(page)->write().bytes;
    if (bytes.size() <= offset) {
        bytes.resize(offset + 1);
    }
    bytes[offset] = static_cast<std::uint8_t>(bytes[offset] ^ (1U << bit));
}

void Inode::resize(std::uint64_t size) {
    if (size < size_) {
        for (const std::uint64_t page : pages_.numbers_from(size / kPageBytes)) {
            const bool cut = (page + 1) * kPageBytes > size;
            if (cut) {
                dirty(page);
            }
        }
        drop_from(size);
    }
    size_ = size;
    if (size < durable_size_) {
        cut_ = std::min(cut_.value_or(size), size);
    }
}

void Inode::commit_cut() {
    if (!cut_.has_value()) {
        return;
    }
    durable_size_ = *std::exchange(cut_, std::nullopt);
    replaced_.erase(replaced_at(durable_pages()), replaced_.end());
    const std::size_t offset = durable_size_ % kPageBytes;
    if (offset == 0 || replaced_.empty() || replaced_.back().page + 1 != durable_pages()) {
        return;
    }
    std::optional<Cow<Page>>& last = replaced_.back().durable;
    if (last.has_value() && (*last)->bytes.size() > offset) {
        last->write().bytes.resize(offset);
    }
}

void Inode::drop_from(std::uint64_t size) {
    const std::size_t offset = size % kPageBytes;
    pages_.erase_from(size / kPageBytes + (offset > 0 ? 1 : 0));
    if (offset == 0) {
        return;
    }
    const Cow<Page>* last = pages_.find(size / kPageBytes);
    if (last != nullptr && (*last)->bytes.size() > offset) {
        pages_.find_for_write(size / kPageBytes)->write().bytes.resize(offset);
    }
}

Inode::SyncUndo Inode::sync() {
    SyncUndo undo{durable_size_, std::move(replaced_), cut_};
    replaced_.clear();
    durable_size_ = size_;
    cut_.reset();
    return undo;
}

void Inode::undo_sync(SyncUndo undo) {
    durable_size_ = undo.durable_size;
    replaced_ = std::move(undo.replaced);
    cut_ = undo.cut;
}

}  // namespace klab::sim
