// SPDX-License-Identifier: Apache-2.0
//
// See controller_node.h.
#include "model/controller/controller_node.h"

#include "model/protocol/app_call.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"
#include "sim/base/overloaded.h"

namespace klab::controller {

ControllerNode ControllerNode::boot(const types::ModelData& data,
                                    const types::ControllerSpec& spec) {
    const auto config = types::make_controller_config(data.rules.version, spec.config);
    KLAB_ASSERT(config.ok(), "settings of {} were not checked", spec.name);
    ControllerNode node;
    node.id_ = spec.id;
    node.name_ = spec.name;
    node.config_ = *config;
    node.cluster_id_ = data.cluster.cluster_id;
    raft::QuorumSpec quorum;
    quorum.id = spec.id;
    for (const types::ControllerSpec& voter : data.cluster.controllers) {
        quorum.voters.push_back(voter.id);
    }
    quorum.log_directory = std::string(kMetadataLogDirectory);
    quorum.segment_bytes = node.config_.metadata_log_segment_bytes;
    quorum.append_linger = types::duration_of_ms(node.config_.quorum_append_linger_ms);
    quorum.lane = kRaftLane;
    node.quorum_ = raft::QuorumNode(std::move(quorum));
    return node;
}

ControllerView ControllerNode::view(const sim::Context& ctx) const {
    return {state_, types::rules(ctx), config_, ctx.monotonic()};
}

void ControllerNode::step(const sim::Input& input, sim::Context& ctx) {
    if (halting_) {
        return;
    }
    std::visit(overloaded{
                   [&](const sim::Booted&) { on_booted(ctx); },
                   [&](const sim::Connected&) {},
                   [&](const sim::Delivered& delivered) { on_delivered(ctx, delivered); },
                   [&](const sim::Disconnected& over) {
                       quorum_.on_disconnected(ctx, over.connection);
                       std::erase_if(answers_, [&](const DeferredAnswer& answer) {
                           return answer.connection == over.connection;
                       });
                   },
                   [&](const sim::TimerFired& fired) { on_timer(ctx, fired.key); },
                   [&](const sim::Resumed&) {},
                   [&](const sim::AppCall& call) {
                       // The only voter has nobody to hand over to.
                       if (call.call.is<protocol::StopNode>()) {
                           ctx.exit_process();
                       }
                   },
               },
               input.body);
    // The directory of the metadata log failed: the process ends (LogManager.handleLogDirFailure,
    // KafkaRaftManager's fatal fault).
    if (const sim::Context::DiskFailure* failure = ctx.disk_failure()) {
        halting_ = true;
        const std::int64_t directory = ctx.text(kMetadataLogDirectory);
        const std::int64_t error = ctx.text(sim::disk_error_name(failure->error));
        ctx.emit(types::events::kLogDirFailed, {directory, error, 0}, {failure->event});
        ctx.exit_process();
    }
}

}  // namespace klab::controller
