// SPDX-License-Identifier: Apache-2.0
//
// See metadata_apply.h.
#include "model/replication/metadata_apply.h"

#include <set>
#include <utility>
#include <vector>

#include "model/replication/become_follower.h"
#include "model/replication/become_leader.h"
#include "model/replication/log_checkpoints.h"
#include "model/replication/log_deletion.h"
#include "model/replication/log_events.h"
#include "model/replication/log_loading.h"
#include "model/replication/partition_routes.h"
#include "model/replication/topic_settings.h"
#include "model/storage/checkpoint_store.h"
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
    std::vector<Local> placed;  ///< the metadata name another directory than before
    std::vector<PartitionKey> deletes;
    std::vector<Local> leaders;
    std::vector<Local> followers;
};

LocalChanges local_changes(DataPlane& plane, const MetadataDelta& delta) {
    LocalChanges changes;
    for (const auto& [key, changed] : delta.partitions) {
        const PartitionRegistration* after = changed.after ? &changed.after->read() : nullptr;
        if (after == nullptr || !metadata::contains(after->replicas, plane.around.self)) {
            if (plane.hosted.contains(key)) {
                changes.deletes.push_back(key);
            }
            plane.directories.offline_partitions.erase(key);
            continue;
        }
        if (changed.before && changed.before->read().partition_epoch == after->partition_epoch) {
            continue;
        }
        if (!changed.before || changed.before->read().directory_of(plane.around.self) !=
                                   after->directory_of(plane.around.self)) {
            changes.placed.push_back({key, after});
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
    delete_log_later(plane, partition.log);
}

/// LogManager.asyncDelete: the checkpoints of every directory that a log went from, once.
void checkpoint_after_deletes(DataPlane& plane, const std::set<std::string>& directories) {
    for (const std::string& directory : directories) {
        // A failure has taken the log directory offline; whoever runs the step learns it from
        // there.
        static_cast<void>(
            checkpoint_log_positions(plane.ctx, plane.directories, plane.hosted, directory));
    }
}

/// The partition, made when it is new here; nullptr when its log is or goes offline.
Partition* host(DataPlane& plane, const Local& local) {
    const PartitionKey& key = local.key;
    if (Partition* partition = plane.find_for_write(key)) {
        return partition;
    }
    if (plane.directories.offline_partitions.contains(key)) {
        return nullptr;
    }
    const metadata::TopicImage* topic = plane.around.image.topic(key.topic_id);
    KLAB_ASSERT(topic != nullptr, "a partition of a topic that is not in the image");
    const types::TopicConfig config = topic_config_of(plane, topic->name);
    Partition partition;
    partition.name = {topic->name, key.partition};
    partition.key = key;
    partition.trace_name = trace_name_of(plane.ctx, partition.name);
    partition.min_insync_replicas = config.min_insync_replicas;
    const LogClaim claim{
        partition.name, key.topic_id, local.registration->directory_of(plane.around.self)};
    auto log =
        claim_log(plane, claim, log_config_of(config, plane.options.config, plane.around.rules));
    if (!log) {
        // ReplicaManager.applyLocalLeadersDelta, markPartitionOffline.
        plane.directories.offline_partitions.insert_or_assign(key, std::nullopt);
        return nullptr;
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
                    const Local& local) {
    Partition* const hosted = host(plane, local);
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

/// ReplicaManager.maybeUpdateTopicAssignment.
void note_misplaced(DataPlane& plane, const std::vector<Local>& placed) {
    if (!plane.around.image.knows_directories() || !plane.around.rules.log_dirs_reported) {
        return;
    }
    for (const Local& local : placed) {
        const Partition* const partition = plane.find(local.key);
        if (partition == nullptr) {
            continue;
        }
        const LogDirectory& actual = plane.directories.of(partition->log);
        if (actual.id && *actual.id != local.registration->directory_of(plane.around.self)) {
            plane.directories.misplaced.push_back(
                {*actual.id, local.key.topic_id, local.key.partition});
        }
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

void apply_metadata(DataPlane& plane, const MetadataChange& change, FetcherManager& fetchers) {
    const LocalChanges changes = local_changes(plane, change.delta);
    std::set<std::string> directories;
    for (const PartitionKey& key : changes.deletes) {
        directories.emplace(storage::parent_directory(plane.find(key)->log.directory()));
        stop_hosting(plane, fetchers, key);
    }
    checkpoint_after_deletes(plane, directories);
    for (const Local& local : changes.leaders) {
        fetchers.remove(local.key);
    }
    for (const Local& local : changes.leaders) {
        if (Partition* const partition = host(plane, local)) {
            become_leader(plane, *partition, *local.registration);
        }
    }
    for (const Local& local : changes.followers) {
        apply_follower(plane, change, fetchers, local);
    }
    fetchers.stop_idle(plane.ctx);
    note_misplaced(plane, changes.placed);
    // Kafka applies settings after topics: a new min.insync.replicas does not move a HW by itself.
    apply_topic_settings(plane, change.delta);
}

}  // namespace klab::replication
