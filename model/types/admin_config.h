// SPDX-License-Identifier: Apache-2.0
//
// The settings of an admin client as the model uses them.
//
// Called by: client (admin).
// Kafka: AdminClientConfig.
#pragma once

#include <cstdint>

#include "model/types/settings.h"
#include "sim/base/result.h"

namespace klab::types {

struct AdminConfig {
    std::int32_t retries = 2'147'483'647;          ///< retries, of one request
    std::int64_t request_timeout_ms = 30'000;      ///< request.timeout.ms
    std::int64_t default_api_timeout_ms = 60'000;  ///< default.api.timeout.ms, of one call

    std::int64_t retry_backoff_ms = 100;  ///< retry.backoff.ms
    std::int64_t retry_backoff_max_ms =
        1'000;  ///< retry.backoff.max.ms; equal to the former before 3.7

    std::int64_t reconnect_backoff_ms = 50;         ///< reconnect.backoff.ms
    std::int64_t reconnect_backoff_max_ms = 1'000;  ///< reconnect.backoff.max.ms

    std::int64_t metadata_max_age_ms = 300'000;  ///< metadata.max.age.ms

    /// socket.connection.setup.timeout.ms and .max.ms.
    std::int64_t connection_setup_timeout_ms = 10'000;
    std::int64_t connection_setup_timeout_max_ms = 30'000;

    friend bool operator==(const AdminConfig&, const AdminConfig&) = default;
};

/// An admin client's configuration: the version's defaults, changed by `overrides`.
/// Errors: every unknown name, bad value and conflict, by name.
[[nodiscard]] Result<AdminConfig, SettingErrors> make_admin_config(KafkaVersion version,
                                                                   const SettingMap& overrides);

}  // namespace klab::types
