// SPDX-License-Identifier: Apache-2.0
//
// ControllerLab: the state of a controller on plain data, with the moves that the vectors of
// Kafka's own tests make: brokers register and unfence, topics are made, sessions run out. Every
// decision is replayed at once, and each record goes through its bytes on the way.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/controller/alter_partition_decision.h"
#include "model/controller/broker_fencing.h"
#include "model/controller/broker_registration.h"
#include "model/controller/heartbeat_decision.h"
#include "model/controller/topic_creation.h"
#include "model/metadata/record_codec.h"

namespace klab::controller {

using metadata::BrokerIds;
using metadata::PartitionRegistration;
using metadata::TopicIdPartition;
using types::ErrorCode;

inline BrokerIds ids(std::initializer_list<int> values) {
    BrokerIds made;
    for (const int value : values) {
        made.emplace_back(value);
    }
    return made;
}

inline types::BrokerId broker(int id) { return types::BrokerId(id); }

/// The generator of the reference tests (vectors 8.7), seed 17.
class MockRandom final : public PlacementRandom {
  public:
    std::uint32_t next_int(std::uint32_t bound) override {
        std::uint32_t r = next31();
        if ((bound & (bound - 1)) == 0) {
            return static_cast<std::uint32_t>((std::uint64_t{bound} * r) >> 31);
        }
        for (std::uint32_t u = r; u - (r = u % bound) + (bound - 1) > 0x7FFF'FFFFU; u = next31()) {
        }
        return r;
    }

    [[nodiscard]] std::uint32_t next31() {
        state_ = state_ * 2862933555777941757ULL + 3037000493ULL;
        return static_cast<std::uint32_t>(state_ >> 33);
    }

  private:
    std::uint64_t state_ = 17;
};

class ControllerLab {
  public:
    static constexpr std::int16_t kLevel = 27;

    ControllerLab() {
        rules.elr = false;  // the rows say where it is on
        config.broker_session_timeout_ms = 1'000;
        config.default_replication_factor = 3;
        write(
            {metadata::FeatureLevelRecord{std::string(metadata::kMetadataVersionFeature), kLevel}});
    }

    types::Rules rules = types::rules_of(types::KafkaVersion::k4_1);
    types::ControllerConfig config;
    ControllerState state;
    Time now{seconds(1'000).ns};
    MockRandom random;
    std::uint64_t topics_made = 0;

    [[nodiscard]] ControllerView view() const { return {state, rules, config, now}; }

    /// Replays records as the controller does, each by way of its bytes.
    void write(const std::vector<metadata::MetadataRecord>& records) {
        for (const metadata::MetadataRecord& record : records) {
            const auto read = metadata::decode(metadata::encode(record, kLevel));
            ASSERT_TRUE(read.ok());
            ASSERT_EQ(*read, record);
            ASSERT_TRUE(state.replay(state.next_write_offset, *read).ok())
                << metadata::record_name(record);
            state.next_write_offset = state.next_write_offset.next();
        }
    }

    /// Registered with broker epoch 100 + id, as the vectors assume; fenced.
    void register_brokers(std::initializer_list<int> brokers) {
        for (const int id : brokers) {
            register_broker(id, 100 + id);
        }
    }

    void register_broker(int id, std::int64_t epoch, std::vector<types::Uuid> log_dirs = {}) {
        metadata::RegisterBrokerRecord record;
        record.broker_id = broker(id);
        record.broker_epoch = types::BrokerEpoch(epoch);
        record.incarnation_id = {1000, static_cast<std::uint64_t>(epoch)};
        record.log_dirs = std::move(log_dirs);
        if (record.log_dirs.empty()) {
            record.log_dirs = {types::Uuid{2000, static_cast<std::uint64_t>(id)}};
        }
        write({record});
    }

    [[nodiscard]] types::BrokerEpoch epoch_of(int id) const {
        return state.image.broker(broker(id))->epoch;
    }

    protocol::BrokerHeartbeatRequest heartbeat_of(int id) const {
        protocol::BrokerHeartbeatRequest request;
        request.broker_id = broker(id);
        request.broker_epoch = epoch_of(id);
        request.current_metadata_offset = state.next_write_offset;
        return request;
    }

    /// Handles a heartbeat as the node does.
    HeartbeatResult heartbeat(const protocol::BrokerHeartbeatRequest& request) {
        state.contacts.touch({request.broker_id, request.broker_epoch}, now);
        const Decision<HeartbeatResult> decision = decide_heartbeat(view(), request);
        const HeartbeatResult& result = decision.result;
        if (result.response.error == ErrorCode::kNone) {
            state.heartbeats.touch(
                request.broker_id, result.response.is_fenced, request.current_metadata_offset);
        }
        last_records = decision.records;
        last_elections = decision.elections;
        write(decision.records);
        if (result.response.error == ErrorCode::kNone &&
            result.states.next == BrokerControlState::kControlledShutdown) {
            state.heartbeats.enter_controlled_shutdown(request.broker_id,
                                                       state.next_write_offset - 1);
        }
        return result;
    }

    void unfence(std::initializer_list<int> brokers) {
        for (const int id : brokers) {
            heartbeat(heartbeat_of(id));
        }
    }

    /// The brokers fall silent for a session while all other unfenced ones go on.
    void fence(std::initializer_list<int> silent) {
        now = now + milliseconds(config.broker_session_timeout_ms + 1);
        state.image.brokers.for_each(
            [&](types::BrokerId id, const Cow<metadata::BrokerRegistration>& registration) {
                const bool speaks =
                    std::ranges::find(silent, id.value()) == silent.end() && !registration->fenced;
                if (speaks) {
                    state.contacts.touch({id, registration->epoch}, now);
                }
            });
        for (int i = 0; i < 100; ++i) {
            const Decision<StaleBroker> decision = decide_stale_broker(view());
            if (!decision.result.expired) {
                return;
            }
            state.contacts.remove(*decision.result.expired);
            if (decision.result.fenced) {
                state.heartbeats.fence(decision.result.expired->id);
            }
            write(decision.records);
        }
    }

    protocol::NamedResult create(const protocol::NewTopic& topic) {
        protocol::CreateTopicsRequest request;
        request.topics.push_back(topic);
        return create(request).front();
    }

    std::vector<protocol::NamedResult> create(const protocol::CreateTopicsRequest& request) {
        const auto decision = decide_create_topics(view(), request, random, [&] {
            return types::Uuid{5, ++topics_made};
        });
        last_records = decision.records;
        write(decision.records);
        return decision.result.topics;
    }

    /// A topic with this assignment. Requires: it is accepted.
    void create(const std::string& name, const std::vector<BrokerIds>& assignment) {
        protocol::NewTopic topic;
        topic.name = name;
        topic.assignment = assignment;
        ASSERT_EQ(create(topic).error, ErrorCode::kNone);
    }

    [[nodiscard]] TopicIdPartition id_of(const std::string& topic, int partition) const {
        return {state.image.topic(topic)->id, partition};
    }

    [[nodiscard]] const PartitionRegistration& partition(const std::string& topic,
                                                         int index = 0) const {
        return *state.image.partition(types::TopicPartition{topic, index});
    }

    /// A proposal on the present state, without broker epochs.
    [[nodiscard]] protocol::AlterPartitionRequest proposal(int sender,
                                                           const std::string& topic,
                                                           int index,
                                                           std::initializer_list<int> isr) const {
        protocol::AlterPartitionItem item;
        item.topic_id = state.image.topic(topic)->id;
        item.partition = index;
        item.leader_epoch = partition(topic, index).leader_epoch;
        item.partition_epoch = partition(topic, index).partition_epoch;
        for (const int id : isr) {
            item.new_isr.push_back({broker(id), std::nullopt});
        }
        protocol::AlterPartitionRequest request;
        request.broker_id = broker(sender);
        request.broker_epoch = epoch_of(sender);
        request.partitions.push_back(item);
        return request;
    }

    protocol::AlterPartitionResponse alter(const protocol::AlterPartitionRequest& request) {
        const auto decision = decide_alter_partition(view(), request);
        last_records = decision.records;
        write(decision.records);
        return decision.result;
    }

    void set_topic_config(const std::string& topic,
                          const std::string& name,
                          const std::string& value) {
        write({metadata::ConfigRecord{{metadata::ConfigResourceKind::kTopic, topic}, name, value}});
    }

    std::vector<metadata::MetadataRecord> last_records;
    std::vector<ElectionReport> last_elections;
};

}  // namespace klab::controller
