// SPDX-License-Identifier: Apache-2.0
//
// See metadata_apply.h.
#include "model/replication/metadata_apply.h"

#include <utility>
#include <vector>

#include "model/replication/become_follower.h"
#include "model/replication/become_leader.h"
#include "model/replication/log_events.h"
#include "model/replication/partition_routes.h"
#include "model/replication/topic_settings.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"

namespace klab::replication {

using metadata::MetadataDelta;
using metadata::PartitionRegistration;

namespace {

struct Local {
    PartitionKey key;
    const PartitionRegistration* registration = nullptr;
};

struct LocalChanges {
    std::vector<PartitionKey> deletes;
    std::vector<Local> leaders;
    std::vector<Local> followers;
};

LocalChanges local_changes(const DataPlane& plane, const MetadataDelta& delta) {
    LocalChanges changes;
    for (const auto& [key, changed] : delta.partitions) {
        const PartitionRegistration* after = changed.after ? &changed.after->read() : nullptr;
        if (after == nullptr || !metadata::contains(after->replicas, plane.around.self)) {
            if (plane.hosted.contains(key)) {
                changes.deletes.push_back(key);
            }
            continue;
        }
        if (changed.before && changed.before->read().partition_epoch == after->partition_epoch) {
            continue;
        }
        auto& group = after->leader == plane.around.self ? changes.leaders : changes.followers;
        group.push_back({key, after});
    }
    return changes;
}

void stop_hosting(DataPlane& plane, FetcherManager& fetchers, const PartitionKey& key) {
    fetchers.remove(key);
    Partition partition = *plane.find(key);
    plane.hosted.erase(key);
    plane.cleaner.forget(plane, partition);
    partition.role = Role::kNone;
    const sim::EventId stopped =
        plane.ctx.emit(types::events::kReplicaStopped, {partition.trace_name});
    try_complete_parked(plane, partition, stopped);
    // A failure has taken the log directory offline; whoever runs the step learns it from there.
    static_cast<void>(partition.log.destroy(plane.ctx));
}

/// The partition, made when it is new here; nullptr when the disk refuses its log.
Partition* host(DataPlane& plane, LoadedLogs& loaded, const PartitionKey& key) {
    if (Partition* partition = plane.find_for_write(key)) {
        return partition;
    }
    const metadata::TopicImage* topic = plane.around.image.topic(key.topic_id);
    KLAB_ASSERT(topic != nullptr, "a partition of a topic that is not in the image");
    const types::TopicConfig config = topic_config_of(plane, topic->name);
    Partition partition;
    partition.name = {topic->name, key.partition};
    partition.key = key;
    partition.trace_name = trace_name_of(plane.ctx, partition.name);
    partition.min_insync_replicas = config.min_insync_replicas;
    auto log = claim_log(plane.ctx,
                         plane.options,
                         partition.name,
                         key.topic_id,
                         log_config_of(config, plane.options.config, plane.around.rules),
                         loaded);
    if (!log) {
        return nullptr;  // ReplicaManager.applyLocalLeadersDelta: an offline partition
    }
    partition.log = std::move(*log);
    plane.hosted.insert_or_assign(key, Cow<Partition>(std::move(partition)));
    return plane.find_for_write(key);
}

bool is_registered(const DataPlane& plane, std::optional<types::BrokerId> leader) {
    return leader && plane.around.image.broker(*leader) != nullptr;
}

void restart_fetcher(DataPlane& plane, FetcherManager& fetchers, Partition& partition) {
    fetchers.remove(partition.key);
    if (is_registered(plane, partition.leader)) {
        if (const auto start = start_fetching(plane, partition)) {
            fetchers.add(plane, partition, *start);
        }
    }
    // Whoever waits here waits at a broker that no longer leads, or under an old epoch.
    try_complete_parked(plane, partition, plane.ctx.cause());
}

void apply_follower(DataPlane& plane,
                    const MetadataChange& change,
                    FetcherManager& fetchers,
                    LoadedLogs& loaded,
                    const Local& local) {
    Partition* const hosted = host(plane, loaded, local.key);
    if (hosted == nullptr) {
        return;
    }
    Partition& partition = *hosted;
    const FollowerStart start = become_follower(plane, partition, *local.registration);
    const bool in_isr = metadata::contains(local.registration->isr, plane.around.self);
    if (change.in_controlled_shutdown && (!local.registration->leader || !in_isr)) {
        fetchers.remove(local.key);
        try_complete_parked(plane, partition, plane.ctx.cause());
        return;
    }
    switch (start) {
        case FollowerStart::kIgnored:
        case FollowerStart::kGoOn:
            return;
        case FollowerStart::kNewEpoch:
            if (fetchers.fetcher_of(local.key) != nullptr) {
                fetchers.set_leader_epoch(local.key, *partition.leader_epoch);
            } else {
                restart_fetcher(plane, fetchers, partition);
            }
            return;
        case FollowerStart::kRestart:
            restart_fetcher(plane, fetchers, partition);
            return;
    }
}

void apply_settings_of(DataPlane& plane, const metadata::TopicImage& topic) {
    const types::TopicConfig config = topic_config_of(plane, topic.name);
    for (const std::int32_t index : topic.partitions.keys()) {
        if (Partition* partition = plane.find_for_write({topic.id, index})) {
            partition->min_insync_replicas = config.min_insync_replicas;
            const bool was_compacted = partition->log.config().is_compacted;
            partition->log.set_config(
                log_config_of(config, plane.options.config, plane.around.rules));
            if (was_compacted && !partition->log.config().is_compacted) {
                plane.cleaner.give_up(plane, *partition, "cleanup.policy has changed");
            }
        }
    }
}

/// Changed settings of topics, or of the cluster-wide default, reach the partitions hosted here.
void apply_topic_settings(DataPlane& plane, const MetadataDelta& delta) {
    const metadata::MetadataImage& image = plane.around.image;
    if (delta.configs.contains({metadata::ConfigResourceKind::kBroker, ""})) {
        image.topics.for_each([&](const types::Uuid&, const Cow<metadata::TopicImage>& topic) {
            apply_settings_of(plane, topic.read());
        });
        return;
    }
    for (const auto& [resource, settings] : delta.configs) {
        const bool is_topic = resource.kind == metadata::ConfigResourceKind::kTopic;
        const metadata::TopicImage* topic = is_topic ? image.topic(resource.name) : nullptr;
        if (topic != nullptr) {
            apply_settings_of(plane, *topic);
        }
    }
}

}  // namespace

void apply_metadata(DataPlane& plane,
                    const MetadataChange& change,
                    FetcherManager& fetchers,
                    LoadedLogs& loaded) {
    const LocalChanges changes = local_changes(plane, change.delta);
    for (const PartitionKey& key : changes.deletes) {
        stop_hosting(plane, fetchers, key);
    }
    for (const Local& local : changes.leaders) {
        fetchers.remove(local.key);
    }
    for (const Local& local : changes.leaders) {
        if (Partition* const partition = host(plane, loaded, local.key)) {
            become_leader(plane, *partition, *local.registration);
        }
    }
    for (const Local& local : changes.followers) {
        apply_follower(plane, change, fetchers, loaded, local);
    }
    fetchers.stop_idle(plane.ctx);
    // Kafka applies settings after topics: a new min.insync.replicas does not move a HW by itself.
    apply_topic_settings(plane, change.delta);
}

}  // namespace klab::replication
