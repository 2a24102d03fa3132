// SPDX-License-Identifier: Apache-2.0
//
// See history.h.
#include "model/check/history.h"

#include <algorithm>
#include <set>

#include "model/types/error_code.h"
#include "model/types/kafka_events.h"
#include "model/types/producer_config.h"

namespace klab::check {

namespace events = types::events;

namespace {

/// Errors after which a batch is not in the log, if no earlier attempt of it was made.
bool is_refusal(types::ErrorCode error) {
    switch (error) {
        case types::ErrorCode::kNotEnoughReplicas:
        case types::ErrorCode::kMessageTooLarge:
        case types::ErrorCode::kRecordListTooLarge:
        case types::ErrorCode::kInvalidRequiredAcks:
        case types::ErrorCode::kInvalidTopicException:
        case types::ErrorCode::kInvalidRecord:
        case types::ErrorCode::kInvalidTimestamp:
        case types::ErrorCode::kUnknownTopicOrPartition:
        case types::ErrorCode::kOutOfOrderSequenceNumber:
            return true;
        default:  // anything else may have been written before the error
            return false;
    }
}

std::uint64_t count_in(const ChunkList<When>& list, const std::optional<Window>& window) {
    if (!window) {
        return list.size();
    }
    const auto up_to = [&list](sim::EventId bound) {
        return list.partition_point([bound](const When& when) { return when.event <= bound; });
    };
    const std::size_t low = up_to(window->after);
    const std::size_t high = up_to(window->until);
    return high > low ? high - low : 0;
}

/// The wait of a partition that is still on.
Duration open_wait(const Availability& availability, Time now) {
    if (!availability.waiting_since) {
        return {};
    }
    const Time end = availability.unanswered > 0 ? now : availability.last_failure;
    return std::max(end - *availability.waiting_since, Duration{});
}

}  // namespace

History::History(const types::ModelData& data) {
    if (data.cluster.clients.empty()) {
        return;
    }
    first_node_ = data.cluster.clients.front().node.value();
    for (const types::ClientSpec& spec : data.cluster.clients) {
        first_node_ = std::min(first_node_, spec.node.value());
    }
    for (const types::ClientSpec& spec : data.cluster.clients) {
        const std::size_t place = spec.node.value() - first_node_;
        if (place >= clients_.size()) {
            clients_.resize(place + 1);
        }
        ClientHistory& client = clients_[place].write();
        client.name = spec.name;
        client.kind = spec.kind;
        if (spec.kind == types::ClientSpec::Kind::kProducer) {
            const auto config = types::make_producer_config(data.rules.version, spec.config);
            client.idempotent = config && config->enable_idempotence;
            client.max_in_flight = config ? config->max_in_flight : 1;
            client.delivery_timeout = milliseconds(config ? config->delivery_timeout_ms : 0);
            client.tombstones = spec.send.tombstones;
        }
    }
}

void History::add_wanted(sim::KindSet& kinds) {
    for (const sim::EventKind kind : {events::kRecordSent,
                                      events::kRecordAcked,
                                      events::kRecordFailed,
                                      events::kBatchRetried,
                                      events::kClientFailed,
                                      events::kRecordPolled,
                                      events::kRecordProcessed,
                                      events::kPositionReset,
                                      events::kTopicDeleted}) {
        kinds.add(kind);
    }
}

void History::observe(std::span<const sim::Event> events) {
    for (const sim::Event& event : events) {
        if (event.kind == events::kTopicDeleted) {
            ++generations_.write()[event.fields[0]];
            continue;
        }
        if (event.kind.value() < events::kRecordSent.value() || !event.node ||
            event.node->value() < first_node_ ||
            event.node->value() - first_node_ >= clients_.size()) {
            continue;
        }
        ClientHistory& client = clients_[event.node->value() - first_node_].write();
        if (event.kind == events::kRecordSent) {
            on_sent(event, client);
        } else if (event.kind == events::kRecordAcked) {
            on_acked(event, client);
        } else if (event.kind == events::kRecordFailed) {
            on_failed(event, client);
        } else if (event.kind == events::kRecordPolled) {
            on_polled(event, client);
        } else if (event.kind == events::kRecordProcessed) {
            ++client.processed;
        } else if (event.kind == events::kPositionReset) {
            on_reset(event, client);
        } else if (event.kind == events::kClientFailed || event.kind == events::kBatchRetried) {
            on_error(event, client);
        }
    }
}

void History::on_sent(const sim::Event& event, ClientHistory& client) {
    const auto record = static_cast<std::size_t>(event.fields[0]);
    while (client.sends.size() <= record) {
        client.sends.push_back({});
    }
    SendFact& send = client.sends.write(record);
    send.partition = event.fields[1];
    send.key = event.fields[2];
    send.generation = generation(send.partition);
    ++send.sends;
    send.outcome = Outcome::kUnanswered;
    send.sent = event.id;
    send.sent_at = event.time;
    client.sent.push_back({event.time, event.id});
    Availability& availability = availability_.write()[send.partition];
    ++availability.unanswered;
    if (!availability.waiting_since) {
        availability.waiting_since = event.time;
    }
}

void History::on_acked(const sim::Event& event, ClientHistory& client) {
    const auto record = static_cast<std::size_t>(event.fields[0]);
    if (record >= client.sends.size()) {
        return;
    }
    SendFact& send = client.sends.write(record);
    send.outcome = Outcome::kOk;
    send.offset = event.fields[2];
    send.acks = static_cast<std::int16_t>(event.fields[3]);
    client.acked.push_back({event.time, event.id});
    Availability& availability = availability_.write()[send.partition];
    availability.unanswered -= availability.unanswered > 0 ? 1U : 0U;
    if (availability.waiting_since) {
        const Duration wait = event.time - *availability.waiting_since;
        availability.longest = std::max(availability.longest, wait);
        if (wait >= kWaitMin) {
            availability.total += wait;
        }
    }
    availability.waiting_since =
        availability.unanswered > 0 ? std::optional(event.time) : std::nullopt;
    availability.behind_gap = false;
}

void History::on_failed(const sim::Event& event, ClientHistory& client) {
    client.failed.push_back({event.time, event.id});
    const auto error = static_cast<std::int16_t>(event.fields[2]);
    ++client.errors[error];
    const auto record = static_cast<std::size_t>(event.fields[0]);
    if (record >= client.sends.size()) {
        return;  // send() itself failed
    }
    SendFact& send = client.sends.write(record);
    if (send.outcome != Outcome::kUnanswered || send.sends == 0) {
        return;
    }
    send.error = error;
    send.acks = static_cast<std::int16_t>(event.fields[3]);
    const bool refused = !send.retried && is_refusal(types::error_from_wire(error));
    send.outcome = refused ? Outcome::kFailed : Outcome::kIndeterminate;
    Availability& availability = availability_.write()[send.partition];
    availability.unanswered -= availability.unanswered > 0 ? 1U : 0U;
    availability.last_failure = event.time;
}

void History::on_polled(const sim::Event& event, ClientHistory& client) {
    const auto& f = event.fields;
    client.reads.push_back({f[0], f[1], static_cast<std::int32_t>(f[3]), f[4], event.id});
    if (f[5] >= 0 && f[1] >= f[5]) {
        ++client.above_high_watermark;
        if (!client.first_above) {
            client.first_above = event.id;
        }
    }
    Progress& progress = client.progress[f[0]];
    if (!progress.first) {
        progress.first = f[1];
    }
    if (progress.position) {
        progress.gaps +=
            f[1] > *progress.position ? static_cast<std::uint64_t>(f[1] - *progress.position) : 0U;
        progress.backward += f[1] < *progress.position ? 1U : 0U;
    }
    progress.position = f[1] + 1;
}

void History::on_reset(const sim::Event& event, ClientHistory& client) {
    const auto& f = event.fields;
    Progress& progress = client.progress[f[0]];
    progress.first = std::min(progress.first.value_or(f[2]), f[2]);
    if (progress.position && f[2] > *progress.position) {
        progress.jumped_by_policy = true;
    }
    progress.position = f[2];
}

void History::on_error(const sim::Event& event, ClientHistory& client) {
    if (event.kind == events::kClientFailed) {
        ++client.errors[static_cast<std::int16_t>(event.fields[0])];
        return;
    }
    // The batch holds the records of its partition from the first on that are still unanswered; how
    // many is not told, so all later ones of the partition count as tried too.
    const std::int64_t partition = event.fields[0];
    availability_.write()[partition].behind_gap =
        types::error_from_wire(static_cast<std::int16_t>(event.fields[3])) ==
        types::ErrorCode::kOutOfOrderSequenceNumber;
    for (auto i = static_cast<std::size_t>(event.fields[1]); i < client.sends.size(); ++i) {
        if (client.sends[i].partition == partition && !client.sends[i].retried) {
            client.sends.write(i).retried = true;
        }
    }
}

const ClientHistory* History::client(std::string_view name) const {
    for (const Cow<ClientHistory>& client : clients_) {
        if (client->name == name) {
            return &client.read();
        }
    }
    return nullptr;
}

const ClientHistory* History::client_at(std::int64_t node) const {
    const std::int64_t place = node - static_cast<std::int64_t>(first_node_);
    const bool known = place >= 0 && place < static_cast<std::int64_t>(clients_.size());
    return known ? &clients_[static_cast<std::size_t>(place)].read() : nullptr;
}

std::uint64_t History::sent(std::string_view name, std::optional<Window> window) const {
    const ClientHistory* found = client(name);
    return found == nullptr ? 0 : count_in(found->sent, window);
}

std::uint64_t History::acked(std::string_view name, std::optional<Window> window) const {
    const ClientHistory* found = client(name);
    return found == nullptr ? 0 : count_in(found->acked, window);
}

std::uint64_t History::failed(std::string_view name, std::optional<Window> window) const {
    const ClientHistory* found = client(name);
    return found == nullptr ? 0 : count_in(found->failed, window);
}

std::uint64_t History::errors(std::string_view name, std::optional<std::int16_t> error) const {
    const ClientHistory* found = client(name);
    std::uint64_t count = 0;
    if (found != nullptr) {
        for (const auto& [code, times] : found->errors) {
            count += !error || *error == code ? times : 0;
        }
    }
    return count;
}

std::uint64_t History::polled(std::string_view name) const {
    const ClientHistory* found = client(name);
    return found == nullptr ? 0 : found->reads.size();
}

std::uint64_t History::processed(std::string_view name) const {
    const ClientHistory* found = client(name);
    return found == nullptr ? 0 : found->processed;
}

std::int64_t History::table_size(std::string_view name) const {
    const ClientHistory* reader = client(name);
    if (reader == nullptr) {
        return 0;
    }
    std::set<std::pair<std::int64_t, std::int64_t>> table;  // partition and key
    reader->reads.for_each([&](const ReadFact& read) {
        const ClientHistory* producer = client_at(read.producer);
        const auto record = static_cast<std::size_t>(read.record);
        if (producer == nullptr || record >= producer->sends.size() ||
            producer->sends[record].key < 0) {
            return;
        }
        const std::pair row{read.partition, producer->sends[record].key};
        if (std::ranges::binary_search(producer->tombstones, read.record)) {
            table.erase(row);
        } else {
            table.insert(row);
        }
    });
    return static_cast<std::int64_t>(table.size());
}

bool History::read_above_high_watermark(std::string_view name) const {
    const ClientHistory* found = client(name);
    return found != nullptr && found->above_high_watermark > 0;
}

Duration History::unavailable_total(std::int64_t partition, Time now) const {
    const auto found = availability_->find(partition);
    if (found == availability_->end()) {
        return {};
    }
    const Duration open = open_wait(found->second, now);
    return found->second.total + (open >= kWaitMin ? open : Duration{});
}

Duration History::unavailable_longest(std::int64_t partition, Time now) const {
    const auto found = availability_->find(partition);
    return found == availability_->end()
               ? Duration{}
               : std::max(found->second.longest, open_wait(found->second, now));
}

std::uint32_t History::generation(std::int64_t partition) const {
    const auto found = generations_->find(sim::unpack_name(partition));
    return found == generations_->end() ? 0 : found->second;
}

}  // namespace klab::check
