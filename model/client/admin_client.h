// SPDX-License-Identifier: Apache-2.0
//
// AdminClient: an operator's hands. Each call is one request to any live broker (which forwards
// what is the controller's) or to the leader of a partition, tried again after disconnects and
// retriable errors until default.api.timeout.ms is over.
//
//     AdminCall -> waiting -(broker ready)-> sent -(answer)-> admin.answered for each name
//                     ^------(disconnect, retriable error: after retry.backoff.ms)---'
//
// Before a request to a leader goes a Metadata request that finds it (partition_leader_lookup.h).
//
// Owns: the calls under way (volatile), timer kAdminRetry.
// Called by: kafka_world. Kafka: KafkaAdminClient. Works without StartClient.
// Simplified: no cache of the controller; a call with several topics is tried again as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "model/client/network_client.h"
#include "model/protocol/topic_admin.h"
#include "model/types/admin_config.h"
#include "model/types/model_data.h"
#include "sim/kernel/context.h"

namespace klab::client {

class AdminClient {
  public:
    AdminClient() = default;

    /// Requires: the settings of `spec` are valid.
    AdminClient(const types::ModelData& data, const types::ClientSpec& spec);

    void step(const sim::Input& input, sim::Context& ctx);

    /// Calls without an answer yet.
    [[nodiscard]] std::size_t pending() const { return calls_.size(); }

    friend bool operator==(const AdminClient&, const AdminClient&) = default;

  private:
    struct Call {
        sim::MessageRef request;
        Time deadline;    // monotonic
        Time not_before;  // monotonic, after a failed try
        std::uint32_t tries = 0;
        bool sent = false;
        std::optional<types::BrokerId> leader;  // to whom it goes, once looked up
        sim::EventId cause;

        friend bool operator==(const Call&, const Call&) = default;
    };

    void run(sim::Context& ctx);
    void on_completion(sim::Context& ctx, const Completion& completion);
    /// A call to a leader got on. Says whether it is over.
    [[nodiscard]] bool on_leader_call(sim::Context& ctx, Call& call, const Completion& completion);
    void try_later(sim::Context& ctx, Call& call);
    void answer(sim::Context& ctx,
                std::uint16_t api,
                const std::vector<protocol::NamedResult>& results);

    types::AdminConfig config_;
    NetworkClient net_;
    std::int64_t next_token_ = 1;
    std::map<std::int64_t, Call> calls_;  // by token
};

}  // namespace klab::client
