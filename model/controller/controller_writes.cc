// SPDX-License-Identifier: Apache-2.0
//
// How a decision becomes true: records go to the log, are replayed in memory at once, and the
// answer leaves when they are committed.
//
// Owns: pending_, answers_, committed_.
// Called by: request_dispatch.cc, controller_tasks.cc, controller_lifecycle.cc.
// Kafka: QuorumController.ControllerWriteEvent, DeferredEventQueue, OffsetControlManager.
// Simplified: atomic decisions are not told apart; they are small enough for one batch.
#include <algorithm>

#include "model/controller/controller_node.h"
#include "model/metadata/record_codec.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"

namespace klab::controller {

namespace {

/// Records of one decision go into one batch up to this many; a larger decision is cut. Only
/// decisions about a broker with many partitions are so large, and each of their records holds
/// alone.
constexpr std::size_t kRecordsPerBatchMax = 10'000;

}  // namespace

std::vector<CommitNote> ControllerNode::replay(sim::Context& ctx,
                                               types::Offset first,
                                               std::span<const metadata::MetadataRecord> records,
                                               const NoteContext& context) {
    std::vector<CommitNote> notes;
    std::vector<std::pair<std::size_t, types::Uuid>> created;
    types::Offset offset = first;
    for (const metadata::MetadataRecord& record : records) {
        const auto delta = state_.replay(offset, record);
        KLAB_ASSERT(delta.ok(),
                    "{} at {} does not fit the image: {}",
                    metadata::record_name(record),
                    offset,
                    metadata::to_text(delta.error()));
        if (const auto* topic = std::get_if<metadata::TopicRecord>(&record)) {
            created.emplace_back(notes.size(), topic->topic_id);
            CommitNote note;
            note.kind = types::events::kTopicCreated;
            note.fields[0] = ctx.text(topic->name);
            note.field_count = 3;
            note.cause = context.cause;
            notes.push_back(note);
        }
        add_notes(ctx, context, offset, record, *delta, state_.image, notes);
        offset = offset.next();
    }
    // A topic's size is known only after its partitions, which stand behind it.
    for (const auto& [at, id] : created) {
        const metadata::TopicImage* topic = state_.image.topic(id);
        const metadata::PartitionRegistration* one =
            topic == nullptr ? nullptr : topic->partition(0);
        notes[at].fields[1] =
            topic == nullptr ? 0 : static_cast<std::int64_t>(topic->partitions.size());
        notes[at].fields[2] = one == nullptr ? 0 : static_cast<std::int64_t>(one->replicas.size());
    }
    return notes;
}

std::optional<types::Offset> ControllerNode::append(
    sim::Context& ctx, std::span<const metadata::MetadataRecord> records) {
    const std::int16_t level = state_.image.metadata_level().value_or(
        types::info(types::rules(ctx).version).metadata_level);
    std::optional<types::Offset> last;
    for (std::size_t at = 0; at < records.size(); at += kRecordsPerBatchMax) {
        std::vector<Bytes> values;
        const std::size_t count = std::min(kRecordsPerBatchMax, records.size() - at);
        values.reserve(count);
        for (const metadata::MetadataRecord& record : records.subspan(at, count)) {
            values.push_back(metadata::encode(record, level));
        }
        last = quorum_.append(ctx, values);
        if (!last) {
            return std::nullopt;
        }
    }
    return last;
}

std::optional<types::Offset> ControllerNode::write(
    sim::Context& ctx,
    std::span<const metadata::MetadataRecord> records,
    std::span<const ElectionReport> elections,
    const std::optional<BrokerNote>& broker) {
    if (records.empty()) {
        return std::nullopt;
    }
    const types::Offset first = quorum_.next_offset();
    KLAB_ASSERT(first == state_.next_write_offset,
                "the log goes on at {}, not at {}",
                first,
                state_.next_write_offset);
    const std::optional<types::Offset> last = append(ctx, records);
    if (!last) {
        // Kafka's controller renounces when a batch is too large; the only voter has no successor,
        // so the process ends.
        ctx.exit_process();
        return std::nullopt;
    }
    NoteContext context;
    context.cause = ctx.cause();
    context.broker = broker;
    for (const ElectionReport& election : elections) {
        const sim::EventId outcome = emit_election(ctx, election, state_.image);
        context.elections.insert_or_assign(election.id, outcome);
    }
    PendingWrite pending;
    pending.notes = replay(ctx, first, records, context);
    state_.next_write_offset = last->next();
    pending.last_offset = *last;
    pending.image = state_.image;
    pending_.push_back(std::move(pending));
    return last;
}

void ControllerNode::answer_later(sim::Context& ctx, ReplyTo to, sim::MessageRef response) {
    if (pending_.empty()) {
        ctx.send(to.connection, std::move(response), to.correlation);
        return;
    }
    // Also an answer without records waits: it may rest on records that are not committed yet.
    DeferredAnswer answer;
    answer.offset = pending_.back().last_offset;
    answer.connection = to.connection;
    answer.correlation = to.correlation;
    answer.response = std::move(response);
    answer.cause = ctx.cause();
    answers_.push_back(std::move(answer));
}

void ControllerNode::on_progress(sim::Context& ctx, raft::QuorumProgress progress) {
    if (progress.failed) {
        ctx.exit_process();
        return;
    }
    if (progress.committed) {
        on_committed(ctx);
    }
}

void ControllerNode::on_committed(sim::Context& ctx) {
    if (!active_) {
        claim(ctx);
        return;
    }
    const types::Offset committed = *quorum_.high_watermark();
    while (!pending_.empty() && pending_.front().last_offset < committed) {
        for (const CommitNote& note : pending_.front().notes) {
            emit_note(ctx, note);
        }
        committed_ = std::move(pending_.front().image);
        pending_.pop_front();
    }
    while (!answers_.empty() && answers_.front().offset < committed) {
        DeferredAnswer& answer = answers_.front();
        ctx.send(answer.connection, std::move(answer.response), answer.correlation, {answer.cause});
        answers_.pop_front();
    }
}

}  // namespace klab::controller
