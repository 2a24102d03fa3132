// SPDX-License-Identifier: Apache-2.0
//
// WatchedWorld: a small cluster with everything that happened in it, for tests of whole clusters.
//
//     WatchedWorld cluster(ClusterBuilder().brokers(3).topic("t", 1, 3));
//     cluster.crash("b1");
//     EXPECT_TRUE(cluster.run_until([&] { return cluster.leader("t") == 2; }, seconds(20)));
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/types/kafka_events.h"
#include "tests/world/cluster_builder_fixture.h"

namespace klab::tests {

class WatchedWorld {
  public:
    /// Starts the cluster; all events from its first boot on are kept.
    explicit WatchedWorld(ClusterBuilder builder)
        : world_(builder.start(
              [](world::KafkaWorld& made) {
                  sim::KindSet all;
                  all.add_all();
                  made.kernel().subscribe(all);
              },
              [](world::KafkaWorld&) {})) {
        collect();
    }

    void run(Duration length) {
        world_.run_until(world_.time() + length);
        collect();
    }

    /// Runs until `done`, looking every 5 ms. False when `limit` was not enough.
    bool run_until(const std::function<bool()>& done, Duration limit) {
        const Time end = world_.time() + limit;
        while (!done()) {
            if (world_.time() >= end) {
                return false;
            }
            run(milliseconds(5));
        }
        return true;
    }

    /// Serves that many entries of the queue.
    void turns(int count) {
        for (int i = 0; i < count && world_.step(); ++i) {
        }
        collect();
    }

    void crash(const std::string& name) { world_.kernel().crash(id_of(name), nullptr, false); }

    void power_off(const std::string& name) { world_.kernel().power_off(id_of(name), {}, nullptr); }

    void boot(const std::string& name) { world_.boot(id_of(name)); }

    /// Asks for an orderly stop.
    void stop(const std::string& name) {
        world_.kernel().call(id_of(name), sim::make_message(protocol::StopNode{}));
    }

    /// Asks for an orderly stop and waits until the process is gone.
    bool stop_and_wait(const std::string& name) {
        stop(name);
        return run_until([&] { return !runs(name); }, seconds(60));
    }

    [[nodiscard]] bool runs(const std::string& name) const {
        return world_.kernel().slot(id_of(name)).process_alive();
    }

    [[nodiscard]] const broker::Broker& broker(std::int32_t id) const {
        return world::broker_state(world_, types::BrokerId(id));
    }

    /// The committed leader of a partition, 0 without one.
    [[nodiscard]] std::int32_t leader(const std::string& topic, std::int32_t index = 0) const {
        const auto found = world::committed_leader(world_, {topic, index});
        return found ? found->value() : 0;
    }

    /// Committed ISR, ascending.
    [[nodiscard]] std::vector<std::int32_t> isr(const std::string& topic,
                                                std::int32_t index = 0) const {
        std::vector<std::int32_t> ids;
        if (const auto* partition = world::registration(world_, {topic, index})) {
            for (const types::BrokerId id : partition->isr) {
                ids.push_back(id.value());
            }
        }
        std::sort(ids.begin(), ids.end());
        return ids;
    }

    [[nodiscard]] bool whole() const { return world::fully_replicated(world_); }

    bool run_until_whole(Duration limit = seconds(60)) {
        return run_until([&] { return whole(); }, limit);
    }

    /// Events of a kind on a node (or anywhere), in order.
    [[nodiscard]] std::vector<sim::Event> events(sim::EventKind kind,
                                                 const std::string& node = "") const {
        std::vector<sim::Event> found;
        for (const sim::Event& event : events_) {
            if (event.kind == kind && (node.empty() || event.node == id_of(node))) {
                found.push_back(event);
            }
        }
        return found;
    }

    [[nodiscard]] std::size_t count(sim::EventKind kind, const std::string& node = "") const {
        return events(kind, node).size();
    }

    [[nodiscard]] std::string text(std::int64_t number) const {
        return world_.kernel().interner().text_of(number);
    }

    /// Forgets the events so far.
    void forget() { events_.clear(); }

    [[nodiscard]] sim::NodeId id_of(const std::string& name) const {
        return *world_.kernel().find_node(name);
    }

    [[nodiscard]] world::KafkaWorld& world() { return world_; }

    [[nodiscard]] const world::KafkaWorld& world() const { return world_; }

  private:
    void collect() {
        std::vector<sim::Event> fresh;
        world_.kernel().take_events(fresh);
        events_.insert(events_.end(), fresh.begin(), fresh.end());
    }

    world::KafkaWorld world_;
    std::vector<sim::Event> events_;
};

/// A producer's plan: `count` records, one `every`.
inline types::SendPlan plan_of(std::int64_t count, Duration every) {
    types::SendPlan plan;
    plan.count = count;
    plan.every = every;
    return plan;
}

/// Three brokers, topic t of three partitions, a producer with acks=all that goes on for long.
inline WatchedWorld busy_cluster(Duration every) {
    WatchedWorld cluster(
        ClusterBuilder()
            .brokers(3)
            .topic("t", 3, 3, 2)
            .producer("p1", "t", plan_of(100'000, every), {{"acks", "all"}, {"linger.ms", "0"}}));
    start_clients(cluster.world());
    cluster.run(seconds(1));
    return cluster;
}

}  // namespace klab::tests
