// SPDX-License-Identifier: Apache-2.0
//
// Commit notes: the events that tell what a metadata record changed. They are prepared when the
// record is replayed and emitted when it is committed, because only then is it true for anyone but
// the active controller.
//
// Called by: controller_writes.cc, controller_lifecycle.cc.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "model/controller/decision.h"
#include "model/metadata/image_replay.h"
#include "sim/kernel/context.h"

namespace klab::controller {

/// An event to be emitted later.
struct CommitNote {
    sim::EventKind kind;
    std::array<std::int64_t, sim::kEventFieldsMax> fields{};
    std::uint8_t field_count = 0;
    sim::EventId cause;  ///< the decision behind it

    friend bool operator==(const CommitNote&, const CommitNote&) = default;
};

/// What the decision behind the records knows and the records do not say.
struct NoteContext {
    sim::EventId cause;  ///< of everything without a closer one
    std::map<metadata::TopicIdPartition, sim::EventId> elections;  ///< event of each election
    std::optional<BrokerNote> broker;
};

/// Adds the notes of one record. `before` is the image without it, `after` with it, `delta` the
/// difference.
void add_notes(sim::Context& ctx,
               const NoteContext& context,
               types::Offset offset,
               const metadata::MetadataRecord& record,
               const metadata::MetadataDelta& delta,
               const metadata::MetadataImage& after,
               std::vector<CommitNote>& notes);

void emit_note(sim::Context& ctx, const CommitNote& note);

/// Emits candidate.judged for each replica and leader.elected or leader.lost. Returns the event of
/// the outcome.
sim::EventId emit_election(sim::Context& ctx,
                           const ElectionReport& election,
                           const metadata::MetadataImage& image);

/// Field value of a partition: "t-0", or the topic's id in place of an unknown name.
[[nodiscard]] std::int64_t partition_field(sim::Context& ctx,
                                           const metadata::MetadataImage& image,
                                           const metadata::TopicIdPartition& id);

}  // namespace klab::controller
