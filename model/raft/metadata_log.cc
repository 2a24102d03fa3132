// SPDX-License-Identifier: Apache-2.0
//
// See metadata_log.h.
#include "model/raft/metadata_log.h"

#include <algorithm>

#include "model/raft/durable_file.h"
#include "model/storage/file_names.h"
#include "model/storage/record_batch.h"
#include "sim/base/assert.h"

namespace klab::raft {

namespace {

/// How many bytes at the start are a log: valid batches whose offsets follow one another and whose
/// epochs never fall.
std::size_t valid_prefix(ByteView bytes) {
    storage::BatchIterator it(bytes);
    types::Offset next(0);
    std::optional<types::LeaderEpoch> epoch;
    std::size_t valid = 0;
    while (const std::optional<storage::RecordBatchView> batch = it.next()) {
        const bool follows = batch->base_offset() == next && batch->last_offset_delta() >= 0;
        const bool epoch_ok =
            batch->leader_epoch().has_value() && (!epoch || *epoch <= *batch->leader_epoch());
        if (!follows || !epoch_ok || !batch->has_valid_crc()) {
            break;
        }
        next = batch->next_offset();
        epoch = batch->leader_epoch();
        valid = it.position();
    }
    return valid;
}

}  // namespace

sim::DiskResult<MetadataLog> MetadataLog::open(sim::DiskAccess disk, const std::string& directory) {
    if (const auto made = make_durable_directories(disk, directory); !made) {
        return Error{made.error()};
    }
    const std::string path = directory + "/" + storage::segment_file_name(types::Offset(0));
    const bool existed = disk.exists(path);
    const sim::DiskResult<sim::FileId> file = disk.create(path);
    if (!file) {
        return Error{file.error()};
    }
    if (!existed) {
        if (const auto synced = disk.sync_directory(directory); !synced) {
            return Error{synced.error()};
        }
    }
    const sim::DiskResult<std::uint64_t> size = disk.size(*file);
    if (!size) {
        return Error{size.error()};
    }
    const sim::DiskResult<Bytes> bytes = disk.read(*file, 0, *size);
    if (!bytes) {
        return Error{bytes.error()};
    }
    MetadataLog log;
    log.file_ = *file;
    const std::size_t valid = valid_prefix(*bytes);
    log.bytes_dropped_ = bytes->size() - valid;
    if (log.bytes_dropped_ != 0) {
        if (const auto cut = disk.truncate(*file, valid); !cut) {
            return Error{cut.error()};
        }
    }
    log.note_batches(ByteView(*bytes).first(valid));
    // A process that crashed may have left bytes in the page cache only: they must not count as
    // durable before they are.
    if (const auto synced = log.sync(disk); !synced) {
        return Error{synced.error()};
    }
    return log;
}

void MetadataLog::note_batches(ByteView batches) {
    storage::BatchIterator it(batches);
    std::size_t start = 0;
    while (const std::optional<storage::RecordBatchView> batch = it.next()) {
        KLAB_ASSERT(batch->base_offset() == end_offset_,
                    "batch at {} in a log that ends at {}",
                    batch->base_offset(),
                    end_offset_);
        KLAB_ASSERT(batch->leader_epoch().has_value(), "a metadata batch without epoch");
        positions_.insert_or_assign(batch->last_offset(), size_bytes_ + start);
        epochs_.assign(*batch->leader_epoch(), batch->base_offset());
        last_batch_ = batch->base_offset();
        end_offset_ = batch->next_offset();
        start = it.position();
    }
    KLAB_ASSERT(start == batches.size(), "{} bytes are no batch", batches.size() - start);
    size_bytes_ += batches.size();
}

sim::DiskResult<sim::Done> MetadataLog::append(sim::DiskAccess disk, ByteView batches) {
    KLAB_ASSERT(file_.has_value(), "append to a log that was not opened");
    if (const auto written = disk.append(*file_, batches); !written) {
        return written;
    }
    note_batches(batches);
    return sim::Done{};
}

sim::DiskResult<sim::Done> MetadataLog::sync(sim::DiskAccess disk) {
    KLAB_ASSERT(file_.has_value(), "sync of a log that was not opened");
    if (const auto synced = disk.sync(*file_); !synced) {
        return synced;
    }
    flushed_offset_ = end_offset_;
    return sim::Done{};
}

sim::DiskResult<Bytes> MetadataLog::read(sim::DiskAccess disk,
                                         types::Offset from,
                                         types::Offset below,
                                         std::uint64_t bytes_max) const {
    const auto* first = positions_.lower_bound(from);
    if (!file_ || first == nullptr || first->first >= below) {
        return Bytes{};
    }
    // The first batch that ends at or above `below` is the first one left out.
    const auto* stop = positions_.lower_bound(below);
    const std::uint64_t begin = first->second;
    const std::uint64_t end = stop == nullptr ? size_bytes_ : stop->second;
    const auto* second = positions_.lower_bound(first->first.next());
    const std::uint64_t first_size = (second == nullptr ? size_bytes_ : second->second) - begin;
    const std::uint64_t length = std::min(end - begin, std::max(bytes_max, first_size));
    sim::DiskResult<Bytes> bytes = disk.read(*file_, begin, length);
    if (!bytes) {
        return bytes;
    }
    // Whole batches only.
    storage::BatchIterator it(*bytes);
    while (it.next()) {
    }
    bytes->resize(it.position());
    return bytes;
}

}  // namespace klab::raft
