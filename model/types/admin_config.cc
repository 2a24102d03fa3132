// SPDX-License-Identifier: Apache-2.0
//
// See admin_config.h.
#include "model/types/admin_config.h"

#include "model/types/config_reader.h"

namespace klab::types {

Result<AdminConfig, SettingErrors> make_admin_config(KafkaVersion version,
                                                     const SettingMap& overrides) {
    ConfigReader reader({Where::kAdmin}, version, overrides);
    AdminConfig config;
    config.retries = reader.count("retries");
    config.request_timeout_ms = reader.pause("request.timeout.ms");
    config.default_api_timeout_ms = reader.integer("default.api.timeout.ms");
    config.retry_backoff_ms = reader.pause("retry.backoff.ms");
    config.retry_backoff_max_ms = reader.retry_backoff_max();
    config.reconnect_backoff_ms = reader.pause("reconnect.backoff.ms");
    config.reconnect_backoff_max_ms = reader.reconnect_backoff_max();
    config.metadata_max_age_ms = reader.pause("metadata.max.age.ms");
    config.connection_setup_timeout_ms = reader.integer("socket.connection.setup.timeout.ms");
    config.connection_setup_timeout_max_ms =
        reader.integer("socket.connection.setup.timeout.max.ms");
    return std::move(reader).finish(config);
}

}  // namespace klab::types
