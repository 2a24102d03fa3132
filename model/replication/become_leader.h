// SPDX-License-Identifier: Apache-2.0
//
// Becoming leader: what the metadata say a partition's leader is, applied on the broker that leads.
//
//     partition epoch older than the one applied      ignored
//     same leader epoch, newer partition epoch        new ISR and replicas; the term goes on
//     newer leader epoch                              a new term: its start is the log end, the
//                                                     epoch enters the epoch cache before any
//                                                     record, follower states are reset
//
// The new leader keeps the high watermark it had as follower. It cannot rise until every member of
// the ISR has fetched in the new term, because the ends of their logs are not known.
//
// Owns: role, leader, epochs and replicas of a partition that is led.
// Called by: metadata_apply.cc. Kafka: Partition.makeLeader, updateAssignmentAndIsr. KIP-101, 320
#pragma once

#include "model/metadata/partition_registration.h"
#include "model/replication/data_plane.h"

namespace klab::replication {

/// Applies `registration`, whose leader is this broker. Says whether it was applied (it is not when
/// it is older than what is known). Raises the high watermark and completes parked requests if the
/// new ISR allows it. Effects: leader.started; isr.shrunk, isr.expanded; hw.advanced.
bool become_leader(DataPlane& plane,
                   Partition& partition,
                   const metadata::PartitionRegistration& registration);

}  // namespace klab::replication
