// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/client_counts.h"

#include "model/types/kafka_events.h"

namespace klab::scenario {

namespace {

// Field numbers, as in the table of kafka_events.cc.
constexpr std::size_t kRecordFailedError = 2;
constexpr std::size_t kClientFailedError = 0;

}  // namespace

void ClientCounts::want(sim::KindSet& kinds) {
    for (const sim::EventKind kind : {types::events::kRecordSent,
                                      types::events::kRecordAcked,
                                      types::events::kRecordFailed,
                                      types::events::kRecordProcessed,
                                      types::events::kClientFailed}) {
        kinds.add(kind);
    }
}

void ClientCounts::add(const sim::Event& event) {
    if (!event.node) {
        return;
    }
    if (event.kind == types::events::kRecordSent) {
        ++totals_[*event.node].sent;
    } else if (event.kind == types::events::kRecordAcked) {
        ++totals_[*event.node].acked;
    } else if (event.kind == types::events::kRecordProcessed) {
        ++totals_[*event.node].processed;
    } else if (event.kind == types::events::kRecordFailed) {
        ++totals_[*event.node].failed;
        ++totals_[*event.node].errors[event.fields[kRecordFailedError]];
    } else if (event.kind == types::events::kClientFailed) {
        ++totals_[*event.node].errors[event.fields[kClientFailedError]];
    }
}

ClientTotals ClientCounts::of(sim::NodeId client) const {
    const auto found = totals_.find(client);
    return found == totals_.end() ? ClientTotals{} : found->second;
}

}  // namespace klab::scenario
