// SPDX-License-Identifier: Apache-2.0
//
// The values in a log, and the value at one offset of bytes that were read: for laws.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/storage/log_reader.h"
#include "model/storage/record.h"

namespace klab::storage {

inline std::vector<std::string> view_of_log(const Log& log, const sim::Disk& disk) {
    std::vector<std::string> out;
    for (const RecordSight& record : list_records(log, disk)) {
        out.push_back(record.value.value_or("~"));
    }
    return out;
}

inline std::optional<std::string> value_at(ByteView bytes, types::Offset offset) {
    BatchIterator batches(bytes);
    while (const auto batch = batches.next()) {
        RecordIterator records(*batch);
        while (const auto record = records.next()) {
            if (record->offset == offset && record->value) {
                return std::string(text_of(*record->value));
            }
        }
    }
    return std::nullopt;
}

}  // namespace klab::storage
