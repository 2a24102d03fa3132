// SPDX-License-Identifier: Apache-2.0
//
// See fetcher_manager.h.
#include "model/replication/fetcher_manager.h"

#include <vector>

#include "model/types/model_data.h"
#include "model/types/timer_kinds.h"
#include "sim/base/assert.h"

namespace klab::replication {

namespace {

/// java.lang.String.hashCode, for topic names (ASCII).
std::uint32_t java_hash(std::string_view text) {
    std::uint32_t hash = 0;
    for (const char c : text) {
        hash = hash * 31 + static_cast<std::uint8_t>(c);
    }
    return hash;
}

/// Each fetcher is a thread of its own: lanes by the leader's position in the cluster.
sim::Lane lane_of(const DataPlane& plane, const FetcherId& id) {
    const auto& brokers = types::cluster(plane.ctx).brokers;
    std::uint32_t position = 0;
    while (position < brokers.size() && brokers[position].id != id.leader) {
        ++position;
    }
    const auto fetchers = static_cast<std::uint32_t>(plane.options.config.num_replica_fetchers);
    const std::uint32_t place = position * fetchers + static_cast<std::uint32_t>(id.number);
    const std::uint32_t first = plane.options.lanes.fetcher_first.value();
    return sim::Lane(static_cast<std::uint16_t>(first + place));
}

}  // namespace

std::int32_t fetcher_number(std::string_view topic, std::int32_t partition, std::int32_t fetchers) {
    const std::uint32_t mixed = java_hash(topic) * 31 + static_cast<std::uint32_t>(partition);
    const auto value = static_cast<std::int64_t>(static_cast<std::int32_t>(mixed));
    constexpr std::int64_t kMostNegative = -2'147'483'648;
    const std::int64_t magnitude = value == kMostNegative ? 0 : (value < 0 ? -value : value);
    return static_cast<std::int32_t>(magnitude % fetchers);
}

void FetcherManager::add(DataPlane& plane,
                         const Partition& partition,
                         const FollowerFetchState& state) {
    KLAB_ASSERT(partition.leader, "{} has no leader to fetch from", partition.name.text());
    const FetcherId id{*partition.leader,
                       fetcher_number(partition.name.topic,
                                      partition.name.partition,
                                      plane.options.config.num_replica_fetchers)};
    if (!fetchers_.contains(id)) {
        fetchers_.insert_or_assign(id,
                                   Cow<FollowerFetcher>(FollowerFetcher(id, lane_of(plane, id))));
    }
    assigned_.insert_or_assign(partition.key, id);
    fetchers_.find_for_write(id)->write().add(plane.ctx, partition.key, state);
}

bool FetcherManager::remove(const PartitionKey& key) {
    const FetcherId* id = assigned_.find(key);
    if (id == nullptr) {
        return false;
    }
    bool removed = false;
    if (Cow<FollowerFetcher>* fetcher = fetchers_.find_for_write(*id)) {
        removed = fetcher->write().remove(key);
    }
    assigned_.erase(key);
    return removed;
}

void FetcherManager::set_leader_epoch(const PartitionKey& key, types::LeaderEpoch epoch) {
    if (const FetcherId* id = assigned_.find(key)) {
        if (Cow<FollowerFetcher>* fetcher = fetchers_.find_for_write(*id)) {
            fetcher->write().set_leader_epoch(key, epoch);
        }
    }
}

void FetcherManager::stop_idle(sim::Context& ctx) {
    for (const FetcherId& id : fetchers_.keys()) {
        Cow<FollowerFetcher>* fetcher = fetchers_.find_for_write(id);
        if (fetcher->read().partitions().empty()) {
            fetcher->write().stop(ctx);
            fetchers_.erase(id);
        }
    }
}

void FetcherManager::log_starts_may_have_risen() {
    for (const FetcherId& id : fetchers_.keys()) {
        fetchers_.find_for_write(id)->write().forget_built_fetch();
    }
}

void FetcherManager::stop_all(sim::Context& ctx) {
    for (const FetcherId& id : fetchers_.keys()) {
        fetchers_.find_for_write(id)->write().stop(ctx);
    }
    fetchers_.clear();
    assigned_.clear();
}

FollowerFetcher* FetcherManager::find_owner(sim::ConnectionId connection) {
    std::optional<FetcherId> owner;
    fetchers_.for_each([&](const FetcherId& id, const Cow<FollowerFetcher>& fetcher) {
        if (fetcher->owns(connection)) {
            owner = id;
        }
    });
    return owner ? &fetchers_.find_for_write(*owner)->write() : nullptr;
}

bool FetcherManager::on_connected(DataPlane& plane, const sim::Connected& input) {
    FollowerFetcher* fetcher = find_owner(input.connection);
    if (fetcher == nullptr) {
        return false;
    }
    fetcher->on_connected(plane);
    return true;
}

bool FetcherManager::on_disconnected(DataPlane& plane, const sim::Disconnected& input) {
    FollowerFetcher* fetcher = find_owner(input.connection);
    if (fetcher == nullptr) {
        return false;
    }
    fetcher->on_disconnected(plane);
    return true;
}

bool FetcherManager::on_reply(DataPlane& plane, const sim::Delivered& input) {
    FollowerFetcher* fetcher = find_owner(input.connection);
    if (fetcher == nullptr) {
        return false;
    }
    fetcher->on_reply(plane, input);
    return true;
}

bool FetcherManager::on_timer(DataPlane& plane, const sim::TimerFired& input) {
    const auto kind = static_cast<types::TimerKind>(input.key.timer);
    const bool work = kind == types::TimerKind::kFetcherWork;
    if (!work && kind != types::TimerKind::kFetcherRequest) {
        return false;
    }
    const FetcherId id{types::BrokerId(static_cast<std::int32_t>(input.key.a)),
                       static_cast<std::int32_t>(input.key.b)};
    Cow<FollowerFetcher>* fetcher = fetchers_.find_for_write(id);
    if (fetcher == nullptr) {
        return true;  // stopped in the meantime
    }
    if (work) {
        fetcher->write().do_work(plane);
    } else {
        fetcher->write().on_request_timeout(plane);
    }
    return true;
}

const FollowerFetcher* FetcherManager::fetcher_of(const PartitionKey& key) const {
    const FetcherId* id = assigned_.find(key);
    if (id == nullptr) {
        return nullptr;
    }
    const Cow<FollowerFetcher>* fetcher = fetchers_.find(*id);
    return fetcher != nullptr && fetcher->read().partitions().contains(key) ? &fetcher->read()
                                                                            : nullptr;
}

}  // namespace klab::replication
