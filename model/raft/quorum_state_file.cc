// SPDX-License-Identifier: Apache-2.0
//
// See quorum_state_file.h.
#include "model/raft/quorum_state_file.h"

#include <limits>

#include <nlohmann/json.hpp>

#include "model/raft/durable_file.h"

namespace klab::raft {

namespace {

using Json = nlohmann::ordered_json;  // keeps the order of Kafka's fields

constexpr std::int32_t kNobody = -1;  // in the file only

std::int32_t to_file(const std::optional<types::BrokerId>& id) {
    return id ? id->value() : kNobody;
}

/// A 32-bit integer field; nothing when it is missing or something else.
std::optional<std::int32_t> integer(const Json& object, const char* field) {
    const auto found = object.find(field);
    if (found == object.end() || !found->is_number_integer()) {
        return std::nullopt;
    }
    const auto value = found->get<std::int64_t>();
    if (value < std::numeric_limits<std::int32_t>::min() ||
        value > std::numeric_limits<std::int32_t>::max()) {
        return std::nullopt;
    }
    return static_cast<std::int32_t>(value);
}

std::optional<types::BrokerId> node_of(std::int32_t value) {
    return value < 0 ? std::nullopt : std::optional(types::BrokerId(value));
}

}  // namespace

std::string to_quorum_state_text(const ElectionState& state) {
    Json voters = Json::array();
    for (const types::BrokerId voter : state.voters) {
        Json entry;
        entry["voterId"] = voter.value();
        voters.push_back(std::move(entry));
    }
    Json json;
    json["clusterId"] = "";
    json["leaderId"] = to_file(state.leader);
    json["leaderEpoch"] = state.epoch.value();
    json["votedId"] = to_file(state.voted_for);
    json["appliedOffset"] = 0;
    json["currentVoters"] = std::move(voters);
    json["data_version"] = 0;
    return json.dump();
}

std::optional<ElectionState> parse_quorum_state(std::string_view text) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) {
        return std::nullopt;
    }
    const std::optional<std::int32_t> version = integer(json, "data_version");
    const std::optional<std::int32_t> epoch = integer(json, "leaderEpoch");
    const std::optional<std::int32_t> leader = integer(json, "leaderId");
    const std::optional<std::int32_t> voted = integer(json, "votedId");
    if (!version || *version < 0 || *version > 1 || !epoch || *epoch < 0 || !leader || !voted) {
        return std::nullopt;
    }
    ElectionState state;
    state.epoch = types::QuorumEpoch(*epoch);
    state.leader = node_of(*leader);
    state.voted_for = node_of(*voted);
    const auto voters = json.find("currentVoters");
    if (voters != json.end() && voters->is_array()) {
        for (const Json& entry : *voters) {
            const std::optional<std::int32_t> id =
                entry.is_object() ? integer(entry, "voterId") : std::nullopt;
            if (!id) {
                return std::nullopt;
            }
            state.voters.emplace_back(*id);
        }
    }
    return state;
}

std::optional<ElectionState> read_quorum_state(sim::DiskAccess disk, const std::string& directory) {
    const std::string path = directory + "/" + std::string(kQuorumStateFile);
    const sim::DiskResult<std::string> text = read_file(disk, path);
    return text ? parse_quorum_state(*text) : std::nullopt;
}

sim::DiskResult<sim::Done> write_quorum_state(sim::DiskAccess disk,
                                              const std::string& directory,
                                              const ElectionState& state) {
    return replace_file(disk, directory, kQuorumStateFile, to_quorum_state_text(state));
}

}  // namespace klab::raft
