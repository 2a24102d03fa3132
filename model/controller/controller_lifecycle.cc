// SPDX-License-Identifier: Apache-2.0
//
// How a controller starts: its directory, the quorum, the image from the bytes of the log, and the
// records of its activation.
//
// Owns: active_.
// Called by: controller_node.cc.
// Kafka: ControllerServer.startup, QuorumController.claim, CompleteActivationEvent;
// kafka-storage.sh format.
#include "model/controller/bootstrap_records.h"
#include "model/controller/controller_node.h"
#include "model/controller/metadata_directory.h"
#include "model/metadata/metadata_loader.h"
#include "model/storage/record_batch.h"

namespace klab::controller {

void ControllerNode::on_booted(sim::Context& ctx) {
    const std::string directory(kMetadataLogDirectory);
    if (!prepare_metadata_directory(ctx, directory, id_, cluster_id_)) {
        ctx.exit_process();
        return;
    }
    // Activation follows when the first record of the new epoch is committed.
    on_progress(ctx, quorum_.start(ctx));
}

namespace {

/// Everything committed, read in pieces as the log hands them out.
std::optional<Bytes> read_all(sim::Context& ctx, const raft::QuorumNode& quorum) {
    Bytes all;
    types::Offset next(0);
    while (quorum.high_watermark() && next < *quorum.high_watermark()) {
        const auto piece = quorum.read_committed(ctx, next, raft::kBatchBytesMax);
        if (!piece || piece->empty()) {
            return std::nullopt;
        }
        storage::BatchIterator it(*piece);
        while (const auto batch = it.next()) {
            next = batch->next_offset();
        }
        all.insert(all.end(), piece->begin(), piece->end());
    }
    return all;
}

/// Where the last batch with metadata records begins; the size when there is none.
std::size_t last_data_batch(ByteView batches) {
    std::size_t last = batches.size();
    std::size_t at = 0;
    storage::BatchIterator it(batches);
    while (const auto batch = it.next()) {
        if (!batch->is_control()) {
            last = at;
        }
        at = it.position();
    }
    return last;
}

/// Offset of the registration record of each broker.
bool find_registrations(ByteView batches, CowMap<types::BrokerId, types::Offset>& out) {
    const auto records = metadata::read_records(batches);
    if (!records) {
        return false;
    }
    for (const metadata::PlacedRecord& placed : *records) {
        if (const auto* broker = std::get_if<metadata::RegisterBrokerRecord>(&placed.record)) {
            out.insert_or_assign(broker->broker_id, placed.offset);
        }
    }
    return true;
}

}  // namespace

bool ControllerNode::recover(sim::Context& ctx) {
    const std::optional<Bytes> bytes = read_all(ctx, quorum_);
    if (!bytes) {
        return false;
    }
    const ByteView all(*bytes);
    const std::size_t split = last_data_batch(all);
    metadata::MetadataLoader before;
    CowMap<types::BrokerId, types::Offset> registered_at;
    if (!before.load(all.first(split)) || !find_registrations(all.first(split), registered_at)) {
        return false;
    }
    state_.adopt(before.image(), registered_at);
    if (before.transaction_start()) {
        // klab writes a transaction in one batch, so none is ever open between two.
        return false;
    }
    return announce_last_batch(ctx, all.subspan(split));
}

/// The crash may have come between the fsync of the last batch and its announcement, so it is
/// announced again.
bool ControllerNode::announce_last_batch(sim::Context& ctx, ByteView batches) {
    const auto records = metadata::read_records(batches);
    if (!records) {
        return false;
    }
    NoteContext context;
    context.cause = ctx.cause();
    std::vector<metadata::MetadataRecord> plain;
    for (const metadata::PlacedRecord& placed : *records) {
        plain.push_back(placed.record);
    }
    if (!plain.empty()) {
        for (const CommitNote& note : replay(ctx, records->front().offset, plain, context)) {
            emit_note(ctx, note);
        }
    }
    return true;
}

void ControllerNode::claim(sim::Context& ctx) {
    if (!recover(ctx)) {
        // The log is damaged in a way that its checksums do not show: Kafka's fatal fault.
        ctx.exit_process();
        return;
    }
    state_.next_write_offset = quorum_.next_offset();
    state_.image.offset = quorum_.next_offset() - 1;
    committed_ = state_.image;
    state_.activate(ctx.monotonic());
    active_ = true;
    ActivationInput input;
    input.bootstrap_level = types::info(types::rules(ctx).version).metadata_level;
    input.metadata_level = state_.image.metadata_level();
    if (types::rules(ctx).elr) {
        input.elr_min_isr = config_.topic_defaults.min_insync_replicas;
    }
    const auto records = activation_records(input);
    if (!records) {
        ctx.exit_process();
        return;
    }
    static_cast<void>(write(ctx, *records, {}, std::nullopt));
    start_tasks(ctx);
}

}  // namespace klab::controller
