// SPDX-License-Identifier: Apache-2.0
//
// ClientMetadata: when to ask, what to keep of an answer.
#include "model/client/client_metadata.h"

#include <algorithm>

#include "model/types/kafka_events.h"
#include "model/types/model_data.h"

namespace klab::client {

namespace {

using types::ErrorCode;

std::vector<types::BrokerId> all_brokers(const sim::Context& ctx) {
    std::vector<types::BrokerId> brokers;
    for (const types::BrokerSpec& spec : types::cluster(ctx).brokers) {
        brokers.push_back(spec.id);
    }
    return brokers;
}

}  // namespace

void ClientMetadata::add_topic(const std::string& topic) {
    if (tracked_.emplace(topic, ErrorCode::kNone).second) {
        update_requested_ = true;
        new_topics_ = true;
        equivalents_ = 0;
        backoff_until_ = Time{};
    }
}

Time ClientMetadata::due() const {
    const Time expiry = update_requested_ ? Time{} : last_success_ + options_.max_age;
    return std::max(expiry, backoff_until_);
}

std::optional<Duration> ClientMetadata::wait(const sim::Context& ctx) const {
    if (in_flight_ || tracked_.empty()) {
        return std::nullopt;
    }
    return std::max(due() - ctx.monotonic(), Duration{});
}

void ClientMetadata::maybe_update(sim::Context& ctx, NetworkClient& net) {
    if (in_flight_ || tracked_.empty() || due() > ctx.monotonic()) {
        return;
    }
    const std::optional<types::BrokerId> broker = net.least_loaded(ctx, all_brokers(ctx));
    if (!broker || !net.ready_or_connect(ctx, *broker)) {
        return;
    }
    protocol::MetadataRequest request;
    request.topics.emplace();
    for (const auto& [name, error] : tracked_) {
        request.topics->push_back(name);
    }
    new_topics_ = false;
    in_flight_ = true;
    net.send(ctx, *broker, sim::make_message(std::move(request)), kMetadataToken);
}

void ClientMetadata::on_completion(sim::Context& ctx, const Completion& completion) {
    in_flight_ = false;
    last_refresh_ = ctx.monotonic();
    if (!completion.response || !completion.response->is<protocol::MetadataResponse>()) {
        const Duration pause = options_.retry.draw(ctx, sites::kRetryJitter, failures_);
        ++failures_;
        equivalents_ = 0;
        backoff_until_ = last_refresh_ + pause;
        return;
    }
    failures_ = 0;
    last_success_ = last_refresh_;
    bool news = false;
    bool retry = false;
    for (const protocol::MetadataTopic& topic :
         completion.response->as<protocol::MetadataResponse>().topics) {
        news = take_topic(ctx, topic) || news;
        const ErrorCode error = topic.error;
        for (const protocol::MetadataPartition& partition : topic.partitions) {
            if (partition.error == ErrorCode::kLeaderNotAvailable) {
                retry = true;
            }
        }
        tracked_[topic.name] = error;
        retry = retry || (error != ErrorCode::kNone && types::is_retriable(error));
    }
    // KIP-580 and KAFKA-14793: an answer that changes nothing must not be asked for at once again.
    const bool was_wanted = update_requested_;
    update_requested_ = retry || new_topics_;
    equivalents_ = news || !was_wanted ? 0 : equivalents_ + 1;
    if (equivalents_ > 0) {
        const Duration pause = options_.retry.draw(ctx, sites::kRetryJitter, equivalents_ - 1);
        backoff_until_ = last_refresh_ + pause;
    } else {
        backoff_until_ = last_refresh_ + milliseconds(options_.retry.initial_ms);
    }
}

bool ClientMetadata::take_topic(sim::Context& ctx, const protocol::MetadataTopic& topic) {
    if (topic.error != ErrorCode::kNone) {
        // Metadata.handleMetadataResponse: what was known of it is not kept.
        topics_.erase(topic.name);
        return false;
    }
    CachedTopic& cached = topics_[topic.name];
    bool news = cached.id != topic.topic_id || cached.partitions.size() < topic.partitions.size();
    const bool other_topic = cached.id != topic.topic_id;
    cached.id = topic.topic_id;
    cached.partitions.resize(topic.partitions.size());
    for (const protocol::MetadataPartition& partition : topic.partitions) {
        CachedPartition& entry = cached.partitions[static_cast<std::size_t>(partition.partition)];
        const bool older = !other_topic && entry.leader_epoch && partition.leader_epoch &&
                           *partition.leader_epoch < *entry.leader_epoch;
        if (older) {
            continue;
        }
        const CachedPartition fresh{partition.leader, partition.leader_epoch};
        if (fresh != entry) {
            news = true;
            entry = fresh;
            learned(ctx, {topic.name, partition.partition}, entry);
        }
    }
    return news;
}

bool ClientMetadata::apply_hint(sim::Context& ctx,
                                const types::TopicPartition& partition,
                                types::BrokerId leader,
                                types::LeaderEpoch epoch) {
    const auto found = topics_.find(partition.topic);
    if (found == topics_.end() ||
        static_cast<std::size_t>(partition.partition) >= found->second.partitions.size()) {
        return false;
    }
    CachedPartition& entry =
        found->second.partitions[static_cast<std::size_t>(partition.partition)];
    if (entry.leader_epoch && epoch <= *entry.leader_epoch) {
        return false;
    }
    entry = CachedPartition{leader, epoch};
    learned(ctx, partition, entry);
    return true;
}

void ClientMetadata::learned(sim::Context& ctx,
                             const types::TopicPartition& partition,
                             const CachedPartition& entry) const {
    const std::int64_t name = sim::pack_name_index(ctx.text(partition.topic), partition.partition);
    ctx.emit(types::events::kLeaderLearned,
             {name,
              entry.leader ? entry.leader->value() : sim::kAbsent,
              entry.leader_epoch ? entry.leader_epoch->value() : sim::kAbsent});
}

const CachedTopic* ClientMetadata::topic(const std::string& name) const {
    const auto found = topics_.find(name);
    return found == topics_.end() ? nullptr : &found->second;
}

const CachedPartition* ClientMetadata::partition(const types::TopicPartition& partition) const {
    const CachedTopic* cached = topic(partition.topic);
    if (cached == nullptr || partition.partition < 0 ||
        static_cast<std::size_t>(partition.partition) >= cached->partitions.size()) {
        return nullptr;
    }
    return &cached->partitions[static_cast<std::size_t>(partition.partition)];
}

types::ErrorCode ClientMetadata::topic_error(const std::string& name) const {
    const auto found = tracked_.find(name);
    return found == tracked_.end() ? ErrorCode::kNone : found->second;
}

}  // namespace klab::client
