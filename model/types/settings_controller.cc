// SPDX-License-Identifier: Apache-2.0
//
// Settings of KRaft controllers, sorted by name. Kafka: QuorumConfig, MetadataLogConfig,
// ReplicationConfigs.
// See settings.h for the columns.
// Where Kafka sets no lower limit for a period, klab asks for 1 ms (2 ms where half of it is one),
// so that no run stands still in one instant.
#include "model/types/settings_table.h"

namespace klab::types::detail {

namespace {

// clang-format off
constexpr Setting kSettings[] = {
    flag("auto.leader.rebalance.enable", "true").used()
        .says("Gives leadership back to the first replica of each partition from time to time."),
    text("controller.listener.names", "null").managed().since({2, 8})
        .says("Listeners of the controller."),
    int_ms("controller.quorum.append.linger.ms", "25").at_least(0).used().since({2, 8})
        .says("How long the leader of the metadata quorum collects records before it writes them."),
    list("controller.quorum.bootstrap.servers", "").managed().since({3, 9})
        .says("Addresses at which the quorum can be found."),
    int_ms("controller.quorum.election.backoff.max.ms", "1000").at_least(0).since({2, 8})
        .says("Longest pause of a candidate after a lost election of the quorum."),
    int_ms("controller.quorum.election.timeout.ms", "1000").at_least(1).since({2, 8})
        .says("Longest wait for votes before a candidate of the quorum tries again."),
    int_ms("controller.quorum.fetch.timeout.ms", "2000").at_least(1).since({2, 8})
        .says("A voter without an answer from the quorum leader for so long starts an election."),
    int_ms("controller.quorum.request.timeout.ms", "2000").at_least(1).since({2, 8})
        .says("A request inside the quorum without an answer for so long has failed."),
    int_ms("controller.quorum.retry.backoff.ms", "20").at_least(1).since({2, 8})
        .says("Pause before such a request is repeated."),
    list("controller.quorum.voters", "").managed().since({2, 8})
        .says("The voters of the quorum."),
    long_seconds("leader.imbalance.check.interval.seconds", "300").at_least(1).used()
        .says("Time between two elections of preferred leaders."),
    int_count("leader.imbalance.per.broker.percentage", "10").until({4, 0})
        .says("Part of the leaders that may be in the wrong place; only a ZooKeeper controller "
              "looked at it."),
    text("metadata.log.dir", "null").used().since({2, 8})
        .says("Directory of a broker's metadata log, whose failure stops the broker; the default is "
              "the first of log.dirs. A controller has its own, /tmp/kraft-controller-logs."),
    long_bytes("metadata.log.max.record.bytes.between.snapshots", "20971520").at_least(1)
        .since({2, 8})
        .says("A snapshot of the metadata is written after this many bytes of records."),
    long_ms("metadata.log.max.snapshot.interval.ms", "3600000").at_least(0).since({3, 4})
        .says("A snapshot of the metadata is written at the latest after this time."),
    int_bytes("metadata.log.segment.bytes", "1073741824").at_least(8388608).used().since({2, 8})
        .says("The active segment of the metadata log is closed before it would become larger."),
    int_bytes("metadata.log.segment.min.bytes", "8388608").since({2, 8}).until({4, 1})
        .says("Smallest value allowed for metadata.log.segment.bytes."),
    long_ms("metadata.log.segment.ms", "604800000").since({2, 8})
        .says("Age at which the active segment of the metadata log is closed."),
    int_ms("metadata.max.idle.interval.ms", "500").at_least(0).used().since({3, 3})
        .says("An idle controller writes an empty record after this time, so that lag is "
              "visible; 0 is never."),
    long_bytes("metadata.max.retention.bytes", "104857600").since({2, 8})
        .says("Size of metadata log and snapshots above which old ones are deleted."),
    long_ms("metadata.max.retention.ms", "604800000").since({2, 8})
        .says("Age at which metadata log segments and snapshots are deleted."),
    long_ms("unclean.leader.election.interval.ms", "300000").at_least(1).used().since({3, 9})
        .says("Time between two looks for leaderless partitions that may get an unclean leader."),
};
// clang-format on

}  // namespace

std::span<const Setting> controller_settings() { return kSettings; }

}  // namespace klab::types::detail
