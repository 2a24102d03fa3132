// SPDX-License-Identifier: Apache-2.0
//
// Kafka's error codes: the number on the wire, the name, whether a client may try again, and what
// it must look up again before it does. One table (error_code.cc) holds all of them.
//
// Called by: every request and response, the clients, scenario triggers ("error"), `klab explain`.
// Kafka: org.apache.kafka.common.protocol.Errors; retriable = the code's exception class is a
// RetriableException, refresh = it is an InvalidMetadataException or RefreshRetriableException.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace klab::types {

/// The code of one outcome. Kafka's name NOT_LEADER_OR_FOLLOWER is kNotLeaderOrFollower here.
enum class ErrorCode : std::int16_t {
    kUnknownServerError = -1,
    kNone = 0,
    kOffsetOutOfRange = 1,
    kCorruptMessage = 2,
    kUnknownTopicOrPartition = 3,
    kInvalidFetchSize = 4,
    kLeaderNotAvailable = 5,
    kNotLeaderOrFollower = 6,
    kRequestTimedOut = 7,
    kBrokerNotAvailable = 8,
    kReplicaNotAvailable = 9,
    kMessageTooLarge = 10,
    kStaleControllerEpoch = 11,
    kOffsetMetadataTooLarge = 12,
    kNetworkException = 13,
    kCoordinatorLoadInProgress = 14,
    kCoordinatorNotAvailable = 15,
    kNotCoordinator = 16,
    kInvalidTopicException = 17,
    kRecordListTooLarge = 18,
    kNotEnoughReplicas = 19,
    kNotEnoughReplicasAfterAppend = 20,
    kInvalidRequiredAcks = 21,
    kIllegalGeneration = 22,
    kInconsistentGroupProtocol = 23,
    kInvalidGroupId = 24,
    kUnknownMemberId = 25,
    kInvalidSessionTimeout = 26,
    kRebalanceInProgress = 27,
    kInvalidCommitOffsetSize = 28,
    kTopicAuthorizationFailed = 29,
    kGroupAuthorizationFailed = 30,
    kClusterAuthorizationFailed = 31,
    kInvalidTimestamp = 32,
    kUnsupportedSaslMechanism = 33,
    kIllegalSaslState = 34,
    kUnsupportedVersion = 35,
    kTopicAlreadyExists = 36,
    kInvalidPartitions = 37,
    kInvalidReplicationFactor = 38,
    kInvalidReplicaAssignment = 39,
    kInvalidConfig = 40,
    kNotController = 41,
    kInvalidRequest = 42,
    kUnsupportedForMessageFormat = 43,
    kPolicyViolation = 44,
    kOutOfOrderSequenceNumber = 45,
    kDuplicateSequenceNumber = 46,
    kInvalidProducerEpoch = 47,
    kInvalidTxnState = 48,
    kInvalidProducerIdMapping = 49,
    kInvalidTransactionTimeout = 50,
    kConcurrentTransactions = 51,
    kTransactionCoordinatorFenced = 52,
    kTransactionalIdAuthorizationFailed = 53,
    kSecurityDisabled = 54,
    kOperationNotAttempted = 55,
    kKafkaStorageError = 56,
    kLogDirNotFound = 57,
    kSaslAuthenticationFailed = 58,
    kUnknownProducerId = 59,
    kReassignmentInProgress = 60,
    kDelegationTokenAuthDisabled = 61,
    kDelegationTokenNotFound = 62,
    kDelegationTokenOwnerMismatch = 63,
    kDelegationTokenRequestNotAllowed = 64,
    kDelegationTokenAuthorizationFailed = 65,
    kDelegationTokenExpired = 66,
    kInvalidPrincipalType = 67,
    kNonEmptyGroup = 68,
    kGroupIdNotFound = 69,
    kFetchSessionIdNotFound = 70,
    kInvalidFetchSessionEpoch = 71,
    kListenerNotFound = 72,
    kTopicDeletionDisabled = 73,
    kFencedLeaderEpoch = 74,
    kUnknownLeaderEpoch = 75,
    kUnsupportedCompressionType = 76,
    kStaleBrokerEpoch = 77,
    kOffsetNotAvailable = 78,
    kMemberIdRequired = 79,
    kPreferredLeaderNotAvailable = 80,
    kGroupMaxSizeReached = 81,
    kFencedInstanceId = 82,
    kEligibleLeadersNotAvailable = 83,
    kElectionNotNeeded = 84,
    kNoReassignmentInProgress = 85,
    kGroupSubscribedToTopic = 86,
    kInvalidRecord = 87,
    kUnstableOffsetCommit = 88,
    kThrottlingQuotaExceeded = 89,
    kProducerFenced = 90,
    kResourceNotFound = 91,
    kDuplicateResource = 92,
    kUnacceptableCredential = 93,
    kInconsistentVoterSet = 94,
    kInvalidUpdateVersion = 95,
    kFeatureUpdateFailed = 96,
    kPrincipalDeserializationFailure = 97,
    kSnapshotNotFound = 98,
    kPositionOutOfRange = 99,
    kUnknownTopicId = 100,
    kDuplicateBrokerRegistration = 101,
    kBrokerIdNotRegistered = 102,
    kInconsistentTopicId = 103,
    kInconsistentClusterId = 104,
    kTransactionalIdNotFound = 105,
    kFetchSessionTopicIdError = 106,
    kIneligibleReplica = 107,
    kNewLeaderElected = 108,
    kOffsetMovedToTieredStorage = 109,
    kFencedMemberEpoch = 110,
    kUnreleasedInstanceId = 111,
    kUnsupportedAssignor = 112,
    kStaleMemberEpoch = 113,
    kMismatchedEndpointType = 114,
    kUnsupportedEndpointType = 115,
    kUnknownControllerId = 116,
    kUnknownSubscriptionId = 117,
    kTelemetryTooLarge = 118,
    kInvalidRegistration = 119,
    kTransactionAbortable = 120,
    kInvalidRecordState = 121,
    kShareSessionNotFound = 122,
    kInvalidShareSessionEpoch = 123,
    kFencedStateEpoch = 124,
    kInvalidVoterKey = 125,
    kDuplicateVoter = 126,
    kVoterNotFound = 127,
    kInvalidRegularExpression = 128,
    kRebootstrapRequired = 129,
    kStreamsInvalidTopology = 130,
    kStreamsInvalidTopologyEpoch = 131,
    kStreamsTopologyFenced = 132,
    kShareSessionLimitReached = 133,
};

inline constexpr std::size_t kErrorCodeCount = 135;

/// What a client must look up again before it repeats a request that failed with a code.
enum class Refresh : std::uint8_t {
    kNothing,
    kMetadata,     ///< leaders and epochs of partitions
    kCoordinator,  ///< the broker that coordinates its group or transactional id
};

struct ErrorInfo {
    ErrorCode code;
    std::string_view name;     ///< Kafka's name, upper case
    bool retriable;            ///< the same request may succeed later
    Refresh refresh;           ///< needed before the next try
    std::string_view meaning;  ///< one sentence in klab's words
};

/// Every code, ordered by number from -1 on.
[[nodiscard]] std::span<const ErrorInfo> all_errors();

[[nodiscard]] const ErrorInfo& info(ErrorCode code);

/// Kafka's name of the code, for traces and messages.
[[nodiscard]] std::string_view name(ErrorCode code);

/// May the same request succeed later? False for kNone.
[[nodiscard]] bool is_retriable(ErrorCode code);

/// Does the code tell a client that its picture of partition leaders is out of date?
[[nodiscard]] bool needs_metadata_refresh(ErrorCode code);

/// The code with Kafka's name, upper case; nothing if there is none.
[[nodiscard]] std::optional<ErrorCode> find_error(std::string_view name);

[[nodiscard]] constexpr std::int16_t to_wire(ErrorCode code) {
    return static_cast<std::int16_t>(code);
}

/// The code of a number read from a message. Numbers klab does not know become
/// kUnknownServerError, as in Kafka's clients.
[[nodiscard]] ErrorCode error_from_wire(std::int16_t value);

}  // namespace klab::types
