// SPDX-License-Identifier: Apache-2.0
//
// Settings of topics, sorted by name; like() names the broker setting that is the default.
// Kafka: TopicConfig, LogConfig, ServerTopicConfigSynonyms.
// See settings.h for the columns.
// Where Kafka sets no lower limit for a period, klab asks for 1 ms (2 ms where half of it is one),
// so that no run stands still in one instant.
#include "model/types/settings_table.h"

namespace klab::types::detail {

namespace {

// clang-format off
constexpr Setting kSettings[] = {
    list("cleanup.policy", "delete").used().one_of("compact|delete").like("log.cleanup.policy")
        .says("What happens to old segments: deletion, compaction or both."),
    int_count("compression.gzip.level", "-1").one_of("-1|1|2|3|4|5|6|7|8|9").since({3, 8})
        .like("compression.gzip.level")
        .says("Level of gzip when the broker compresses."),
    int_count("compression.lz4.level", "9").at_least(1).at_most(17).since({3, 8})
        .like("compression.lz4.level")
        .says("Level of lz4 when the broker compresses."),
    choice("compression.type", "producer").one_of("uncompressed|gzip|snappy|lz4|zstd|producer")
        .used().like("compression.type")
        .says("Compression of stored batches; \"producer\" keeps what the producer chose."),
    int_count("compression.zstd.level", "3").at_least(-131072).at_most(22).since({3, 8})
        .like("compression.zstd.level")
        .says("Level of zstd when the broker compresses."),
    long_ms("delete.retention.ms", "86400000").used().at_least(0).like("log.cleaner.delete.retention.ms")
        .says("How long a compacted topic keeps deletion markers."),
    long_ms("file.delete.delay.ms", "60000").used().at_least(0).like("log.segment.delete.delay.ms")
        .says("Time between the renaming of a deleted segment and the removal of its files."),
    long_count("flush.messages", "9223372036854775807").at_least(1).used()
        .like("log.flush.interval.messages")
        .says("Forces the log to disk once this many records are unflushed; the default leaves "
              "it to the page cache."),
    long_ms("flush.ms", "9223372036854775807").at_least(0).like("log.flush.interval.ms")
        .says("Forces the log to disk once its oldest unflushed record is this old."),
    list("follower.replication.throttled.replicas", "")
        .says("Follower replicas whose replication is slowed down."),
    int_bytes("index.interval.bytes", "4096").used().at_least(0).like("log.index.interval.bytes")
        .says("A new index entry is written after this many bytes."),
    int_bytes("internal.segment.bytes", "null").at_least(14).used().since({4, 1})
        .says("segment.bytes for tests, without its lower limit; wins over it."),
    list("leader.replication.throttled.replicas", "")
        .says("Leader replicas whose replication is slowed down."),
    long_bytes("local.retention.bytes", "-2").at_least(-2).like("log.local.retention.bytes")
        .says("Local part of a tiered log, in bytes; -2 means all of retention.bytes."),
    long_ms("local.retention.ms", "-2").at_least(-2).like("log.local.retention.ms")
        .says("Local part of a tiered log, in time; -2 means all of retention.ms."),
    long_ms("max.compaction.lag.ms", "9223372036854775807").used().at_least(1)
        .like("log.cleaner.max.compaction.lag.ms")
        .says("Longest time a record may wait for compaction."),
    int_bytes("max.message.bytes", "1048588").at_least(0).used().like("message.max.bytes")
        .says("Largest record batch that the topic accepts, after compression."),
    long_ms("message.timestamp.after.max.ms", "3600000").used().at_least(0).since({3, 6})
        .was_before({4, 0}, "9223372036854775807").like("log.message.timestamp.after.max.ms")
        .says("Refuses records whose timestamp lies further in the future."),
    long_ms("message.timestamp.before.max.ms", "9223372036854775807").used().at_least(0)
        .since({3, 6}).like("log.message.timestamp.before.max.ms")
        .says("Refuses records whose timestamp lies further in the past."),
    choice("message.timestamp.type", "CreateTime").used().one_of("CreateTime|LogAppendTime")
        .like("log.message.timestamp.type")
        .says("Whose clock stamps a record: the producer's or the broker's."),
    real("min.cleanable.dirty.ratio", "0.5").used().at_least(0).at_most(1)
        .like("log.cleaner.min.cleanable.ratio")
        .says("Part of the log that must be uncompacted before the cleaner takes it."),
    long_ms("min.compaction.lag.ms", "0").used().at_least(0).like("log.cleaner.min.compaction.lag.ms")
        .says("Shortest time a record stays uncompacted."),
    int_count("min.insync.replicas", "1").at_least(1).used().like("min.insync.replicas")
        .says("Fewest replicas in sync with which a write with acks=all is accepted."),
    flag("preallocate", "false").used().like("log.preallocate")
        .says("Gives a new segment its full size on disk at once."),
    flag("remote.storage.enable", "false").since({3, 6})
        .says("Moves old segments to tiered storage."),
    long_bytes("retention.bytes", "-1").used().like("log.retention.bytes")
        .says("Deletes old segments above this size; -1 is no limit."),
    long_ms("retention.ms", "604800000").used().at_least(-1).like("log.retention.ms")
        .says("Age at which a segment is deleted; -1 is never."),
    int_bytes("segment.bytes", "1073741824").used().at_least_before({4, 1}, 14).at_least(1048576)
        .like("log.segment.bytes")
        .says("The active segment is closed before it would become larger."),
    int_bytes("segment.index.bytes", "10485760").used().at_least(4).like("log.index.size.max.bytes")
        .says("Size of an offset index file; a full index rolls the segment."),
    long_ms("segment.jitter.ms", "0").used().at_least(0).like("log.roll.jitter.ms")
        .says("Random part of segment.ms."),
    long_ms("segment.ms", "604800000").used().at_least(1).like("log.roll.ms")
        .says("Age at which the active segment is closed."),
    flag("unclean.leader.election.enable", "false").used().like("unclean.leader.election.enable")
        .says("Lets a replica outside the ISR become leader when no other can, at the price of "
              "losing records."),
};
// clang-format on

}  // namespace

std::span<const Setting> topic_settings() { return kSettings; }

}  // namespace klab::types::detail
