// SPDX-License-Identifier: Apache-2.0
//
// See check_rig.h.
#include "tests/check/check_rig.h"

#include <algorithm>

#include "model/types/kafka_events.h"
#include "sim/trace/kernel_events.h"

namespace klab::check {

namespace events = types::events;
namespace kernel = sim::events;

namespace {

constexpr std::int32_t kController = 3;
constexpr std::int32_t kProducer = 4;
constexpr std::int32_t kConsumer = 5;

template <typename Map, typename T>
T find_or(const Map& map, std::int32_t key, T otherwise) {
    const auto found = map.find(key);
    return found == map.end() ? otherwise : T(found->second);
}

}  // namespace

const std::string& FakeSight::text(std::int64_t number) const { return interner.text_of(number); }

const std::vector<std::int32_t>& FakeSight::list(std::int64_t number) const {
    return interner.list_of(number);
}

std::int64_t FakeSight::find_text(const std::string& text) const {
    return interner.find_text(text);
}

bool FakeSight::is_running(types::BrokerId broker) const {
    return replicas.count(broker.value()) != 0;
}

std::optional<ReplicaSight> FakeSight::replica(const types::TopicPartition&,
                                               types::BrokerId broker) const {
    return find_or(replicas, broker.value(), std::optional<ReplicaSight>());
}

std::optional<RegistrationSight> FakeSight::registration(const types::TopicPartition&) const {
    return committed;
}

std::vector<types::TopicPartition> FakeSight::partitions() const { return {{"t", 0}}; }

std::vector<BatchOnDisk> FakeSight::batches(const types::TopicPartition&,
                                            types::BrokerId broker) const {
    return find_or(disks, broker.value(), std::vector<BatchOnDisk>());
}

std::vector<RecordOnDisk> FakeSight::records(const types::TopicPartition&,
                                             types::BrokerId broker) const {
    return find_or(names, broker.value(), std::vector<RecordOnDisk>());
}

std::optional<types::BrokerEpoch> FakeSight::follower_epoch(const types::TopicPartition&,
                                                            types::BrokerId,
                                                            types::BrokerId follower) const {
    const auto found = follower_epochs.find(follower.value());
    return found == follower_epochs.end() ? std::nullopt
                                          : std::optional(types::BrokerEpoch(found->second));
}

std::optional<types::LeaderEpoch> FakeSight::position_epoch(sim::NodeId,
                                                            const types::TopicPartition&) const {
    return reader_epoch ? std::optional(types::LeaderEpoch(*reader_epoch)) : std::nullopt;
}

std::optional<bool> FakeSight::is_active(types::BrokerId broker) const {
    return find_or(active, broker.value(), std::optional<bool>());
}

types::ModelData CheckRig::make_data() {
    types::ModelData data;
    for (std::int32_t id = 1; id <= 3; ++id) {
        types::BrokerSpec broker;
        broker.node = sim::NodeId(static_cast<std::uint32_t>(id - 1));
        broker.id = types::BrokerId(id);
        broker.name = "b" + std::to_string(id);
        data.cluster.brokers.push_back(broker);
    }
    types::ControllerSpec controller;
    controller.node = sim::NodeId(kController);
    controller.id = types::BrokerId(3001);
    controller.name = "k1";
    data.cluster.controllers.push_back(controller);
    types::ClientSpec producer;
    producer.node = sim::NodeId(kProducer);
    producer.name = "p1";
    producer.topic = "t";
    data.cluster.clients.push_back(producer);
    types::ClientSpec consumer;
    consumer.node = sim::NodeId(kConsumer);
    consumer.name = "c1";
    consumer.kind = types::ClientSpec::Kind::kConsumer;
    consumer.assign = {{"t", 0}};
    data.cluster.clients.push_back(consumer);
    return data;
}

void CheckRig::start(const types::ModelData& data) {
    checker = Checker(data);
    partition_ = sim::pack_name_index(text("t"), 0);
    RegistrationSight registration;
    registration.replicas = {types::BrokerId(1), types::BrokerId(2), types::BrokerId(3)};
    sight.committed = registration;
}

std::int64_t CheckRig::text(const std::string& text) {
    bool added = false;
    return sight.interner.text(text, added);
}

std::int64_t CheckRig::list(const Ids& ids) {
    bool added = false;
    return sight.interner.list(ids, added);
}

void CheckRig::emit(sim::EventKind kind,
                    std::int32_t node,
                    std::initializer_list<std::int64_t> fields) {
    sim::Event event;
    event.id = sim::EventId(next_event_++);
    sight.now = sight.now + milliseconds(1);
    event.time = sight.now;
    if (node >= 0) {
        event.node = sim::NodeId(static_cast<std::uint32_t>(node));
    }
    event.kind = kind;
    event.field_count = static_cast<std::uint8_t>(fields.size());
    std::copy(fields.begin(), fields.end(), event.fields.begin());
    step_.push_back(event);
    if (!in_step_) {
        end_step();
    }
}

void CheckRig::end_step() {
    in_step_ = false;
    checker.observe(sight, step_);
    step_.clear();
}

void CheckRig::boot(std::int32_t broker) {
    ReplicaSight& replica = sight.replicas[broker];
    replica = {};
    replica.effective_min_isr = 2;
    emit(kernel::kNodeBooted, broker - 1, {1});
}

void CheckRig::crash(std::int32_t broker) {
    sight.replicas.erase(broker);
    emit(kernel::kNodeCrashed, broker - 1, {});
}

void CheckRig::power_off(std::int32_t broker) {
    sight.replicas.erase(broker);
    emit(kernel::kNodePoweredOff, broker - 1, {0, 0});
}

void CheckRig::wipe(std::int32_t broker) { emit(kernel::kDiskWiped, broker - 1, {0}); }

void CheckRig::registered(std::int32_t broker, std::int64_t epoch) {
    sight.active[broker] = false;
    emit(events::kBrokerRegistered, kController, {broker, epoch, 0});
}

void CheckRig::unfenced(std::int32_t broker) {
    sight.active[broker] = true;
    emit(events::kBrokerUnfenced, kController, {broker, 0});
}

void CheckRig::fenced(std::int32_t broker) {
    sight.active[broker] = false;
    emit(events::kBrokerFenced, kController, {broker, 0, text("session timeout"), 0});
}

void CheckRig::leaving(std::int32_t broker) {
    sight.active[broker] = false;
    emit(events::kBrokerShuttingDown, kController, {broker, 0});
}

void CheckRig::changed(const Change& change) {
    RegistrationSight& seen = *sight.committed;
    seen.leader = change.leader < 0 ? std::nullopt : std::optional(types::BrokerId(change.leader));
    seen.leader_epoch = types::LeaderEpoch(change.leader_epoch);
    seen.partition_epoch = types::PartitionEpoch(change.partition_epoch);
    seen.is_recovering = change.recovering;
    seen.isr.clear();
    for (const std::int32_t id : change.isr) {
        seen.isr.emplace_back(id);
    }
    const std::int64_t isr = list(change.isr);
    const std::int64_t replicas = list({1, 2, 3});
    emit(events::kPartitionChanged,
         kController,
         {partition_,
          change.leader,
          change.leader_epoch,
          change.partition_epoch,
          isr,
          replicas,
          change.unclean ? 1 : 0,
          static_cast<std::int64_t>(next_event_)});
}

void CheckRig::leads(std::int32_t broker,
                     std::int32_t leader_epoch,
                     std::int32_t partition_epoch,
                     std::int64_t start,
                     const Ids& isr,
                     std::int64_t high_watermark) {
    ReplicaSight& replica = sight.replicas[broker];
    replica.is_leader = true;
    replica.leader_epoch = types::LeaderEpoch(leader_epoch);
    replica.committed_isr.clear();
    for (const std::int32_t id : isr) {
        replica.committed_isr.emplace_back(id);
    }
    replica.maximal_isr = replica.committed_isr;
    replica.end = types::Offset(start);
    replica.high_watermark = types::Offset(high_watermark);
    const std::int64_t isr_list = list(isr);
    emit(events::kLeaderStarted,
         broker - 1,
         {partition_, leader_epoch, partition_epoch, start, isr_list, high_watermark});
}

void CheckRig::follows(std::int32_t broker,
                       std::int32_t leader,
                       std::int32_t leader_epoch,
                       std::int32_t partition_epoch,
                       std::int64_t end,
                       std::int64_t high_watermark) {
    ReplicaSight& replica = sight.replicas[broker];
    replica.is_leader = false;
    replica.leader_epoch = types::LeaderEpoch(leader_epoch);
    replica.end = types::Offset(end);
    replica.high_watermark = types::Offset(high_watermark);
    emit(events::kFollowerStarted,
         broker - 1,
         {partition_, leader, leader_epoch, partition_epoch, end, high_watermark});
}

void CheckRig::appends(std::int32_t broker,
                       std::int64_t base,
                       std::int64_t last,
                       std::int32_t epoch,
                       bool as_leader,
                       std::int64_t crc) {
    const std::int64_t content = crc >= 0 ? crc : base * 100 + epoch;
    sight.disks[broker].push_back({base, last, epoch, static_cast<std::uint32_t>(content)});
    sight.replicas[broker].end = types::Offset(last + 1);
    emit(events::kLogAppended,
         broker - 1,
         {partition_, base, last, epoch, as_leader ? 1 : 0, content, -1, -1});
}

void CheckRig::appends_sequence(std::int32_t broker,
                                std::int64_t base,
                                std::int32_t epoch,
                                std::int64_t producer,
                                std::int32_t sequence) {
    emit(events::kLogAppended,
         broker - 1,
         {partition_, base, base, epoch, 1, base, producer, sequence});
}

void CheckRig::cuts(std::int32_t broker,
                    std::int64_t from,
                    std::int64_t to,
                    std::int64_t high_watermark,
                    const std::string& reason) {
    std::erase_if(sight.disks[broker], [&](const BatchOnDisk& batch) { return batch.last >= to; });
    ReplicaSight& replica = sight.replicas[broker];
    replica.end = types::Offset(to);
    replica.high_watermark = std::min(replica.high_watermark, types::Offset(to));
    const std::int64_t why = text(reason);
    emit(events::kLogTruncated, broker - 1, {partition_, from, to, high_watermark, why});
}

void CheckRig::recovers(std::int32_t broker, std::int64_t end, std::int64_t high_watermark) {
    std::erase_if(sight.disks[broker], [&](const BatchOnDisk& batch) { return batch.last >= end; });
    ReplicaSight& replica = sight.replicas[broker];
    replica.end = types::Offset(end);
    replica.high_watermark = types::Offset(high_watermark);
    emit(events::kLogRecovered, broker - 1, {partition_, end, high_watermark, 0, 0});
}

void CheckRig::raises(std::int32_t broker,
                      std::int64_t from,
                      std::int64_t to,
                      bool as_leader,
                      std::int64_t end,
                      std::int32_t leader_epoch,
                      std::int32_t isr_size) {
    sight.replicas[broker].high_watermark = types::Offset(to);
    emit(events::kHwAdvanced,
         broker - 1,
         {partition_, from, to, as_leader ? 1 : 0, end, leader_epoch, isr_size});
}

void CheckRig::proposes(std::int32_t broker,
                        const Ids& isr,
                        std::int32_t leader_epoch,
                        std::int32_t partition_epoch,
                        bool expand,
                        std::int32_t replica,
                        std::int64_t replica_end,
                        std::int64_t high_watermark,
                        std::int64_t epoch_start) {
    if (expand) {
        sight.replicas[broker].maximal_isr.emplace_back(replica);
    }
    const std::int64_t isr_list = list(isr);
    const std::int64_t change = text(expand ? "expand" : "shrink");
    emit(events::kIsrProposed,
         broker - 1,
         {partition_,
          isr_list,
          leader_epoch,
          partition_epoch,
          change,
          replica,
          replica_end,
          high_watermark,
          epoch_start});
}

void CheckRig::isr_in_force(std::int32_t broker,
                            const Ids& isr,
                            std::int32_t partition_epoch,
                            std::int32_t leader_epoch,
                            bool grew) {
    ReplicaSight& replica = sight.replicas[broker];
    replica.committed_isr.clear();
    for (const std::int32_t id : isr) {
        replica.committed_isr.emplace_back(id);
    }
    replica.maximal_isr = replica.committed_isr;
    const std::int64_t isr_list = list(isr);
    emit(grew ? events::kIsrExpanded : events::kIsrShrunk,
         broker - 1,
         {partition_, isr_list, partition_epoch, leader_epoch});
}

void CheckRig::waits(std::int32_t broker, std::int64_t required) {
    emit(events::kProduceWaiting, broker - 1, {partition_, required});
}

void CheckRig::answers(std::int32_t broker,
                       std::int64_t base,
                       std::int64_t last,
                       std::int32_t acks) {
    emit(events::kProduceCompleted, broker - 1, {partition_, base, last, 0, acks, 3});
}

void CheckRig::sends(std::int64_t record) {
    emit(events::kRecordSent, kProducer, {record, partition_, -1});
}

void CheckRig::acked(std::int64_t record, std::int64_t offset, std::int32_t acks) {
    emit(events::kRecordAcked, kProducer, {record, partition_, offset, acks});
}

void CheckRig::failed(std::int64_t record, types::ErrorCode error) {
    emit(events::kRecordFailed, kProducer, {record, partition_, types::to_wire(error), -1});
}

void CheckRig::retried(std::int64_t record, types::ErrorCode error) {
    emit(events::kBatchRetried, kProducer, {partition_, record, 1, types::to_wire(error)});
}

void CheckRig::polled(std::int64_t offset,
                      std::int64_t record,
                      std::int32_t epoch,
                      std::int64_t high_watermark) {
    emit(events::kRecordPolled,
         kConsumer,
         {partition_, offset, epoch, kProducer, record, high_watermark});
}

void CheckRig::reset(std::int64_t from, std::int64_t offset, const std::string& reason) {
    const std::int64_t why = text(reason);
    emit(events::kPositionReset, kConsumer, {partition_, from, offset, why});
}

void CheckRig::cluster() {
    for (std::int32_t broker = 1; broker <= 3; ++broker) {
        boot(broker);
        registered(broker, broker);
        unfenced(broker);
    }
    changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 0, .isr = {1, 2, 3}});
    leads(1, 0, 0, 0, {1, 2, 3}, 0);
    follows(2, 1, 0, 0, 0, 0);
    follows(3, 1, 0, 0, 0, 0);
}

void CheckRig::write(std::int64_t n) {
    sends(n);
    begin_step();
    appends(1, n, n, 0, true);
    waits(1, n + 1);
    end_step();
    appends(2, n, n, 0, false);
    appends(3, n, n, 0, false);
    begin_step();
    raises(1, n, n + 1, true, n + 1, 0, 3);
    answers(1, n, n);
    end_step();
    raises(2, n, n + 1, false, n + 1, 0, -1);
    raises(3, n, n + 1, false, n + 1, 0, -1);
    acked(n, n);
    for (std::int32_t broker = 1; broker <= 3; ++broker) {
        sight.names[broker].push_back({n, types::RecordName{"p1", n}});
    }
}

std::size_t CheckRig::broken(CheckId check) const {
    const auto& all = checker.violations();
    return static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const Violation& one) { return one.check == check && !one.allowed; }));
}

std::size_t CheckRig::excused(CheckId check) const {
    const auto& all = checker.violations();
    return static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const Violation& one) { return one.check == check && one.allowed; }));
}

std::string CheckRig::unexcused() const {
    std::string all;
    for (const Violation& violation : checker.violations()) {
        if (!violation.allowed) {
            all += to_text(violation);
        }
    }
    return all;
}

}  // namespace klab::check
