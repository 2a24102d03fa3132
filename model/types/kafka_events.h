// SPDX-License-Identifier: Apache-2.0
//
// Kafka's event kinds: what happens to logs, partitions, brokers, metadata and clients. Fields,
// meaning and narration of each stand in the table of kafka_events.cc; docs/trace-format.md is
// generated from it. Broker ids in fields are Kafka's (b1 is 1), nodes are klab's.
#pragma once

#include <vector>

#include "sim/trace/event.h"

namespace klab::types::events {

inline constexpr sim::EventKind kLogAppended{
    32};  // partition, base_offset, last_offset, leader_epoch, as_leader, crc, producer_id,
          // base_sequence
inline constexpr sim::EventKind kLogTruncated{33};  // partition, from, to, hw_before, reason
inline constexpr sim::EventKind kLogRecovered{
    34};  // partition, log_end_offset, high_watermark, bytes_dropped, clean
inline constexpr sim::EventKind kLeaderStarted{
    35};  // partition, leader_epoch, partition_epoch, start_offset, isr, high_watermark
inline constexpr sim::EventKind kFollowerStarted{
    36};  // partition, leader, leader_epoch, partition_epoch, log_end_offset, high_watermark
inline constexpr sim::EventKind kReplicaStopped{37};  // partition
inline constexpr sim::EventKind kHwAdvanced{
    38};  // partition, from, to, as_leader, log_end_offset, leader_epoch, isr_size
inline constexpr sim::EventKind kHwMovedBack{39};  // partition, from, to
inline constexpr sim::EventKind kFollowerFetched{
    40};  // partition, follower, offset, leader_epoch, leader_end_offset, follower_epoch
inline constexpr sim::EventKind kIsrProposed{
    41};  // partition, isr, leader_epoch, partition_epoch, change, replica, replica_end_offset,
          // high_watermark, epoch_start_offset
inline constexpr sim::EventKind kIsrExpanded{42};  // partition, isr, partition_epoch, leader_epoch
inline constexpr sim::EventKind kIsrShrunk{43};    // partition, isr, partition_epoch, leader_epoch
inline constexpr sim::EventKind kIsrRefused{44};   // partition, error
inline constexpr sim::EventKind kFetchDiverged{45};   // partition, follower, epoch, end_offset
inline constexpr sim::EventKind kFetchFailed{46};     // partition, leader, error
inline constexpr sim::EventKind kProduceRefused{47};  // partition, error, acks, isr_size
inline constexpr sim::EventKind kProduceWaiting{48};  // partition, required_offset
inline constexpr sim::EventKind kProduceCompleted{
    49};  // partition, base_offset, last_offset, error, acks, isr_size
inline constexpr sim::EventKind kDuplicateRecognized{
    50};  // partition, producer_id, base_sequence, base_offset
inline constexpr sim::EventKind kBrokerStateChanged{51};  // from, to
inline constexpr sim::EventKind kMetadataPublished{52};   // offset
inline constexpr sim::EventKind kCheckpointWritten{53};   // partitions
inline constexpr sim::EventKind kMetadataAppended{54};    // base_offset, last_offset, epoch
inline constexpr sim::EventKind kMetadataCommitted{55};   // offset
inline constexpr sim::EventKind kBrokerRegistered{56};    // broker, broker_epoch, clean
inline constexpr sim::EventKind kBrokerUnfenced{57};      // broker, broker_epoch
inline constexpr sim::EventKind kBrokerFenced{58};  // broker, broker_epoch, reason, last_contact
inline constexpr sim::EventKind kBrokerShuttingDown{59};  // broker, broker_epoch
inline constexpr sim::EventKind kTopicCreated{60};        // topic, partitions, replicas
inline constexpr sim::EventKind kTopicDeleted{61};        // topic
inline constexpr sim::EventKind kPartitionChanged{
    62};  // partition, leader, leader_epoch, partition_epoch, isr, replicas, unclean, offset
inline constexpr sim::EventKind kCandidateJudged{
    63};  // partition, broker, alive, in_isr, order, chosen, why
inline constexpr sim::EventKind kLeaderElected{
    64};  // partition, leader, leader_epoch, previous, isr, unclean
inline constexpr sim::EventKind kLeaderLost{65};  // partition, leader_epoch, previous, isr
inline constexpr sim::EventKind kAlterPartitionRefused{66};  // partition, broker, error
inline constexpr sim::EventKind kConfigChanged{67};          // target, name, value
inline constexpr sim::EventKind kRecordSent{68};             // record, partition, key
inline constexpr sim::EventKind kRecordAcked{69};            // record, partition, offset, acks
inline constexpr sim::EventKind kRecordFailed{70};           // record, partition, error, acks
inline constexpr sim::EventKind kBatchRetried{71};        // partition, first_record, attempt, error
inline constexpr sim::EventKind kClientFailed{72};        // error, api, partition
inline constexpr sim::EventKind kProducerIdObtained{73};  // producer_id, producer_epoch
inline constexpr sim::EventKind kLeaderLearned{74};       // partition, leader, leader_epoch
inline constexpr sim::EventKind kRecordPolled{
    75};  // partition, offset, leader_epoch, producer, record, high_watermark
inline constexpr sim::EventKind kRecordProcessed{76};    // partition, offset, producer, record
inline constexpr sim::EventKind kPositionReset{77};      // partition, from, offset, reason
inline constexpr sim::EventKind kClientStopped{78};      // -
inline constexpr sim::EventKind kAdminAnswered{79};      // api, name, error
inline constexpr sim::EventKind kLogDirFailed{80};       // directory, error, remaining
inline constexpr sim::EventKind kLogRolled{81};          // partition, base_offset, closed_bytes
inline constexpr sim::EventKind kLogFlushed{82};         // partition, recovery_point
inline constexpr sim::EventKind kLogSegmentDeleted{83};  // partition, base_offset, bytes, reason
inline constexpr sim::EventKind kLogStartRaised{84};     // partition, from, to, reason
inline constexpr sim::EventKind kIndexCompared{85};  // partition, segment, index, offset, position
inline constexpr sim::EventKind kBatchRead{86};  // partition, segment, position, base_offset, last
inline constexpr sim::EventKind kCleanerStarted{
    87};  // partition, first_dirty, first_uncleanable, clean_bytes, cleanable_bytes
inline constexpr sim::EventKind kLogCompacted{
    88};  // partition, base_offset, end, segments, bytes_before, bytes_after
inline constexpr sim::EventKind kLogCleaned{89};          // partition, from, to, records_read, kept
inline constexpr sim::EventKind kCleanerAborted{90};      // partition, reason
inline constexpr sim::EventKind kCleanerFailed{91};       // partition, reason, thread_ends
inline constexpr sim::EventKind kReplicaWentOffline{92};  // partition, directory
inline constexpr sim::EventKind kLogDirReported{93};      // broker, broker_epoch, remaining
inline constexpr sim::EventKind kLogRenamed{94};          // partition, to
inline constexpr sim::EventKind kLogDeleted{95};          // partition, name

inline constexpr sim::EventKind kDeleteRecordsCompleted{
    96};  // partition, before, low_watermark, error

inline constexpr sim::EventKind kReassignmentStarted{97};  // partition, replicas, adding, removing
inline constexpr sim::EventKind kReassignmentEnded{98};    // partition, replicas, taken_back

/// The model's rows of the event table, in the order of the kinds above.
[[nodiscard]] std::vector<sim::EventDef> kafka_rows();

/// The joined table: kernel rows, then Kafka's. Built on each call; keep it.
[[nodiscard]] sim::EventTable make_event_table();

}  // namespace klab::types::events
