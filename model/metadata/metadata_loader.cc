// SPDX-License-Identifier: Apache-2.0
//
// See metadata_loader.h.
#include "model/metadata/metadata_loader.h"

#include "model/storage/record.h"

namespace klab::metadata {

namespace {

std::optional<DecodeError> append_records(const storage::RecordBatchView& batch,
                                          std::vector<PlacedRecord>& out) {
    if (batch.is_control()) {
        return std::nullopt;
    }
    storage::RecordIterator records(batch);
    while (const std::optional<storage::RecordView> record = records.next()) {
        if (!record->value) {
            return DecodeError::kMalformed;
        }
        Result<MetadataRecord, DecodeError> decoded = decode(*record->value);
        if (!decoded) {
            return decoded.error();
        }
        out.push_back(PlacedRecord{record->offset, *std::move(decoded)});
    }
    return records.error() ? std::optional(DecodeError::kMalformed) : std::nullopt;
}

}  // namespace

Result<std::vector<PlacedRecord>, DecodeError> read_records(ByteView batches) {
    std::vector<PlacedRecord> all;
    storage::BatchIterator it(batches);
    while (const std::optional<storage::RecordBatchView> batch = it.next()) {
        if (const std::optional<DecodeError> error = append_records(*batch, all)) {
            return Error{*error};
        }
    }
    if (it.error()) {
        return Error{DecodeError::kMalformed};
    }
    return all;
}

bool MetadataLoader::take(PlacedRecord placed, MetadataDelta& delta) {
    if (std::holds_alternative<BeginTransactionRecord>(placed.record)) {
        if (transaction_start_) {
            return false;
        }
        transaction_start_ = placed.offset;
        return true;
    }
    if (std::holds_alternative<EndTransactionRecord>(placed.record)) {
        if (!transaction_start_) {
            return false;
        }
        transaction_start_.reset();
        const std::vector<PlacedRecord> released = std::exchange(withheld_, {});
        for (const PlacedRecord& record : released) {
            if (apply(image_, delta, record.offset, record.record)) {
                return false;
            }
        }
        return !apply(image_, delta, placed.offset, placed.record);
    }
    if (std::holds_alternative<AbortTransactionRecord>(placed.record)) {
        if (!transaction_start_) {
            return false;
        }
        transaction_start_.reset();
        withheld_.clear();
        return !apply(image_, delta, placed.offset, placed.record);
    }
    if (transaction_start_) {
        withheld_.push_back(std::move(placed));
        return true;
    }
    return !apply(image_, delta, placed.offset, placed.record);
}

Result<MetadataDelta, MetadataLoader::LoadError> MetadataLoader::load(ByteView batches) {
    MetadataLoader next = *this;
    MetadataDelta delta;
    storage::BatchIterator it(batches);
    while (const std::optional<storage::RecordBatchView> batch = it.next()) {
        std::vector<PlacedRecord> records;
        if (batch->last_offset() < next.next_offset_) {
            continue;
        }
        if (append_records(*batch, records)) {
            return Error{LoadError::kUndecodable};
        }
        for (PlacedRecord& placed : records) {
            if (placed.offset >= next.next_offset_ && !next.take(std::move(placed), delta)) {
                return Error{LoadError::kInconsistent};
            }
        }
        next.next_offset_ = batch->next_offset();
        if (!next.transaction_start_) {
            next.image_.offset = batch->last_offset();
        }
    }
    if (it.error()) {
        return Error{LoadError::kUndecodable};
    }
    *this = std::move(next);
    return delta;
}

}  // namespace klab::metadata
