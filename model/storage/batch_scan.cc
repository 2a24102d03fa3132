// SPDX-License-Identifier: Apache-2.0
//
// See batch_scan.h.
#include "model/storage/batch_scan.h"

#include <algorithm>
#include <span>

namespace klab::storage {

namespace {

/// Bytes of the batch at the start of `bytes` as its length field says; 0 when it is not there.
std::uint64_t announced_size(ByteView bytes) {
    if (bytes.size() < kLogOverhead) {
        return 0;
    }
    const auto length = load_be<std::int32_t>(bytes.data() + BatchField::kLength);
    return kLogOverhead + static_cast<std::uint64_t>(std::max(length, 0));
}

}  // namespace

ByteView BatchScan::unread() const {
    return ByteView(window_).subspan(position_ - window_at_, window_at_ + filled_ - position_);
}

Result<std::optional<RecordBatchView>, AppendError> BatchScan::next() {
    std::optional<RecordBatchView> batch;
    if (!has_read_) {
        if (const auto error = read_window(kWindowBytes)) {
            return Error{*error};
        }
    }
    while (true) {
        const auto framed = frame_batch(unread());
        if (!framed) {
            return batch;
        }
        if (*framed) {
            position_ += static_cast<std::uint32_t>((*framed)->size());
            return *framed;
        }
        const std::uint64_t size = announced_size(unread());
        const bool is_all_read = window_at_ + filled_ >= end_;
        if (is_all_read || size > end_ - position_) {
            return batch;
        }
        const auto bytes = static_cast<std::uint32_t>(size);
        if (const auto error = read_window(std::max(kWindowBytes, bytes))) {
            return Error{*error};
        }
    }
}

std::optional<AppendError> BatchScan::read_window(std::uint32_t bytes) {
    const std::uint32_t length = std::min(bytes, end_ - position_);
    if (window_.size() < length) {
        window_.resize(length);
    }
    const auto read = disk_.read_into(file_, position_, std::span(window_).first(length));
    if (!read) {
        return AppendError::kStorage;
    }
    has_read_ = true;
    window_at_ = position_;
    filled_ = static_cast<std::uint32_t>(*read);
    end_ = filled_ < length ? position_ + filled_ : end_;  // the file is shorter than it should be
    return std::nullopt;
}

}  // namespace klab::storage
