// SPDX-License-Identifier: Apache-2.0
//
// When a reassignment of replicas is complete: all replicas that shall stay are in the ISR.
//
// Called by: partition_change_builder.cc, in every run.
// Kafka: PartitionReassignmentReplicas.maybeCompleteReassignment (4.1); KIP-455.
// Simplified: the relaxed completion of 4.3 (KAFKA-19975) is left out.
#pragma once

#include <optional>

#include "model/metadata/records.h"

namespace klab::controller {

struct CompletedReassignment {
    metadata::BrokerIds replicas;
    metadata::BrokerIds isr;

    friend bool operator==(const CompletedReassignment&, const CompletedReassignment&) = default;
};

/// What remains when the removing replicas leave; nothing while the reassignment must go on, or
/// when there is none.
[[nodiscard]] std::optional<CompletedReassignment> complete_reassignment(
    const metadata::BrokerIds& replicas,
    const metadata::BrokerIds& isr,
    const metadata::BrokerIds& removing,
    const metadata::BrokerIds& adding);

}  // namespace klab::controller
