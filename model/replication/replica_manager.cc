// SPDX-License-Identifier: Apache-2.0
//
// See replica_manager.h.
#include "model/replication/replica_manager.h"

#include <utility>

#include "model/replication/delayed_delete_records.h"
#include "model/replication/delayed_fetch.h"
#include "model/replication/delayed_produce.h"
#include "model/replication/delete_records_handling.h"
#include "model/replication/epoch_lookup.h"
#include "model/replication/fetch_handling.h"
#include "model/replication/list_offsets_handling.h"
#include "model/replication/log_background.h"
#include "model/replication/log_checkpoints.h"
#include "model/replication/log_deletion.h"
#include "model/replication/log_loading.h"
#include "model/replication/metadata_apply.h"
#include "model/replication/partition_routes.h"
#include "model/replication/produce_handling.h"
#include "model/storage/log_dir.h"
#include "model/types/model_data.h"
#include "model/types/timer_kinds.h"

namespace klab::replication {

using types::TimerKind;

namespace {

sim::TimerKey periodic(TimerKind kind) { return {static_cast<std::uint32_t>(kind), 0, 0}; }

}  // namespace

ReplicaManager::ReplicaManager(ReplicationOptions options) : options_(std::move(options)) {}

DataPlane ReplicaManager::plane(sim::Context& ctx, const BrokerView& view, Answers& out) {
    return DataPlane{
        .ctx = ctx,
        .around = {.rules = types::rules(ctx),
                   .image = view.image,
                   .self = view.id,
                   .self_epoch = view.epoch,
                   .wall = ctx.now(),
                   .lag_max = types::duration_of_ms(options_->config.replica_lag_time_max_ms)},
        .options = *options_,
        .directories = directories_,
        .hosted = partitions_,
        .purgatory = purgatory_,
        .proposals = alter_partition_,
        .cleaner = cleaner_,
        .out = out};
}

void ReplicaManager::arm(sim::Context& ctx, TimerKind kind, std::int64_t delay_ms) const {
    ctx.set_timer(periodic(kind), types::duration_of_ms(delay_ms), options_->lanes.background);
}

Result<OpenedLogDirs, StartError> ReplicaManager::open_log_dirs(sim::Context& ctx) {
    return open_log_directories(ctx, *options_, directories_);
}

LogDirFailures ReplicaManager::handle_disk_failures(sim::Context& ctx, const BrokerView& view) {
    if (ctx.disk_failures().empty() && directories_.unhandled == LogDirFailures{}) {
        return {};
    }
    Answers none;
    DataPlane step = plane(ctx, view, none);
    return handle_log_dir_failures(step, fetchers_);
}

std::vector<protocol::DirectoryAssignment> ReplicaManager::take_misplaced() {
    return std::exchange(directories_.misplaced, {});
}

void ReplicaManager::start(sim::Context& ctx) {
    const types::BrokerConfig& config = options_->config;
    arm(ctx, TimerKind::kIsrExpiration, config.replica_lag_time_max_ms / 2);
    arm(ctx, TimerKind::kHwCheckpoint, config.replica_high_watermark_checkpoint_interval_ms);
    arm(ctx, TimerKind::kLogMaintenance, config.log_initial_task_delay_ms);
    arm(ctx, TimerKind::kLogRetention, config.log_initial_task_delay_ms);
    cleaner_.start(ctx, *options_);
    arm(ctx, TimerKind::kProducerExpiration, config.producer_id_expiration_check_interval_ms);
}

void ReplicaManager::shutdown(sim::Context& ctx, std::optional<types::BrokerEpoch> broker_epoch) {
    fetchers_.stop_all(ctx);
    cleaner_.stop(ctx);
    for (const TimerKind kind : {TimerKind::kIsrExpiration,
                                 TimerKind::kHwCheckpoint,
                                 TimerKind::kLogMaintenance,
                                 TimerKind::kLogRetention,
                                 TimerKind::kLogDeletion,
                                 TimerKind::kProducerExpiration,
                                 TimerKind::kLogWork,
                                 TimerKind::kAlterPartition}) {
        ctx.cancel_timer(periodic(kind));
    }
    stop_logs_cleanly(ctx, directories_, partitions_, broker_epoch);
}

void ReplicaManager::produce(sim::Context& ctx,
                             const BrokerView& view,
                             const RequestHandle& from,
                             const protocol::ProduceRequest& request,
                             Answers& out) {
    DataPlane step = plane(ctx, view, out);
    handle_produce(step, from, request);
}

void ReplicaManager::fetch(sim::Context& ctx,
                           const BrokerView& view,
                           const RequestHandle& from,
                           const sim::MessageRef& request,
                           Answers& out) {
    DataPlane step = plane(ctx, view, out);
    handle_fetch(step, from, request);
}

void ReplicaManager::list_offsets(sim::Context& ctx,
                                  const BrokerView& view,
                                  const RequestHandle& from,
                                  const protocol::ListOffsetsRequest& request,
                                  Answers& out) {
    DataPlane step = plane(ctx, view, out);
    handle_list_offsets(step, from, request);
}

void ReplicaManager::offset_for_leader_epoch(sim::Context& ctx,
                                             const BrokerView& view,
                                             const RequestHandle& from,
                                             const protocol::OffsetForLeaderEpochRequest& request,
                                             Answers& out) {
    DataPlane step = plane(ctx, view, out);
    handle_offset_for_leader_epoch(step, from, request);
}

std::optional<StartError> ReplicaManager::apply_image(sim::Context& ctx,
                                                      const BrokerView& view,
                                                      Answers& out) {
    directories_.first_deletion =
        ctx.monotonic() + types::duration_of_ms(options_->config.log_initial_task_delay_ms);
    DataPlane step = plane(ctx, view, out);
    if (const auto error = load_logs(step)) {
        return error;
    }
    apply_delta(ctx, view, metadata::everything_new(view.image), out);
    return std::nullopt;
}

void ReplicaManager::delete_records(sim::Context& ctx,
                                    const BrokerView& view,
                                    const RequestHandle& from,
                                    const protocol::DeleteRecordsRequest& request,
                                    Answers& out) {
    DataPlane step = plane(ctx, view, out);
    handle_delete_records(step, from, request);
}

void ReplicaManager::apply_delta(sim::Context& ctx,
                                 const BrokerView& view,
                                 const metadata::MetadataDelta& delta,
                                 Answers& out) {
    DataPlane step = plane(ctx, view, out);
    apply_metadata(step, {delta, view.in_controlled_shutdown}, fetchers_);
}

bool ReplicaManager::on_connected(sim::Context& ctx,
                                  const BrokerView& view,
                                  const sim::Connected& input) {
    Answers none;
    DataPlane step = plane(ctx, view, none);
    return fetchers_.on_connected(step, input);
}

bool ReplicaManager::on_disconnected(sim::Context& ctx,
                                     const BrokerView& view,
                                     const sim::Disconnected& input) {
    Answers none;
    DataPlane step = plane(ctx, view, none);
    return fetchers_.on_disconnected(step, input);
}

bool ReplicaManager::on_reply(sim::Context& ctx,
                              const BrokerView& view,
                              const sim::Delivered& input,
                              Answers& out) {
    DataPlane step = plane(ctx, view, out);
    return fetchers_.on_reply(step, input);
}

bool ReplicaManager::on_timer(sim::Context& ctx,
                              const BrokerView& view,
                              const sim::TimerFired& input,
                              Answers& out) {
    DataPlane step = plane(ctx, view, out);
    const auto kind = static_cast<TimerKind>(input.key.timer);
    if (kind == TimerKind::kIsrExpiration) {
        check_all_isrs(step);
    } else if (kind == TimerKind::kHwCheckpoint) {
        checkpoint_high_watermarks(ctx, directories_, partitions_);
        arm(ctx, kind, options_->config.replica_high_watermark_checkpoint_interval_ms);
    } else if (kind == TimerKind::kLogMaintenance) {
        maintain_logs(ctx);
    } else if (kind == TimerKind::kLogWork) {
        run_log_work(step);
    } else if (kind == TimerKind::kLogDeletion) {
        delete_due_logs(step);
    } else if (kind == TimerKind::kLogRetention) {
        apply_retention(step);
        fetchers_.log_starts_may_have_risen();
        arm(ctx, kind, options_->config.log_retention_check_interval_ms);
    } else if (kind == TimerKind::kLogCleaner) {
        cleaner_.on_timer(step, static_cast<std::uint32_t>(input.key.a));
        fetchers_.log_starts_may_have_risen();  // it applies the retention of compacted logs
    } else if (kind == TimerKind::kProducerExpiration) {
        forget_idle_producers(ctx);
        arm(ctx, kind, options_->config.producer_id_expiration_check_interval_ms);
    } else if (kind == TimerKind::kAlterPartition) {
        alter_partition_.on_retry_timer();
    } else if (kind == TimerKind::kDelayedOperation) {
        const auto number = static_cast<std::uint64_t>(input.key.a);
        if (!expire_produce(step, number) && !expire_fetch(step, number)) {
            expire_deletion(step, number);
        }
    } else {
        return fetchers_.on_timer(step, input);
    }
    return true;
}

void ReplicaManager::check_all_isrs(DataPlane& step) const {
    for (const PartitionKey& key : partitions_.keys()) {
        check_isr(step, key);
    }
    arm(step.ctx, TimerKind::kIsrExpiration, options_->config.replica_lag_time_max_ms / 2);
}

void ReplicaManager::maintain_logs(sim::Context& ctx) {
    checkpoint_all_positions(ctx, directories_, partitions_);
    arm(ctx, TimerKind::kLogMaintenance, options_->config.log_flush_offset_checkpoint_interval_ms);
}

// UnifiedLog schedules this for each log; here all logs of the broker have it at one time.
void ReplicaManager::forget_idle_producers(sim::Context& ctx) {
    const std::int64_t expiration_ms = options_->config.producer_id_expiration_ms;
    for (const PartitionKey& key : partitions_.keys()) {
        if (partitions_.find(key)->read().log.producers().size() > 0) {
            partitions_.find_for_write(key)->write().log.remove_expired_producers(ctx.now().to_ms(),
                                                                                  expiration_ms);
        }
    }
}

std::optional<protocol::AlterPartitionRequest> ReplicaManager::next_alter_partition_request(
    const BrokerView& view) {
    if (!view.epoch) {
        return std::nullopt;
    }
    return alter_partition_.next_request(view.id, *view.epoch);
}

void ReplicaManager::on_alter_partition_response(sim::Context& ctx,
                                                 const BrokerView& view,
                                                 const protocol::AlterPartitionResponse& response,
                                                 Answers& out) {
    if (response.error != types::ErrorCode::kNone) {
        on_alter_partition_failure(ctx);
        return;
    }
    DataPlane step = plane(ctx, view, out);
    for (const AlterPartitionManager::Answered& answered : alter_partition_.on_response(response)) {
        if (Partition* partition = step.find_for_write(answered.key)) {
            alter_partition_answered(step, *partition, answered.number, answered.result);
        }
    }
}

void ReplicaManager::on_alter_partition_failure(sim::Context& ctx) {
    alter_partition_.on_failure();
    ctx.set_timer(periodic(TimerKind::kAlterPartition),
                  kAlterPartitionRetryBackoff,
                  options_->lanes.background);
}

const Partition* ReplicaManager::find(const PartitionKey& key) const {
    const Cow<Partition>* found = partitions_.find(key);
    return found == nullptr ? nullptr : &found->read();
}

const Partition* ReplicaManager::find_offline(const types::TopicPartition& name) const {
    const Partition* result = nullptr;
    directories_.offline_partitions.for_each(
        [&](const PartitionKey&, const std::optional<Cow<Partition>>& partition) {
            if (partition && (*partition)->name == name) {
                result = &partition->read();
            }
        });
    return result;
}

const Partition* ReplicaManager::find(const types::TopicPartition& name) const {
    const Partition* result = nullptr;
    partitions_.for_each([&](const PartitionKey&, const Cow<Partition>& partition) {
        if (partition->name == name) {
            result = &partition.read();
        }
    });
    return result;
}

}  // namespace klab::replication
