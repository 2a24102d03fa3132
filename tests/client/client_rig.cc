// SPDX-License-Identifier: Apache-2.0
//
// See client_rig.h.
#include "tests/client/client_rig.h"

#include <algorithm>
#include <utility>

#include "model/protocol/app_call.h"
#include "model/protocol/init_producer_id.h"
#include "model/storage/record.h"
#include "model/storage/record_batch_builder.h"
#include "model/types/murmur2.h"
#include "model/types/record_name.h"
#include "sim/base/overloaded.h"

namespace klab::client {

namespace {

namespace events = types::events;

types::ModelData make_data(types::ClientSpec client,
                           std::int32_t brokers,
                           const types::Rules& rules) {
    types::ModelData data;
    data.rules = rules;
    for (std::int32_t id = 1; id <= brokers; ++id) {
        types::BrokerSpec spec;
        spec.node = ClientRig::node_id(id);
        spec.id = types::BrokerId(id);
        spec.name = "b" + std::to_string(id);
        data.cluster.brokers.push_back(spec);
    }
    client.node = sim::NodeId(static_cast<std::uint32_t>(brokers));
    data.cluster.clients.push_back(std::move(client));
    return data;
}

sim::KernelSpec make_spec(std::int32_t brokers) {
    sim::KernelSpec spec;
    spec.seed = 1;
    spec.events = std::make_shared<const sim::EventTable>(events::make_event_table());
    for (std::int32_t id = 1; id <= brokers; ++id) {
        spec.nodes.push_back({"b" + std::to_string(id), 1, {}});
    }
    spec.nodes.push_back({"c", 1, {}});
    return spec;
}

void on_request(RigBroker& broker, sim::Context& ctx, const sim::Delivered& in) {
    if (in.message.is<protocol::MetadataRequest>()) {
        broker.metadata_asked.push_back(ctx.monotonic());
        if (broker.answers_metadata) {
            ctx.send(in.connection, sim::make_message(broker.metadata), in.correlation);
            return;
        }
    }
    if (in.message.is<protocol::InitProducerIdRequest>() && broker.answers_producer_id) {
        protocol::InitProducerIdResponse response;
        response.producer_id = types::ProducerId(broker.producer_id);
        ctx.send(in.connection, sim::make_message(response), in.correlation);
        return;
    }
    broker.held.push_back({in.connection, in.correlation, in.message});
}

void step_broker(RigBroker& broker, const sim::Input& input, sim::Context& ctx) {
    std::visit(overloaded{
                   [](const sim::Booted&) {},
                   [&](const sim::Connected& in) { broker.connections.push_back(in.connection); },
                   [&](const sim::Delivered& in) { on_request(broker, ctx, in); },
                   [&](const sim::Disconnected& in) {
                       std::erase(broker.connections, in.connection);
                       std::erase_if(broker.held, [&](const HeldRequest& request) {
                           return request.connection == in.connection;
                       });
                   },
                   [](const sim::TimerFired&) {},
                   [](const sim::Resumed&) {},
                   [](const sim::AppCall&) {},
               },
               input.body);
}

/// "p0 r0-2 e0 s5" of one batch of a produce request.
std::string text_of(const protocol::ProducePartition& part) {
    const storage::RecordBatchView batch{ByteView(*part.records)};
    storage::RecordIterator records(batch);
    std::optional<std::int64_t> first;
    std::int64_t last = 0;
    while (const auto record = records.next()) {
        const std::string_view value(reinterpret_cast<const char*>(record->value->data()),
                                     record->value->size());
        last = types::parse_record_value(value)->number;
        first = first.value_or(last);
    }
    std::string text = fmt::format("p{} r{}", part.partition.partition, *first);
    if (last != *first) {
        text += fmt::format("-{}", last);
    }
    if (const auto epoch = batch.producer_epoch(); epoch && batch.producer_id()) {
        text += fmt::format(" e{} s{}", epoch->value(), *batch.base_sequence());
    }
    return text;
}

}  // namespace

RigNode RigModel::make_node(const Data& data, sim::NodeId id) {
    RigNode node;
    const types::ClientSpec& client = data.cluster.clients.front();
    if (id != client.node) {
        node.broker.emplace();
    } else if (client.kind == types::ClientSpec::Kind::kProducer) {
        node.producer.emplace(data, client);
    } else {
        node.consumer.emplace(data, client);
    }
    return node;
}

void RigModel::step(RigNode& node, const sim::Input& input, sim::Context& ctx) {
    if (tests::take_call(input, node, ctx)) {
        return;
    }
    if (node.broker) {
        step_broker(*node.broker, input, ctx);
    } else if (node.producer) {
        node.producer->step(input, ctx);
    } else {
        node.consumer->step(input, ctx);
    }
}

ClientRig::ClientRig(const types::ClientSpec& client,
                     std::int32_t brokers,
                     std::int32_t partitions,
                     const types::Rules& rules)
    : brokers_(brokers),
      client_(static_cast<std::uint32_t>(brokers)),
      world_(make_spec(brokers),
             std::make_shared<const types::ModelData>(make_data(client, brokers, rules))) {
    sim::KindSet all;
    all.add_all();
    world_.kernel().subscribe(all);
    world_.kernel().choices().set_calm(true);
    std::vector<RigLeader> leaders;
    for (std::int32_t p = 0; p < partitions; ++p) {
        leaders.push_back({p % brokers + 1, 0});
    }
    for (std::int32_t id = 1; id <= brokers; ++id) {
        metadata_.brokers.emplace_back(id);
        world_.boot(node_id(id));
    }
    run(milliseconds(1));
    set_leaders(leaders);
}

void ClientRig::set_leaders(const std::vector<RigLeader>& leaders) {
    protocol::MetadataTopic topic;
    topic.name = "t";
    topic.topic_id = kRigTopic;
    for (std::size_t p = 0; p < leaders.size(); ++p) {
        protocol::MetadataPartition partition;
        partition.partition = static_cast<std::int32_t>(p);
        partition.leader_epoch = types::LeaderEpoch(leaders[p].epoch);
        if (leaders[p].broker) {
            partition.leader = types::BrokerId(*leaders[p].broker);
        } else {
            partition.error = types::ErrorCode::kLeaderNotAvailable;
        }
        topic.partitions.push_back(partition);
    }
    metadata_.topics = {topic};
    on_brokers([&](RigBroker& broker) { broker.metadata = metadata_; });
}

void ClientRig::forget_topic() {
    protocol::MetadataTopic topic;
    topic.name = "t";
    topic.error = types::ErrorCode::kUnknownTopicOrPartition;
    metadata_.topics = {topic};
    on_brokers([&](RigBroker& broker) { broker.metadata = metadata_; });
}

void ClientRig::hold_metadata(bool hold) {
    on_brokers([&](RigBroker& broker) { broker.answers_metadata = !hold; });
}

void ClientRig::hold_producer_id(bool hold) {
    on_brokers([&](RigBroker& broker) { broker.answers_producer_id = !hold; });
}

void ClientRig::on_brokers(const std::function<void(RigBroker&)>& change) {
    for (std::int32_t id = 1; id <= brokers_; ++id) {
        if (world_.kernel().slot(node_id(id)).status == sim::NodeStatus::kRunning) {
            run_on(node_id(id), [&](RigNode& node, sim::Context&) { change(*node.broker); });
        }
    }
}

void ClientRig::restart(std::int32_t broker) {
    crash(broker);
    world_.boot(node_id(broker));
    run(milliseconds(1));
    on_brokers([&](RigBroker& node) { node.metadata = metadata_; });
}

void ClientRig::crash(std::int32_t broker) {
    world_.kernel().crash(node_id(broker), nullptr, false);
}

void ClientRig::power_off(std::int32_t broker) {
    world_.kernel().power_off(node_id(broker), {}, nullptr);
}

void ClientRig::start() {
    world_.boot(client_);
    world_.kernel().call(client_, sim::make_message(protocol::StartClient{}));
}

void ClientRig::stop_client() {
    world_.kernel().call(client_, sim::make_message(protocol::StopNode{}));
}

void ClientRig::run(Duration length) {
    world_.run_until(world_.time() + length);
    collect();
}

void ClientRig::run_on(sim::NodeId node, RigAction action) {
    tests::run_on(world_, node, std::move(action));
    collect();
}

void ClientRig::with_context(const std::function<void(sim::Context&)>& action) {
    if (world_.kernel().slot(client_).status != sim::NodeStatus::kRunning) {
        world_.boot(client_);
    }
    run_on(client_, [&](RigNode&, sim::Context& ctx) { action(ctx); });
}

void ClientRig::set_draws(sim::ChoiceSite site, const std::vector<std::uint32_t>& picks) {
    std::vector<sim::ChoiceRecord> overrides;
    for (std::size_t i = 0; i < picks.size(); ++i) {
        sim::ChoiceRecord record;
        record.key.site = site.number;
        record.key.node = static_cast<std::int64_t>(client_.value());
        record.key.occurrence = i;
        record.pick = picks[i];
        overrides.push_back(record);
    }
    world_.kernel().choices().set_overrides(std::move(overrides));
}

void ClientRig::collect() {
    std::vector<sim::Event> fresh;
    world_.kernel().take_events(fresh);
    events_.insert(events_.end(), fresh.begin(), fresh.end());
}

std::string ClientRig::on_wire(std::int32_t broker) const {
    std::string text;
    for (const HeldRequest& request : broker_state(broker).held) {
        if (!request.message.is<protocol::ProduceRequest>()) {
            continue;
        }
        text += text.empty() ? "" : ", ";
        bool first = true;
        for (const auto& part : request.message.as<protocol::ProduceRequest>().partitions) {
            text += first ? "" : " + ";
            text += text_of(part);
            first = false;
        }
    }
    return text;
}

void ClientRig::reply_to(std::int32_t broker, HeldRequest request, sim::MessageRef response) {
    run_on(node_id(broker), [&](RigNode& node, sim::Context& ctx) {
        ctx.send(request.connection, response, request.correlation);
        std::erase(node.broker->held, request);
    });
    run(milliseconds(2));
}

void ClientRig::answer(std::int32_t broker, const ProduceAnswer& in) {
    std::map<std::int32_t, ProduceAnswer> answers;
    for (const auto& part : oldest<protocol::ProduceRequest>(broker).partitions) {
        answers[part.partition.partition] = in;
    }
    answer_each(broker, answers);
}

void ClientRig::answer_each(std::int32_t broker,
                            const std::map<std::int32_t, ProduceAnswer>& answers) {
    protocol::ProduceResponse response;
    for (const auto& [partition, in] : answers) {
        protocol::ProducePartitionResult result;
        result.partition = {"t", partition};
        result.error = in.error;
        if (in.base_offset) {
            result.base_offset = types::Offset(*in.base_offset);
        }
        if (in.log_start_offset) {
            result.log_start_offset = types::Offset(*in.log_start_offset);
        }
        if (in.hint) {
            result.current_leader = types::BrokerId(*in.hint->broker);
            result.current_leader_epoch = types::LeaderEpoch(in.hint->epoch);
        }
        response.partitions.push_back(result);
    }
    reply<protocol::ProduceRequest>(broker, sim::make_message(response));
}

void ClientRig::answer_fetch(std::int32_t broker, const FetchAnswer& in) {
    protocol::FetchPartitionResult result;
    result.topic_id = kRigTopic;
    result.error = in.error;
    result.high_watermark =
        types::Offset(in.high_watermark.value_or(in.base_offset + in.records * in.batches));
    if (in.hint) {
        result.current_leader = types::BrokerId(*in.hint->broker);
        result.current_leader_epoch = types::LeaderEpoch(in.hint->epoch);
    }
    Bytes bytes;
    std::size_t last_batch = 0;
    for (std::int32_t number = 0; number < in.batches && in.records > 0; ++number) {
        const std::int64_t base = in.base_offset + number * in.records;
        storage::BatchOptions options;
        options.base_offset = types::Offset(base);
        options.leader_epoch = types::LeaderEpoch(in.leader_epoch);
        options.compression.codec = in.codec;
        storage::RecordBatchBuilder builder(options);
        for (std::int64_t i = 0; i < in.records; ++i) {
            const std::string value = types::make_record_value("p", base + i, 0);
            storage::RecordInput record;
            record.timestamp = 0;
            record.value =
                ByteView(reinterpret_cast<const std::uint8_t*>(value.data()), value.size());
            builder.append(record);
        }
        const Bytes batch = builder.build();
        last_batch = bytes.size();
        bytes.insert(bytes.end(), batch.begin(), batch.end());
    }
    if (in.is_damaged) {
        bytes[in.codec == types::Codec::kNone ? last_batch + storage::BatchField::kMaxTimestamp
                                              : bytes.size() - 1] ^= 1;
    }
    result.records = SharedBytes(std::move(bytes));
    protocol::FetchResponse response;
    response.partitions.push_back(result);
    reply<protocol::FetchRequest>(broker, sim::make_message(response));
}

void ClientRig::answer_list_offsets(std::int32_t broker,
                                    const protocol::ListOffsetsPartitionResult& in) {
    protocol::ListOffsetsResponse response;
    response.partitions.push_back(in);
    response.partitions.back().partition = {"t", 0};
    reply<protocol::ListOffsetsRequest>(broker, sim::make_message(response));
}

void ClientRig::answer_epoch_end(std::int32_t broker,
                                 const protocol::OffsetForLeaderEpochResult& in) {
    protocol::OffsetForLeaderEpochResponse response;
    response.partitions.push_back(in);
    response.partitions.back().partition = {"t", 0};
    reply<protocol::OffsetForLeaderEpochRequest>(broker, sim::make_message(response));
}

std::string ClientRig::outcomes() const {
    std::string text;
    for (const sim::Event& event : events_) {
        const bool acked = event.kind == events::kRecordAcked;
        if (!acked && event.kind != events::kRecordFailed) {
            continue;
        }
        text += text.empty() ? "" : " ";
        if (acked) {
            const std::int64_t offset = event.fields[2];
            text += fmt::format(
                "r{}@{}", event.fields[0], offset == sim::kAbsent ? "-" : std::to_string(offset));
        } else {
            const auto error = types::error_from_wire(static_cast<std::int16_t>(event.fields[2]));
            text += fmt::format("r{}:{}", event.fields[0], types::name(error));
        }
    }
    return text;
}

std::string ClientRig::polled() const {
    std::string text;
    for (const sim::Event& event : events(events::kRecordPolled)) {
        text += text.empty() ? "" : " ";
        text += std::to_string(event.fields[1]);
    }
    return text;
}

std::string ClientRig::resets() const {
    std::string text;
    for (const sim::Event& event : events(events::kPositionReset)) {
        text += text.empty() ? "" : ", ";
        text += fmt::format("{}>{} {}",
                            event.fields[1],
                            event.fields[2],
                            world_.kernel().interner().text_of(event.fields[3]));
    }
    return text;
}

std::vector<sim::Event> ClientRig::events(sim::EventKind kind) const {
    std::vector<sim::Event> found;
    std::ranges::copy_if(events_, std::back_inserter(found), [&](const sim::Event& event) {
        return event.kind == kind;
    });
    return found;
}

types::ClientSpec producer_spec(const types::SendPlan& plan, types::SettingMap config) {
    types::ClientSpec spec;
    spec.name = "p";
    spec.topic = "t";
    spec.send = plan;
    spec.config = std::move(config);
    spec.config.emplace("linger.ms", "0");
    return spec;
}

types::SendPlan sends(std::int64_t count, Duration every) {
    types::SendPlan plan;
    plan.count = count;
    plan.every = every;
    plan.partition = 0;
    return plan;
}

types::ClientSpec consumer_spec(types::SettingMap config, std::int32_t partitions) {
    types::ClientSpec spec;
    spec.name = "c";
    spec.kind = types::ClientSpec::Kind::kConsumer;
    spec.config = std::move(config);
    for (std::int32_t p = 0; p < partitions; ++p) {
        spec.assign.push_back({"t", p});
    }
    return spec;
}

std::string key_for(std::int32_t partition, std::int32_t count) {
    for (std::int32_t i = 0;; ++i) {
        std::string key = "k" + std::to_string(i);
        if (types::partition_for_key(Bytes(key.begin(), key.end()), count) == partition) {
            return key;
        }
    }
}

}  // namespace klab::client
