// SPDX-License-Identifier: Apache-2.0
//
// See replica_rig.h.
#include "tests/replication/replica_rig.h"

#include <utility>

#include "model/storage/log_reader.h"
#include "sim/base/overloaded.h"

namespace klab::replication {

namespace {

types::ModelData make_data(std::int32_t brokers,
                           types::Rules rules,
                           const types::SettingMap& config) {
    types::ModelData data;
    data.rules = rules;
    for (std::int32_t id = 1; id <= brokers; ++id) {
        types::BrokerSpec spec;
        spec.node = ReplicaRig::node_id(id);
        spec.id = types::BrokerId(id);
        spec.name = "b" + std::to_string(id);
        spec.config = config;
        data.cluster.brokers.push_back(spec);
    }
    return data;
}

sim::KernelSpec make_spec(std::int32_t brokers) {
    sim::KernelSpec spec;
    spec.seed = 1;
    spec.events = std::make_shared<const sim::EventTable>(types::events::make_event_table());
    for (std::int32_t id = 1; id <= brokers; ++id) {
        sim::NodeSpec node;
        node.name = "b" + std::to_string(id);
        node.lanes = static_cast<std::uint16_t>(3 + brokers * 4);
        spec.nodes.push_back(node);
    }
    return spec;
}

void send_answers(RigNode& node, sim::Context& ctx, Answers out) {
    for (Answer& answer : out) {
        if (answer.to.connection == sim::ConnectionId{}) {
            node.answers.push_back(std::move(answer));
        } else if (answer.response.has_value()) {
            ctx.send(answer.to.connection, answer.response, answer.to.correlation);
        }
    }
}

void on_request(RigNode& node,
                sim::Context& ctx,
                const sim::Input& input,
                const sim::Delivered& delivered,
                Answers& out) {
    const RequestHandle handle{delivered.connection, delivered.correlation, input.event};
    if (delivered.message.is<protocol::FetchRequest>()) {
        node.manager.fetch(ctx, node.view(), handle, delivered.message, out);
    } else if (delivered.message.is<protocol::ListOffsetsRequest>()) {
        node.manager.list_offsets(
            ctx, node.view(), handle, delivered.message.as<protocol::ListOffsetsRequest>(), out);
    } else {
        KLAB_ASSERT(node.manager.on_reply(ctx, node.view(), delivered, out), "unexpected message");
    }
}

}  // namespace

RigNode RigModel::make_node(const Data& data, sim::NodeId id) {
    const types::BrokerSpec& spec = data.cluster.brokers[id.value()];
    RigNode node;
    node.id = spec.id;
    node.epoch = types::BrokerEpoch(100 + spec.id.value());
    auto config = types::make_broker_config(data.rules.version, spec.config);
    KLAB_ASSERT(config.ok(), "settings of the rig: {}", types::to_text(config.error().front()));
    node.manager = ReplicaManager({.broker = spec.id,
                                   .config = *config,
                                   .lanes = {sim::Lane(1), sim::Lane(2), sim::Lane(0)}});
    return node;
}

void RigModel::step(RigNode& node, const sim::Input& input, sim::Context& ctx) {
    Answers out;
    std::visit(
        overloaded{
            [&](const sim::Booted&) {
                KLAB_ASSERT(node.manager.open_log_dirs(ctx).ok(), "the rig's directories");
            },
            [&](const sim::Connected& connected) {
                if (!connected.incoming) {
                    (void)node.manager.on_connected(ctx, node.view(), connected);
                }
            },
            [&](const sim::Delivered& delivered) { on_request(node, ctx, input, delivered, out); },
            [&](const sim::Disconnected& gone) {
                (void)node.manager.on_disconnected(ctx, node.view(), gone);
            },
            [&](const sim::TimerFired& fired) {
                KLAB_ASSERT(node.manager.on_timer(ctx, node.view(), fired, out),
                            "unexpected timer");
            },
            [&](const sim::Resumed&) {},
            [&](const sim::AppCall&) { static_cast<void>(tests::take_call(input, node, ctx)); }},
        input.body);
    send_answers(node, ctx, std::move(out));
    const LogDirFailures failures = node.manager.handle_disk_failures(ctx, node.view());
    node.failures.must_halt = node.failures.must_halt || failures.must_halt;
    for (const types::Uuid& directory : failures.failed) {
        node.failures.failed.push_back(directory);
    }
    for (const protocol::DirectoryAssignment& replica : node.manager.take_misplaced()) {
        node.misplaced.push_back(replica);
    }
    if (auto request = node.manager.next_alter_partition_request(node.view())) {
        node.proposals.push_back(std::move(*request));
    }
}

ReplicaRig::ReplicaRig(std::int32_t count, types::Rules rules, types::SettingMap config)
    : world_(make_spec(count),
             std::make_shared<const types::ModelData>(make_data(count, rules, config))) {
    sim::KindSet all;
    all.add_all();
    world_.kernel().subscribe(all);
    for (std::int32_t id = 1; id <= count; ++id) {
        images_[id] = image_with_brokers(count);
        boot(id);
    }
}

void ReplicaRig::collect() {
    std::vector<sim::Event> fresh;
    world_.kernel().take_events(fresh);
    events_.insert(events_.end(), fresh.begin(), fresh.end());
}

void ReplicaRig::run(Duration length) {
    const Time until = world_.time() + length;
    world_.run_until(until);
    world_.kernel().advance_to(until);
    collect();
}

void ReplicaRig::run_on(std::int32_t broker, RigAction action) {
    tests::run_on(world_, node_id(broker), std::move(action));
    collect();
}

void ReplicaRig::boot(std::int32_t broker) {
    world_.boot(node_id(broker));
    run(milliseconds(1));
}

void ReplicaRig::crash(std::int32_t broker) {
    world_.kernel().crash(node_id(broker), nullptr, false);
}

void ReplicaRig::cut(std::int32_t a, std::int32_t b) {
    world_.kernel().cut(node_id(a), node_id(b));
    world_.kernel().cut(node_id(b), node_id(a));
}

void ReplicaRig::heal(std::int32_t a, std::int32_t b) {
    world_.kernel().heal(node_id(a), node_id(b));
    world_.kernel().heal(node_id(b), node_id(a));
}

void ReplicaRig::publish(std::initializer_list<std::int32_t> to, const RigPartition& partition) {
    for (const std::int32_t broker : to) {
        publish_partition(broker, 0, partition);
    }
}

void ReplicaRig::publish_partition(std::int32_t to,
                                   std::int32_t index,
                                   const RigPartition& partition) {
    metadata::PartitionRegistration registration;
    registration.replicas = partition.replicas;
    registration.directories = partition.directories;
    registration.isr = partition.isr;
    if (partition.leader) {
        registration.leader = types::BrokerId(*partition.leader);
    }
    registration.leader_epoch = types::LeaderEpoch(partition.leader_epoch);
    registration.partition_epoch = types::PartitionEpoch(partition.partition_epoch);
    metadata::MetadataImage& image = images_[to];
    metadata::MetadataDelta delta;
    metadata::Changed<metadata::PartitionRef>& changed = delta.partitions[{kRigTopic, index}];
    if (!image.topics.contains(kRigTopic)) {
        metadata::TopicImage topic;
        topic.name = "t";
        topic.id = kRigTopic;
        image.topics.insert_or_assign(kRigTopic, Cow<metadata::TopicImage>(topic));
        image.topic_ids.insert_or_assign("t", kRigTopic);
    }
    metadata::TopicImage& topic = image.topics.find_for_write(kRigTopic)->write();
    if (const metadata::PartitionRef* before = topic.partitions.find(index)) {
        changed.before = *before;
    }
    changed.after = metadata::PartitionRef(registration);
    topic.partitions.insert_or_assign(index, *changed.after);
    tell(to, image, delta);
}

void ReplicaRig::tell(std::int32_t to,
                      const metadata::MetadataImage& image,
                      const metadata::MetadataDelta& delta) {
    run_on(to, [&](RigNode& node, sim::Context& ctx) {
        Answers out;
        node.image = image;
        if (node.has_published) {
            node.manager.apply_delta(ctx, node.view(), delta, out);
        } else {
            node.start_error = node.manager.apply_image(ctx, node.view(), out);
            node.manager.start(ctx);
            node.has_published = true;
        }
        send_answers(node, ctx, std::move(out));
    });
}

void ReplicaRig::publish_again(std::int32_t to) { tell(to, images_[to], {}); }

void ReplicaRig::set_metadata_level(std::int32_t at, std::int16_t level) {
    images_[at].features.insert_or_assign(std::string(metadata::kMetadataVersionFeature), level);
}

void ReplicaRig::publish_deletion(std::int32_t to) {
    metadata::MetadataImage& image = images_[to];
    metadata::MetadataDelta delta;
    image.topic(kRigTopic)->partitions.for_each(
        [&](std::int32_t index, const metadata::PartitionRef& before) {
            delta.partitions[{kRigTopic, index}].before = before;
        });
    delta.deleted_topics[kRigTopic] = "t";
    image.topics.erase(kRigTopic);
    image.topic_ids.erase("t");
    tell(to, image, delta);
}

void ReplicaRig::set_min_isr(std::int32_t at, std::int32_t min_isr) {
    set_config(at, {metadata::ConfigResourceKind::kTopic, "t"}, min_isr);
}

void ReplicaRig::set_default_min_isr(std::int32_t at, std::int32_t min_isr) {
    set_config(at, {metadata::ConfigResourceKind::kBroker, ""}, min_isr);
}

void ReplicaRig::set_config(std::int32_t at,
                            const metadata::ConfigResource& resource,
                            std::int32_t min_isr) {
    const std::string name = "min.insync.replicas";
    metadata::MetadataDelta delta;
    delta.configs[resource][name].after = std::to_string(min_isr);
    metadata::MetadataImage& image = images_[at];
    image.configs.at_or_insert(resource).write()[name] = std::to_string(min_isr);
    tell(at, image, delta);
}

void ReplicaRig::answer_proposal(std::int32_t at,
                                 const protocol::AlterPartitionResponse& response) {
    run_on(at, [&](RigNode& node, sim::Context& ctx) {
        Answers out;
        node.manager.on_alter_partition_response(ctx, node.view(), response, out);
        send_answers(node, ctx, std::move(out));
    });
}

void ReplicaRig::grant_proposal(std::int32_t at, std::int32_t partition_epoch) {
    const protocol::AlterPartitionItem asked = node(at).proposals.back().partitions.at(0);
    protocol::AlterPartitionResult result;
    result.topic_id = asked.topic_id;
    result.partition = asked.partition;
    result.leader = types::BrokerId(at);
    result.leader_epoch = asked.leader_epoch;
    for (const protocol::IsrMember& member : asked.new_isr) {
        result.isr.push_back(member.broker);
    }
    result.partition_epoch = types::PartitionEpoch(partition_epoch);
    answer_proposal(at, {.partitions = {result}});
}

void ReplicaRig::refuse_proposal(std::int32_t at, types::ErrorCode error) {
    protocol::AlterPartitionResult result;
    result.topic_id = kRigTopic;
    result.error = error;
    answer_proposal(at, {.partitions = {result}});
}

std::int32_t ReplicaRig::produce(std::int32_t to,
                                 const std::vector<std::string>& values,
                                 std::int16_t acks,
                                 std::int32_t timeout_ms) {
    protocol::ProduceRequest request;
    request.acks = acks;
    request.timeout_ms = timeout_ms;
    const std::int32_t number = next_request_++;
    run_on(to, [&](RigNode& node, sim::Context& ctx) {
        // Of today, so that retention leaves them alone.
        const Bytes batch = storage::batch_of(values, ctx.now().to_ms());
        request.partitions.push_back({{"t", 0}, SharedBytes(batch)});
        Answers out;
        node.manager.produce(ctx, node.view(), {{}, number, ctx.cause()}, request, out);
        send_answers(node, ctx, std::move(out));
    });
    return number;
}

std::int32_t ReplicaRig::produce_bytes(std::int32_t to,
                                       const Bytes& batch,
                                       std::int16_t acks,
                                       std::int32_t index) {
    protocol::ProduceRequest request;
    request.acks = acks;
    request.partitions.push_back({{"t", index}, SharedBytes(batch)});
    const std::int32_t number = next_request_++;
    run_on(to, [&](RigNode& node, sim::Context& ctx) {
        Answers out;
        node.manager.produce(ctx, node.view(), {{}, number, ctx.cause()}, request, out);
        send_answers(node, ctx, std::move(out));
    });
    return number;
}

std::int32_t ReplicaRig::fetch(std::int32_t to, const protocol::FetchRequest& request) {
    const std::int32_t number = next_request_++;
    run_on(to, [&](RigNode& node, sim::Context& ctx) {
        Answers out;
        node.manager.fetch(
            ctx, node.view(), {{}, number, ctx.cause()}, sim::make_message(request), out);
        send_answers(node, ctx, std::move(out));
    });
    return number;
}

protocol::ListOffsetsPartitionResult ReplicaRig::list_offset(
    std::int32_t to,
    std::int64_t timestamp,
    std::optional<std::int32_t> replica,
    std::optional<std::int32_t> current_epoch) {
    protocol::ListOffsetsRequest request;
    if (replica) {
        request.replica_id = types::BrokerId(*replica);
    }
    request.partitions.push_back({{"t", 0}, std::nullopt, timestamp});
    if (current_epoch) {
        request.partitions[0].current_leader_epoch = types::LeaderEpoch(*current_epoch);
    }
    Answers out;
    run_on(to, [&](RigNode& node, sim::Context& ctx) {
        node.manager.list_offsets(ctx, node.view(), {}, request, out);
    });
    return out.at(0).response.as<protocol::ListOffsetsResponse>().partitions.at(0);
}

protocol::OffsetForLeaderEpochResult ReplicaRig::end_of_epoch(
    std::int32_t to, std::int32_t epoch, std::optional<std::int32_t> current_epoch) {
    protocol::OffsetForLeaderEpochRequest request;
    request.partitions.push_back({{"t", 0}, std::nullopt, types::LeaderEpoch(epoch)});
    if (current_epoch) {
        request.partitions[0].current_leader_epoch = types::LeaderEpoch(*current_epoch);
    }
    Answers out;
    run_on(to, [&](RigNode& node, sim::Context& ctx) {
        node.manager.offset_for_leader_epoch(ctx, node.view(), {}, request, out);
    });
    return out.at(0).response.as<protocol::OffsetForLeaderEpochResponse>().partitions.at(0);
}

std::optional<Answer> ReplicaRig::answer(std::int32_t to, std::int32_t number) const {
    for (const Answer& answer : node(to).answers) {
        if (answer.to.correlation == number) {
            return answer;
        }
    }
    return std::nullopt;
}

std::optional<protocol::ProducePartitionResult> ReplicaRig::produced(std::int32_t to,
                                                                     std::int32_t number) const {
    const auto found = answer(to, number);
    if (!found) {
        return std::nullopt;
    }
    return found->response.as<protocol::ProduceResponse>().partitions.at(0);
}

std::optional<protocol::FetchPartitionResult> ReplicaRig::fetched(std::int32_t to,
                                                                  std::int32_t number) const {
    const auto found = answer(to, number);
    if (!found) {
        return std::nullopt;
    }
    return found->response.as<protocol::FetchResponse>().partitions.at(0);
}

protocol::FetchPartitionResult ReplicaRig::follower_fetch(
    std::int32_t to,
    std::int32_t replica,
    std::int64_t offset,
    std::optional<std::int32_t> current_epoch) {
    protocol::FetchRequest request = replica_fetch(replica, offset);
    if (current_epoch) {
        request.partitions[0].current_leader_epoch = types::LeaderEpoch(*current_epoch);
    }
    return *fetched(to, fetch(to, request));
}

const Partition& ReplicaRig::partition(std::int32_t broker) const {
    const Partition* found = node(broker).manager.find(kRigPartition);
    KLAB_ASSERT(found != nullptr, "broker {} does not host t-0", broker);
    return *found;
}

std::string ReplicaRig::records(std::int32_t broker) const {
    std::string text;
    const sim::Disk& disk = world_.kernel().slot(node_id(broker)).disk;
    for (const storage::RecordSight& record : storage::list_records(partition(broker).log, disk)) {
        text += text.empty() ? "" : " ";
        text += std::to_string(record.leader_epoch->value()) + ":" + record.value.value_or("-");
    }
    return text;
}

std::optional<FollowerFetchState> ReplicaRig::fetch_state(std::int32_t broker) const {
    const FollowerFetcher* fetcher = node(broker).manager.fetchers().fetcher_of(kRigPartition);
    return fetcher == nullptr ? std::nullopt
                              : std::optional(*fetcher->partitions().find(kRigPartition));
}

std::vector<sim::Event> ReplicaRig::events(sim::EventKind kind,
                                           std::optional<std::int32_t> broker) const {
    std::vector<sim::Event> found;
    for (const sim::Event& event : events_) {
        if (event.kind == kind && (!broker || event.node == node_id(*broker))) {
            found.push_back(event);
        }
    }
    return found;
}

protocol::FetchRequest consumer_fetch(std::int64_t offset, std::int32_t max_wait_ms) {
    protocol::FetchRequest request;
    request.max_wait_ms = max_wait_ms;
    protocol::FetchPartition partition;
    partition.topic_id = kRigTopic;
    partition.fetch_offset = types::Offset(offset);
    request.partitions.push_back(partition);
    return request;
}

protocol::FetchRequest replica_fetch(std::int32_t replica,
                                     std::int64_t offset,
                                     std::int32_t max_wait_ms) {
    protocol::FetchRequest request = consumer_fetch(offset, max_wait_ms);
    request.replica_id = types::BrokerId(replica);
    request.replica_epoch = types::BrokerEpoch(100 + replica);
    request.partitions[0].log_start_offset = types::Offset(0);
    return request;
}

}  // namespace klab::replication
