// SPDX-License-Identifier: Apache-2.0
//
// WorldLab: a small cluster with one topic partition t-0 and real clients, for tests of what a
// client does when brokers and links fail.
//
//     WorldLab lab(ClusterBuilder().brokers(3).topic("t", 1, 3, 2).producer("p", "t", plan));
//     lab.start("p");
//     lab.run(seconds(1));
//     lab.crash(lab.leader());
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/kafka_world/cluster_view.h"
#include "model/protocol/app_call.h"
#include "model/types/kafka_events.h"
#include "model/types/record_name.h"
#include "tests/world/cluster_builder_fixture.h"

namespace klab::client {

class WorldLab {
  public:
    explicit WorldLab(tests::ClusterBuilder& builder)
        : world_(builder.start(
              [](world::KafkaWorld& world) {
                  sim::KindSet all;
                  all.add_all();
                  world.kernel().subscribe(all);
              },
              [](world::KafkaWorld&) {})) {
        run({});
        events_.clear();
    }

    // --- running

    void start(const std::string& client) {
        world_.kernel().call(node(client), sim::make_message(protocol::StartClient{}));
    }

    void run(Duration length) {
        world_.run_until(world_.time() + length);
        std::vector<sim::Event> fresh;
        world_.kernel().take_events(fresh);
        events_.insert(events_.end(), fresh.begin(), fresh.end());
    }

    /// Runs until `done` holds, looking every 10 ms. Says whether it came to hold in time.
    [[nodiscard]] bool run_until(const std::function<bool()>& done, Duration limit) {
        const Time end = world_.time() + limit;
        while (!done() && world_.time() < end) {
            run(milliseconds(10));
        }
        return done();
    }

    // --- faults

    void crash(std::int32_t broker) { world_.kernel().crash(broker_node(broker), nullptr, false); }

    void boot(std::int32_t broker) { world_.boot(broker_node(broker)); }

    void cut(sim::NodeId from, sim::NodeId to) { world_.kernel().cut(from, to); }

    void cut_both(sim::NodeId a, sim::NodeId b) {
        cut(a, b);
        cut(b, a);
    }

    void heal() { world_.kernel().heal_all(); }

    // --- what is

    [[nodiscard]] sim::NodeId node(const std::string& name) const {
        return *world_.kernel().find_node(name);
    }

    [[nodiscard]] sim::NodeId broker_node(std::int32_t broker) const {
        return node("b" + std::to_string(broker));
    }

    /// The leader in the committed metadata, 0 for none.
    [[nodiscard]] std::int32_t leader() const {
        const auto leader = world::committed_leader(world_, {"t", 0});
        return leader ? leader->value() : 0;
    }

    [[nodiscard]] std::size_t isr_size() const {
        return world::registration(world_, {"t", 0})->isr.size();
    }

    [[nodiscard]] const Producer& producer(const std::string& name) const {
        return std::get<Producer>(world_.node(node(name)));
    }

    [[nodiscard]] const Consumer& consumer(const std::string& name) const {
        return std::get<Consumer>(world_.node(node(name)));
    }

    [[nodiscard]] std::vector<sim::Event> events(
        sim::EventKind kind, std::optional<sim::NodeId> where = std::nullopt) const {
        std::vector<sim::Event> found;
        std::ranges::copy_if(events_, std::back_inserter(found), [&](const sim::Event& event) {
            return event.kind == kind && (!where || event.node == where);
        });
        return found;
    }

    /// Numbers of the producer's records on the disk of a broker, in log order.
    [[nodiscard]] std::vector<std::int64_t> log(std::int32_t broker) const {
        std::vector<std::int64_t> numbers;
        for (const storage::RecordSight& record :
             world::records_of(world_, {"t", 0}, types::BrokerId(broker))) {
            numbers.push_back(types::parse_record_value(*record.value)->number);
        }
        return numbers;
    }

    /// Numbers of the records that a consumer was given, in order.
    [[nodiscard]] std::vector<std::int64_t> polled(const std::string& consumer) const {
        std::vector<std::int64_t> numbers;
        for (const sim::Event& event : events(types::events::kRecordPolled, node(consumer))) {
            numbers.push_back(event.fields[4]);
        }
        return numbers;
    }

    [[nodiscard]] std::string reset_reason(const sim::Event& event) const {
        return world_.kernel().interner().text_of(event.fields[3]);
    }

    [[nodiscard]] world::KafkaWorld& world() { return world_; }

    [[nodiscard]] const world::KafkaWorld& world() const { return world_; }

  private:
    world::KafkaWorld world_;
    std::vector<sim::Event> events_;
};

/// 0, 1, ..., count - 1.
inline std::vector<std::int64_t> numbers_to(std::int64_t count) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < count; ++i) {
        numbers.push_back(i);
    }
    return numbers;
}

inline types::SendPlan plan_of(std::int64_t count, Duration every) {
    types::SendPlan plan;
    plan.count = count;
    plan.every = every;
    plan.partition = 0;
    return plan;
}

}  // namespace klab::client
