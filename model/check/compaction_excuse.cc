// SPDX-License-Identifier: Apache-2.0
//
// See compaction_excuse.h.
#include "model/check/compaction_excuse.h"

namespace klab::check {

namespace {

/// Was this send written at or above `offset`, as far as anybody knows?
bool may_be_written_above(const SendFact& send, std::int64_t offset) {
    return send.outcome == Outcome::kOk ? send.offset >= offset : send.outcome != Outcome::kFailed;
}

/// A tombstone of the key at or above the record, or the record itself is one.
bool has_tombstone(const History& history, const SeenRecord& record) {
    for (const Cow<ClientHistory>& client : history.clients()) {
        for (const std::int64_t number : client->tombstones) {
            if (number >= static_cast<std::int64_t>(client->sends.size())) {
                continue;
            }
            const SendFact& send = client->sends[static_cast<std::size_t>(number)];
            if (send.partition == record.partition && send.key == record.key &&
                may_be_written_above(send, record.offset)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

bool may_be_compacted(const History& history,
                      const FinalLog& log,
                      std::int64_t cleaned,
                      const SeenRecord& record) {
    if (record.offset >= cleaned) {
        return false;
    }
    if (record.key < 0) {
        return true;  // from before the topic was compacted: a cleaning drops what has no key
    }
    const auto newest = log.newest.find(record.key);
    return (newest != log.newest.end() && newest->second > record.offset) ||
           has_tombstone(history, record);
}

}  // namespace klab::check
