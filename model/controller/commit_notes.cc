// SPDX-License-Identifier: Apache-2.0
//
// See commit_notes.h.
#include "model/controller/commit_notes.h"

#include <algorithm>

#include "model/types/kafka_events.h"
#include "sim/base/assert.h"

namespace klab::controller {

namespace {

namespace events = types::events;
using metadata::Changed;
using metadata::PartitionRef;

std::int64_t broker_field(const std::optional<types::BrokerId>& broker) {
    return broker ? broker->value() : sim::kAbsent;
}

std::int64_t list_field(sim::Context& ctx, const metadata::BrokerIds& brokers) {
    std::vector<std::int32_t> values;
    values.reserve(brokers.size());
    for (const types::BrokerId broker : brokers) {
        values.push_back(broker.value());
    }
    return ctx.list(values);
}

CommitNote note(sim::EventKind kind,
                sim::EventId cause,
                std::initializer_list<std::int64_t> fields) {
    CommitNote made;
    made.kind = kind;
    made.cause = cause;
    made.field_count = static_cast<std::uint8_t>(fields.size());
    std::ranges::copy(fields, made.fields.begin());
    return made;
}

/// Elected from outside what was in sync (or eligible) before: the new leader is the whole ISR, and
/// the partition is recovering. A replica that a reassignment brings into the ISR may become leader
/// with the same record, cleanly.
bool is_unclean(const Changed<PartitionRef>& change) {
    if (!change.before || !change.after) {
        return false;
    }
    const metadata::PartitionRegistration& before = change.before->read();
    const metadata::PartitionRegistration& after = change.after->read();
    return after.leader && after.leader != before.leader &&
           after.recovery == metadata::LeaderRecoveryState::kRecovering &&
           after.isr == metadata::BrokerIds{*after.leader} &&
           !metadata::contains(before.isr, *after.leader) &&
           !metadata::contains(before.elr, *after.leader);
}

bool is_moving(const metadata::PartitionRegistration& partition) {
    return !partition.adding_replicas.empty() || !partition.removing_replicas.empty();
}

/// Does a reassignment begin, change or end?
void note_reassignment(sim::Context& ctx,
                       const NoteContext& context,
                       std::int64_t partition,
                       const Changed<PartitionRef>& change,
                       std::vector<CommitNote>& notes) {
    if (!change.before) {
        return;
    }
    const metadata::PartitionRegistration& before = change.before->read();
    const metadata::PartitionRegistration& after = change.after->read();
    const bool changes = before.adding_replicas != after.adding_replicas ||
                         before.removing_replicas != after.removing_replicas;
    if (!changes) {
        return;
    }
    const std::int64_t replicas = list_field(ctx, after.replicas);
    if (is_moving(after)) {
        const std::int64_t adding = list_field(ctx, after.adding_replicas);
        const std::int64_t removing = list_field(ctx, after.removing_replicas);
        notes.push_back(note(
            events::kReassignmentStarted, context.cause, {partition, replicas, adding, removing}));
        return;
    }
    const bool arrived =
        std::ranges::all_of(
            before.adding_replicas,
            [&](types::BrokerId broker) { return metadata::contains(after.replicas, broker); }) &&
        std::ranges::none_of(before.removing_replicas, [&](types::BrokerId broker) {
            return metadata::contains(after.replicas, broker);
        });
    notes.push_back(
        note(events::kReassignmentEnded, context.cause, {partition, replicas, arrived ? 0 : 1}));
}

void note_partition(sim::Context& ctx,
                    const NoteContext& context,
                    types::Offset offset,
                    const metadata::MetadataImage& image,
                    const metadata::TopicIdPartition& id,
                    const Changed<PartitionRef>& change,
                    std::vector<CommitNote>& notes) {
    if (!change.after) {
        return;  // goes with its topic
    }
    const metadata::PartitionRegistration& after = change.after->read();
    const auto election = context.elections.find(id);
    const std::int64_t partition = partition_field(ctx, image, id);
    const std::int64_t isr = list_field(ctx, after.isr);
    const std::int64_t replicas = list_field(ctx, after.replicas);
    notes.push_back(note(events::kPartitionChanged,
                         election == context.elections.end() ? context.cause : election->second,
                         {partition,
                          broker_field(after.leader),
                          after.leader_epoch.value(),
                          after.partition_epoch.value(),
                          isr,
                          replicas,
                          is_unclean(change) ? 1 : 0,
                          offset.value()}));
    note_reassignment(ctx, context, partition, change, notes);
}

void note_fenced(sim::Context& ctx,
                 const NoteContext& context,
                 const metadata::BrokerRegistration& broker,
                 std::vector<CommitNote>& notes) {
    const BrokerNote known = context.broker.value_or(BrokerNote{});
    const std::string_view reason =
        known.fence_reason.empty() ? "as found in the log" : known.fence_reason;
    const std::int64_t silence = known.silence ? known.silence->ns : sim::kAbsent;
    const std::int64_t text = ctx.text(reason);
    notes.push_back(note(events::kBrokerFenced,
                         context.cause,
                         {broker.id.value(), broker.epoch.value(), text, silence}));
}

void note_broker(sim::Context& ctx,
                 const NoteContext& context,
                 const Changed<Cow<metadata::BrokerRegistration>>& change,
                 std::vector<CommitNote>& notes) {
    if (!change.after) {
        return;
    }
    const metadata::BrokerRegistration& after = change.after->read();
    const metadata::BrokerRegistration* before = change.before ? &change.before->read() : nullptr;
    const bool was_out = before == nullptr || before->fenced;
    const bool is_new = before == nullptr || before->epoch != after.epoch;
    const bool clean = context.broker && context.broker->clean_registration;
    if (!was_out && after.fenced) {
        note_fenced(ctx, context, *before, notes);
    }
    if (is_new) {
        notes.push_back(note(events::kBrokerRegistered,
                             context.cause,
                             {after.id.value(), after.epoch.value(), clean ? 1 : 0}));
    }
    if (was_out && !after.fenced) {
        notes.push_back(
            note(events::kBrokerUnfenced, context.cause, {after.id.value(), after.epoch.value()}));
    }
    if (!is_new && after.log_dirs.size() < before->log_dirs.size()) {
        notes.push_back(note(events::kLogDirReported,
                             context.cause,
                             {after.id.value(),
                              after.epoch.value(),
                              static_cast<std::int64_t>(after.log_dirs.size())}));
    }
    const bool was_leaving = before != nullptr && before->in_controlled_shutdown;
    if (!was_leaving && after.in_controlled_shutdown) {
        notes.push_back(note(
            events::kBrokerShuttingDown, context.cause, {after.id.value(), after.epoch.value()}));
    }
}

std::string target_text(const metadata::ConfigResource& resource) {
    if (resource.kind == metadata::ConfigResourceKind::kTopic) {
        return "topic:" + resource.name;
    }
    return resource.name.empty() ? "cluster" : "broker:" + resource.name;
}

void note_config(sim::Context& ctx,
                 const NoteContext& context,
                 const metadata::ConfigRecord& record,
                 std::vector<CommitNote>& notes) {
    const std::int64_t target = ctx.text(target_text(record.resource));
    const std::int64_t name = ctx.text(record.name);
    const std::int64_t value = ctx.text(record.value.value_or(""));
    notes.push_back(note(events::kConfigChanged, context.cause, {target, name, value}));
}

}  // namespace

std::int64_t partition_field(sim::Context& ctx,
                             const metadata::MetadataImage& image,
                             const metadata::TopicIdPartition& id) {
    const metadata::TopicImage* topic = image.topic(id.topic_id);
    const std::int64_t name = ctx.text(topic == nullptr ? id.topic_id.text() : topic->name);
    return sim::pack_name_index(name, id.partition);
}

void add_notes(sim::Context& ctx,
               const NoteContext& context,
               types::Offset offset,
               const metadata::MetadataRecord& record,
               const metadata::MetadataDelta& delta,
               const metadata::MetadataImage& after,
               std::vector<CommitNote>& notes) {
    for (const auto& [id, name] : delta.deleted_topics) {
        const std::int64_t text = ctx.text(name);
        notes.push_back(note(events::kTopicDeleted, context.cause, {text}));
    }
    for (const auto& [id, change] : delta.partitions) {
        note_partition(ctx, context, offset, after, id, change, notes);
    }
    for (const auto& [id, change] : delta.brokers) {
        note_broker(ctx, context, change, notes);
    }
    if (const auto* config = std::get_if<metadata::ConfigRecord>(&record)) {
        note_config(ctx, context, *config, notes);
    }
}

void emit_note(sim::Context& ctx, const CommitNote& note) {
    const auto& f = note.fields;
    switch (note.field_count) {
        case 1:
            ctx.emit(note.kind, {f[0]}, {note.cause});
            return;
        case 2:
            ctx.emit(note.kind, {f[0], f[1]}, {note.cause});
            return;
        case 3:
            ctx.emit(note.kind, {f[0], f[1], f[2]}, {note.cause});
            return;
        case 4:
            ctx.emit(note.kind, {f[0], f[1], f[2], f[3]}, {note.cause});
            return;
        default:
            break;
    }
    KLAB_ASSERT(note.field_count == 8, "no shape for {} fields", note.field_count);
    ctx.emit(note.kind, {f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]}, {note.cause});
}

sim::EventId emit_election(sim::Context& ctx,
                           const ElectionReport& election,
                           const metadata::MetadataImage& image) {
    const std::int64_t partition = partition_field(ctx, image, election.id);
    std::optional<sim::EventId> chosen;
    for (const CandidateVerdict& candidate : election.candidates) {
        const std::int64_t why = ctx.text(candidate.why);
        const sim::EventId judged = ctx.emit(events::kCandidateJudged,
                                             {partition,
                                              candidate.broker.value(),
                                              candidate.alive ? 1 : 0,
                                              candidate.in_isr ? 1 : 0,
                                              candidate.order,
                                              candidate.chosen ? 1 : 0,
                                              why});
        if (candidate.chosen) {
            chosen = judged;
        }
    }
    const std::int64_t isr = list_field(ctx, election.isr);
    const std::int64_t epoch = election.leader_epoch.value();
    const std::int64_t previous = broker_field(election.previous);
    const sim::EventId because = chosen.value_or(ctx.cause());
    if (!election.winner) {
        return ctx.emit(events::kLeaderLost, {partition, epoch, previous, isr});
    }
    return ctx.emit(
        events::kLeaderElected,
        {partition, election.winner->value(), epoch, previous, isr, election.unclean ? 1 : 0},
        {because});
}

}  // namespace klab::controller
