// SPDX-License-Identifier: Apache-2.0
//
// See broker_registration.h.
#include "model/controller/broker_registration.h"

#include <algorithm>

namespace klab::controller {

namespace {

using types::ErrorCode;

constexpr std::int16_t kMetadataLevelMin = 7;  // 3.3-IV3, the oldest that 4.x supports
constexpr std::uint16_t kPort = 9092;

bool is_reserved(const types::Uuid& directory) {
    return directory.high == 0 && directory.low < 100;
}

bool belongs_to_another(const ControllerView& view,
                        types::BrokerId broker,
                        const types::Uuid& directory) {
    bool found = false;
    view.state.image.brokers.for_each([&](types::BrokerId id,
                                          const Cow<metadata::BrokerRegistration>& other) {
        found = found || (id != broker &&
                          std::ranges::find(other->log_dirs, directory) != other->log_dirs.end());
    });
    return found;
}

bool are_directories_valid(const ControllerView& view,
                           const protocol::BrokerRegistrationRequest& request) {
    std::vector<types::Uuid> sorted = request.log_dirs;
    std::ranges::sort(sorted);
    if (sorted.empty() || std::ranges::adjacent_find(sorted) != sorted.end()) {
        return false;
    }
    return std::ranges::none_of(sorted, [&](const types::Uuid& directory) {
        return is_reserved(directory) || belongs_to_another(view, request.broker_id, directory);
    });
}

ErrorCode check_request(const ControllerView& view,
                        const protocol::BrokerRegistrationRequest& request,
                        const types::Uuid& cluster_id,
                        const metadata::BrokerRegistration* existing) {
    if (request.cluster_id != cluster_id) {
        return ErrorCode::kInconsistentClusterId;
    }
    const Duration session = types::duration_of_ms(view.config.broker_session_timeout_ms);
    if (existing != nullptr && existing->incarnation_id != request.incarnation_id &&
        view.state.contacts.has_valid_session({existing->id, existing->epoch}, view.now, session)) {
        // Two processes with one id must never both take part; a restarted one comes again.
        return ErrorCode::kDuplicateBrokerRegistration;
    }
    if (view.state.image.knows_directories() && !are_directories_valid(view, request)) {
        return ErrorCode::kInvalidRegistration;
    }
    return ErrorCode::kNone;
}

/// What the predecessor of a new process leaves behind: it is in ISRs that it need not deserve.
IsrUpdates clean_up(const ControllerView& view, types::BrokerId broker, bool clean) {
    if (!view.rules.elr || clean) {
        return update_isrs(
            view, IsrUpdateCause{.removed = broker}, view.state.partitions.in_isr_of(broker));
    }
    const IsrUpdateCause cause{.unclean_shutdown = broker};
    IsrUpdates updates = update_isrs(view, cause, view.state.partitions.in_isr_of(broker));
    IsrUpdates of_elr = update_isrs(view, cause, view.state.partitions.in_elr_of(broker));
    add(updates, std::move(of_elr));
    return updates;
}

metadata::RegisterBrokerRecord make_record(const ControllerView& view,
                                           const protocol::BrokerRegistrationRequest& request,
                                           const std::string& host) {
    metadata::RegisterBrokerRecord record;
    record.broker_id = request.broker_id;
    record.incarnation_id = request.incarnation_id;
    record.endpoints.push_back({"PLAINTEXT", host, kPort, 0});
    record.features.push_back({std::string(metadata::kMetadataVersionFeature),
                               kMetadataLevelMin,
                               types::info(view.rules.version).metadata_level});
    record.rack = request.rack;
    if (view.state.image.knows_directories()) {
        record.log_dirs = request.log_dirs;
    }
    return record;
}

}  // namespace

Decision<RegistrationResult> decide_registration(const ControllerView& view,
                                                 const protocol::BrokerRegistrationRequest& request,
                                                 const types::Uuid& cluster_id,
                                                 const std::string& host) {
    Decision<RegistrationResult> decision;
    RegistrationResult& result = decision.result;
    const metadata::BrokerRegistration* existing = view.state.image.broker(request.broker_id);
    result.response.error = check_request(view, request, cluster_id, existing);
    if (result.response.error != ErrorCode::kNone) {
        return decision;
    }
    metadata::RegisterBrokerRecord record = make_record(view, request, host);
    result.new_incarnation =
        existing == nullptr || existing->incarnation_id != request.incarnation_id;
    if (result.new_incarnation) {
        result.clean = existing != nullptr && request.previous_broker_epoch == existing->epoch;
        record.broker_epoch = types::BrokerEpoch(view.state.next_write_offset.value());
        decision.broker = BrokerNote{"new incarnation", std::nullopt, result.clean};
        append(decision, clean_up(view, request.broker_id, result.clean));
    } else {
        record.broker_epoch = existing->epoch;
        record.fenced = existing->fenced;
        record.in_controlled_shutdown = existing->in_controlled_shutdown;
    }
    result.response.broker_epoch = record.broker_epoch;
    // Last: a crash in between only repeats the clean-up.
    decision.records.emplace_back(std::move(record));
    return decision;
}

}  // namespace klab::controller
