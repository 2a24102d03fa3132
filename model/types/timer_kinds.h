// SPDX-License-Identifier: Apache-2.0
//
// Numbers and names of everything that nodes put in a timer key or in an event's symbol field. The
// names appear in timer.fired events.
#pragma once

#include <cstdint>
#include <string_view>

namespace klab::types {

/// Kinds of timers, by owner: 1.. broker, 100.. controller, 200.. clients.
enum class TimerKind : std::uint32_t {
    // broker
    kRequestReady = 1,      ///< hand a queued request to a request handler lane
    kHeartbeat = 2,         ///< next registration or heartbeat
    kIsrExpiration = 3,     ///< every replica.lag.time.max.ms / 2
    kHwCheckpoint = 4,      ///< every replica.high.watermark.checkpoint.interval.ms
    kFetcherWork = 5,       ///< a: source broker, b: fetcher id
    kFetcherRequest = 6,    ///< request timeout of a fetcher
    kDelayedOperation = 7,  ///< expiry of a parked request; a: operation number
    kAlterPartition = 8,    ///< resend after an error
    kChannelRetry = 9,      ///< look for the controller again
    kChannelRequest = 10,   ///< request timeout to the controller; a: correlation
    kMetadataFetch = 11,    ///< next fetch of the metadata log
    kShutdownTimeout = 12,  ///< controlled shutdown took too long
    kRegistrationTimeout = 13,
    kLogMaintenance = 14,
    kResponseSent = 15,        ///< an answer has left, its connection may go on; a: connection
    kNetworkThread = 16,       ///< a network thread that was blocked goes on; a: thread
    kLogWork = 17,             ///< flush of closed segments, removal of deleted files
    kLogRetention = 18,        ///< every log.retention.check.interval.ms
    kLogCleaner = 19,          ///< a piece of a cleaning, or log.cleaner.backoff.ms; a: thread
    kProducerExpiration = 20,  ///< every producer.id.expiration.check.interval.ms
    kLogDirFailure = 21,  ///< log.dir.failure.timeout.ms; a: place of the directory in log.dirs
    kDirectoryAssignments = 22,  ///< tell the controller where replicas are
    kLogDeletion = 23,           ///< removal of deleted logs
    kFirstPublish = 24,          ///< the first metadata are to be applied
    // controller
    kStaleBrokerCheck = 100,
    kNoOpRecord = 101,
    kPreferredElection = 102,
    kUncleanElection = 103,
    kAppendLinger = 104,
    kDelayedMetadataFetch = 105,  ///< a: connection, b: correlation
    kMetadataFlushed = 106,       ///< the fsync of the metadata log is done
    // clients
    kNextSend = 200,
    kLinger = 201,         ///< a: partition
    kClientRequest = 202,  ///< request timeout; a: connection, b: correlation
    kReconnect = 203,      ///< a: broker
    kRetryBackoff = 204,
    kMetadataRefresh = 205,
    kDeliveryTimeout = 206,
    kPoll = 207,
    kWork = 208,
    kAdminRetry = 209,
    kConnectionSetup = 210,  ///< a: broker
};

/// "heartbeat", "isr_expiration", ...; "?" for a number without a name.
[[nodiscard]] std::string_view timer_symbol(std::int64_t timer);

}  // namespace klab::types
