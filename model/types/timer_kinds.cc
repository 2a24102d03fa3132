// SPDX-License-Identifier: Apache-2.0
//
// Names of timers for the event table.
#include "model/types/timer_kinds.h"

#include <array>
#include <utility>

namespace klab::types {

namespace {

using enum TimerKind;

constexpr std::array<std::pair<TimerKind, std::string_view>, 42> kTimers{{
    {kRequestReady, "request_ready"},
    {kHeartbeat, "heartbeat"},
    {kIsrExpiration, "isr_expiration"},
    {kHwCheckpoint, "hw_checkpoint"},
    {kFetcherWork, "fetcher_work"},
    {kFetcherRequest, "fetcher_request"},
    {kDelayedOperation, "delayed_operation"},
    {kAlterPartition, "alter_partition"},
    {kChannelRetry, "channel_retry"},
    {kChannelRequest, "channel_request"},
    {kMetadataFetch, "metadata_fetch"},
    {kShutdownTimeout, "shutdown_timeout"},
    {kRegistrationTimeout, "registration_timeout"},
    {kLogMaintenance, "log_maintenance"},
    {kResponseSent, "response_sent"},
    {kNetworkThread, "network_thread"},
    {kLogWork, "log_work"},
    {kLogRetention, "log_retention"},
    {kLogCleaner, "log_cleaner"},
    {kProducerExpiration, "producer_expiration"},
    {kLogDirFailure, "log_dir_failure"},
    {kDirectoryAssignments, "directory_assignments"},
    {kLogDeletion, "log_deletion"},
    {kFirstPublish, "first_publish"},
    {kStaleBrokerCheck, "stale_broker_check"},
    {kNoOpRecord, "no_op_record"},
    {kPreferredElection, "preferred_election"},
    {kUncleanElection, "unclean_election"},
    {kAppendLinger, "append_linger"},
    {kDelayedMetadataFetch, "delayed_metadata_fetch"},
    {kMetadataFlushed, "metadata_flushed"},
    {kNextSend, "next_send"},
    {kLinger, "linger"},
    {kClientRequest, "client_request"},
    {kReconnect, "reconnect"},
    {kRetryBackoff, "retry_backoff"},
    {kMetadataRefresh, "metadata_refresh"},
    {kDeliveryTimeout, "delivery_timeout"},
    {kPoll, "poll"},
    {kWork, "work"},
    {kAdminRetry, "admin_retry"},
    {kConnectionSetup, "connection_setup"},
}};

}  // namespace

std::string_view timer_symbol(std::int64_t timer) {
    for (const auto& [kind, name] : kTimers) {
        if (static_cast<std::int64_t>(kind) == timer) {
            return name;
        }
    }
    return "?";
}

}  // namespace klab::types
