// SPDX-License-Identifier: Apache-2.0
//
// ReplicaManager: all partitions that a broker hosts, and every path by which records enter and
// leave them. It only routes: what a partition does as leader or follower stands in the rule files
// of this folder (high_watermark.h, isr_expansion.h, truncation.h, ...).
//
//     produce ---> produce_handling ---> log, high watermark ---> delayed_produce ---> Answer
//     fetch -----> fetch_handling ----> log read, follower state, ISR ---> delayed_fetch --->
//     Answer metadata --> apply_delta -------> become_leader / become_follower --->
//     follower_fetcher timers ----> isr_shrink, checkpoints, expiry of parked requests, fetcher
//     back-offs
//
// A regular value: a copy of it is a fork of the broker's data plane. Everything is volatile; what
// survives a crash is on the disk and comes back through load().
//
// Owns: the set of hosted partitions, parked requests, fetchers, the queue of ISR proposals, the
// log cleaner. Called by: model/broker (one per broker). Kafka: ReplicaManager,
// ReplicaFetcherManager, DefaultAlterPartitionManager. Simplified: no fetch sessions (each fetch
// names all partitions), no future replicas, no throttling, no preferred read replica, no
// transactions.
#pragma once

#include <cstdint>
#include <optional>

#include "model/metadata/image_replay.h"
#include "model/protocol/alter_partition.h"
#include "model/protocol/delete_records.h"
#include "model/protocol/fetch.h"
#include "model/protocol/list_offsets.h"
#include "model/protocol/offset_for_leader_epoch.h"
#include "model/protocol/produce.h"
#include "model/replication/alter_partition_manager.h"
#include "model/replication/data_plane.h"
#include "model/replication/fetcher_manager.h"
#include "model/replication/log_cleaner.h"
#include "model/replication/log_dir_failure.h"
#include "model/replication/log_dir_opening.h"
#include "model/replication/log_directories.h"
#include "model/replication/partition.h"
#include "model/replication/purgatory.h"
#include "model/replication/replication_types.h"
#include "model/types/timer_kinds.h"
#include "sim/base/cow.h"
#include "sim/base/cow_map.h"
#include "sim/kernel/context.h"

namespace klab::replication {

class ReplicaManager {
  public:
    ReplicaManager() = default;

    explicit ReplicaManager(ReplicationOptions options);

    // --- life of the process

    /// Looks at the log directories: identities, locks, markers. Call once, before anything else.
    /// Effects: log_dir.failed. Errors: the process ends.
    [[nodiscard]] Result<OpenedLogDirs, StartError> open_log_dirs(sim::Context& ctx);

    /// Starts the periodic tasks (ISR check, high watermark checkpoint, log maintenance) and the
    /// log cleaner. Call after apply_image.
    void start(sim::Context& ctx);

    /// An orderly stop: fetchers closed, logs flushed, checkpoints and the clean marker written.
    /// `broker_epoch` goes into the marker. Effects: checkpoint.written.
    void shutdown(sim::Context& ctx, std::optional<types::BrokerEpoch> broker_epoch);

    /// To be called at the end of each step: takes log directories offline in which a call of the
    /// disk was refused. Effects: log_dir.failed, replica.went_offline.
    [[nodiscard]] LogDirFailures handle_disk_failures(sim::Context& ctx, const BrokerView& view);

    /// Replicas whose directory the controller does not know, since the last call.
    [[nodiscard]] std::vector<protocol::DirectoryAssignment> take_misplaced();

    // --- requests; each appends its answer to `out`, now or later

    /// Errors per partition: INVALID_REQUIRED_ACKS, UNKNOWN_TOPIC_OR_PARTITION,
    /// NOT_LEADER_OR_FOLLOWER, NOT_ENOUGH_REPLICAS, NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    /// REQUEST_TIMED_OUT, and what the log says about the batch. acks=0: an answer without
    /// response.
    void produce(sim::Context& ctx,
                 const BrokerView& view,
                 const RequestHandle& from,
                 const protocol::ProduceRequest& request,
                 Answers& out);

    /// Followers and consumers; parked until min.bytes are there or max.wait is over. `request`
    /// holds a FetchRequest (kept while it is parked).
    /// Errors per partition: UNKNOWN_TOPIC_ID, NOT_LEADER_OR_FOLLOWER, FENCED_LEADER_EPOCH,
    /// UNKNOWN_LEADER_EPOCH, OFFSET_OUT_OF_RANGE.
    void fetch(sim::Context& ctx,
               const BrokerView& view,
               const RequestHandle& from,
               const sim::MessageRef& request,
               Answers& out);

    void list_offsets(sim::Context& ctx,
                      const BrokerView& view,
                      const RequestHandle& from,
                      const protocol::ListOffsetsRequest& request,
                      Answers& out);

    void offset_for_leader_epoch(sim::Context& ctx,
                                 const BrokerView& view,
                                 const RequestHandle& from,
                                 const protocol::OffsetForLeaderEpochRequest& request,
                                 Answers& out);

    /// Raises log starts; answered when all live replicas have followed, or the time is over.
    /// Errors: see delete_records_handling.h.
    void delete_records(sim::Context& ctx,
                        const BrokerView& view,
                        const RequestHandle& from,
                        const protocol::DeleteRecordsRequest& request,
                        Answers& out);

    // --- metadata

    /// The first publish: opens every log in the directories, in the order of their names (recovery
    /// after an unclean stop, high watermarks from their checkpoints); logs that the image does not
    /// place here are put aside. Then every partition of the image that has this broker as a
    /// replica. Effects: log.recovered per log, log.renamed, log_dir.failed, and those of
    /// apply_delta. Errors: the process ends.
    [[nodiscard]] std::optional<StartError> apply_image(sim::Context& ctx,
                                                        const BrokerView& view,
                                                        Answers& out);

    /// A later publish; `view.image` is the image after `delta`. Deletes, then leaders, then
    /// followers; a follower's fetcher restarts only when its leader epoch rose.
    /// Effects: replica.stopped, leader.started, follower.started, and what follows from them.
    void apply_delta(sim::Context& ctx,
                     const BrokerView& view,
                     const metadata::MetadataDelta& delta,
                     Answers& out);

    // --- connections and timers; each says whether the input was its own

    [[nodiscard]] bool on_connected(sim::Context& ctx,
                                    const BrokerView& view,
                                    const sim::Connected& input);
    [[nodiscard]] bool on_disconnected(sim::Context& ctx,
                                       const BrokerView& view,
                                       const sim::Disconnected& input);
    [[nodiscard]] bool on_reply(sim::Context& ctx,
                                const BrokerView& view,
                                const sim::Delivered& input,
                                Answers& out);
    [[nodiscard]] bool on_timer(sim::Context& ctx,
                                const BrokerView& view,
                                const sim::TimerFired& input,
                                Answers& out);

    // --- ISR proposals, sent by the facade over its own channel to the controller

    /// The next AlterPartition request with every proposal not sent yet; nothing while one is in
    /// flight, while a resend is waiting, or when there is nothing to say. Ask after each step.
    /// The facade's channel itself repeats a request after a disconnect or NOT_CONTROLLER (top
    /// level or in any partition): this class never hears of those.
    [[nodiscard]] std::optional<protocol::AlterPartitionRequest> next_alter_partition_request(
        const BrokerView& view);

    /// Effects: isr.expanded, isr.shrunk, isr.refused, hw.advanced; may answer parked requests.
    void on_alter_partition_response(sim::Context& ctx,
                                     const BrokerView& view,
                                     const protocol::AlterPartitionResponse& response,
                                     Answers& out);

    /// The channel gave the request up (authorization, unsupported version): again after 50 ms.
    void on_alter_partition_failure(sim::Context& ctx);

    // --- what is inside, for checks and pictures

    [[nodiscard]] const HostedPartitions& partitions() const { return partitions_; }

    /// The hosted partition, or nullptr. By name it looks at all of them.
    [[nodiscard]] const Partition* find(const PartitionKey& key) const;
    [[nodiscard]] const Partition* find(const types::TopicPartition& name) const;

    /// A partition as it was when its log directory failed, or nullptr.
    [[nodiscard]] const Partition* find_offline(const types::TopicPartition& name) const;

    /// Is this broker's replica in a log directory that is offline?
    [[nodiscard]] bool is_offline(const PartitionKey& key) const {
        return directories_.offline_partitions.contains(key);
    }

    [[nodiscard]] const LogDirectories& directories() const { return directories_; }

    [[nodiscard]] const FetcherManager& fetchers() const { return fetchers_; }

    [[nodiscard]] const Purgatory& purgatory() const { return purgatory_; }

    [[nodiscard]] const AlterPartitionManager& proposals() const { return alter_partition_; }

    [[nodiscard]] const LogCleaner& cleaner() const { return cleaner_; }

    [[nodiscard]] const ReplicationOptions& options() const { return *options_; }

    friend bool operator==(const ReplicaManager&, const ReplicaManager&) = default;

  private:
    [[nodiscard]] DataPlane plane(sim::Context& ctx, const BrokerView& view, Answers& out);
    void arm(sim::Context& ctx, types::TimerKind kind, std::int64_t delay_ms) const;
    void check_all_isrs(DataPlane& step) const;
    void maintain_logs(sim::Context& ctx);
    void forget_idle_producers(sim::Context& ctx);

    Cow<ReplicationOptions> options_;
    HostedPartitions partitions_;
    LogDirectories directories_;
    Purgatory purgatory_;
    FetcherManager fetchers_;
    AlterPartitionManager alter_partition_;
    LogCleaner cleaner_;
};

}  // namespace klab::replication
