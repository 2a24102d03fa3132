// SPDX-License-Identifier: Apache-2.0
//
// The table of error codes. See error_code.h.
#include "model/types/error_code.h"

#include <algorithm>
#include <array>

#include "sim/base/assert.h"

namespace klab::types {

namespace {

/// How a client reacts to a code.
enum class Reaction : std::uint8_t { kFatal, kRetry, kRetryMetadata, kRetryCoordinator };

using enum Reaction;

constexpr Refresh refresh_of(Reaction reaction) {
    switch (reaction) {
        case kFatal:
        case kRetry:
            return Refresh::kNothing;
        case kRetryMetadata:
            return Refresh::kMetadata;
        case kRetryCoordinator:
            return Refresh::kCoordinator;
    }
    return Refresh::kNothing;
}

constexpr ErrorInfo row(ErrorCode code,
                        std::string_view name,
                        Reaction reaction,
                        std::string_view meaning) {
    return {code, name, reaction != kFatal, refresh_of(reaction), meaning};
}

// clang-format off
constexpr std::array<ErrorInfo, kErrorCodeCount> kErrors = {{
    row(ErrorCode::kUnknownServerError, "UNKNOWN_SERVER_ERROR", kFatal,
        "The broker failed in a way it has no code for."),
    row(ErrorCode::kNone, "NONE", kFatal,
        "Success."),
    row(ErrorCode::kOffsetOutOfRange, "OFFSET_OUT_OF_RANGE", kFatal,
        "The offset asked for is outside the log: below its start or above its end."),
    row(ErrorCode::kCorruptMessage, "CORRUPT_MESSAGE", kRetry,
        "A record or batch failed its checksum, size or format check."),
    row(ErrorCode::kUnknownTopicOrPartition, "UNKNOWN_TOPIC_OR_PARTITION", kRetryMetadata,
        "This broker does not know the topic or partition, or does not host it."),
    row(ErrorCode::kInvalidFetchSize, "INVALID_FETCH_SIZE", kFatal,
        "The requested fetch size is not a valid number."),
    row(ErrorCode::kLeaderNotAvailable, "LEADER_NOT_AVAILABLE", kRetryMetadata,
        "The partition has no leader at the moment; an election may be under way."),
    row(ErrorCode::kNotLeaderOrFollower, "NOT_LEADER_OR_FOLLOWER", kRetryMetadata,
        "The broker asked is not the leader of the partition, or not even a replica of it."),
    row(ErrorCode::kRequestTimedOut, "REQUEST_TIMED_OUT", kRetry,
        "The request was not completed within its time limit; its effect may still exist."),
    row(ErrorCode::kBrokerNotAvailable, "BROKER_NOT_AVAILABLE", kFatal,
        "The broker named is not available."),
    row(ErrorCode::kReplicaNotAvailable, "REPLICA_NOT_AVAILABLE", kRetryMetadata,
        "A replica of the partition is not available on this broker."),
    row(ErrorCode::kMessageTooLarge, "MESSAGE_TOO_LARGE", kFatal,
        "The record batch is larger than the topic allows."),
    row(ErrorCode::kStaleControllerEpoch, "STALE_CONTROLLER_EPOCH", kFatal,
        "The controller epoch of the request is older than the newest one seen."),
    row(ErrorCode::kOffsetMetadataTooLarge, "OFFSET_METADATA_TOO_LARGE", kFatal,
        "The metadata text of an offset commit is too long."),
    row(ErrorCode::kNetworkException, "NETWORK_EXCEPTION", kRetryMetadata,
        "The connection was lost before a response arrived; the effect of the request is unknown."),
    row(ErrorCode::kCoordinatorLoadInProgress, "COORDINATOR_LOAD_IN_PROGRESS", kRetry,
        "The coordinator is still reading its state and cannot answer yet."),
    row(ErrorCode::kCoordinatorNotAvailable, "COORDINATOR_NOT_AVAILABLE", kRetryCoordinator,
        "The group or transaction coordinator cannot be reached or does not exist yet."),
    row(ErrorCode::kNotCoordinator, "NOT_COORDINATOR", kRetryCoordinator,
        "The broker asked is not the coordinator of this group or transactional id."),
    row(ErrorCode::kInvalidTopicException, "INVALID_TOPIC_EXCEPTION", kFatal,
        "The topic name is not allowed, or the operation is not allowed on this topic."),
    row(ErrorCode::kRecordListTooLarge, "RECORD_LIST_TOO_LARGE", kFatal,
        "The record batch is larger than the segment size of the topic."),
    row(ErrorCode::kNotEnoughReplicas, "NOT_ENOUGH_REPLICAS", kRetry,
        "Fewer replicas are in sync than min.insync.replicas asks for; nothing was written."),
    row(ErrorCode::kNotEnoughReplicasAfterAppend, "NOT_ENOUGH_REPLICAS_AFTER_APPEND", kRetry,
        "The record was written, but by then fewer replicas were in sync than min.insync.replicas asks for."),
    row(ErrorCode::kInvalidRequiredAcks, "INVALID_REQUIRED_ACKS", kFatal,
        "The acks value of a produce request is not 0, 1 or -1."),
    row(ErrorCode::kIllegalGeneration, "ILLEGAL_GENERATION", kFatal,
        "The generation of the member is not the current one of its group."),
    row(ErrorCode::kInconsistentGroupProtocol, "INCONSISTENT_GROUP_PROTOCOL", kFatal,
        "The protocol or assignors of the member have nothing in common with those of the group."),
    row(ErrorCode::kInvalidGroupId, "INVALID_GROUP_ID", kFatal,
        "The group id is empty or not allowed."),
    row(ErrorCode::kUnknownMemberId, "UNKNOWN_MEMBER_ID", kFatal,
        "The group does not know this member."),
    row(ErrorCode::kInvalidSessionTimeout, "INVALID_SESSION_TIMEOUT", kFatal,
        "The session timeout is outside the range that the broker allows."),
    row(ErrorCode::kRebalanceInProgress, "REBALANCE_IN_PROGRESS", kFatal,
        "The group is rebalancing: the member has to join again."),
    row(ErrorCode::kInvalidCommitOffsetSize, "INVALID_COMMIT_OFFSET_SIZE", kFatal,
        "The offset commit is too large to be stored."),
    row(ErrorCode::kTopicAuthorizationFailed, "TOPIC_AUTHORIZATION_FAILED", kFatal,
        "The client may not use this topic."),
    row(ErrorCode::kGroupAuthorizationFailed, "GROUP_AUTHORIZATION_FAILED", kFatal,
        "The client may not use this group."),
    row(ErrorCode::kClusterAuthorizationFailed, "CLUSTER_AUTHORIZATION_FAILED", kFatal,
        "The client may not do this on the cluster."),
    row(ErrorCode::kInvalidTimestamp, "INVALID_TIMESTAMP", kFatal,
        "The timestamp of a record is outside the range that the topic allows."),
    row(ErrorCode::kUnsupportedSaslMechanism, "UNSUPPORTED_SASL_MECHANISM", kFatal,
        "The broker does not offer this SASL mechanism."),
    row(ErrorCode::kIllegalSaslState, "ILLEGAL_SASL_STATE", kFatal,
        "The request does not fit the present state of the SASL handshake."),
    row(ErrorCode::kUnsupportedVersion, "UNSUPPORTED_VERSION", kFatal,
        "The broker does not support this version of the request, or a feature level is not supported."),
    row(ErrorCode::kTopicAlreadyExists, "TOPIC_ALREADY_EXISTS", kFatal,
        "A topic with this name exists already."),
    row(ErrorCode::kInvalidPartitions, "INVALID_PARTITIONS", kFatal,
        "The number of partitions is not valid."),
    row(ErrorCode::kInvalidReplicationFactor, "INVALID_REPLICATION_FACTOR", kFatal,
        "The replication factor is not valid, or there are not enough brokers for it."),
    row(ErrorCode::kInvalidReplicaAssignment, "INVALID_REPLICA_ASSIGNMENT", kFatal,
        "The replica assignment is not valid."),
    row(ErrorCode::kInvalidConfig, "INVALID_CONFIG", kFatal,
        "A setting has a value that is not allowed."),
    row(ErrorCode::kNotController, "NOT_CONTROLLER", kRetry,
        "The node asked is not the active controller."),
    row(ErrorCode::kInvalidRequest, "INVALID_REQUEST", kFatal,
        "The request contradicts itself or the state of the cluster."),
    row(ErrorCode::kUnsupportedForMessageFormat, "UNSUPPORTED_FOR_MESSAGE_FORMAT", kFatal,
        "The record format in use does not offer this operation."),
    row(ErrorCode::kPolicyViolation, "POLICY_VIOLATION", kFatal,
        "A policy of the cluster forbids the request."),
    row(ErrorCode::kOutOfOrderSequenceNumber, "OUT_OF_ORDER_SEQUENCE_NUMBER", kFatal,
        "The batch of the producer does not continue its sequence: an earlier one is missing."),
    row(ErrorCode::kDuplicateSequenceNumber, "DUPLICATE_SEQUENCE_NUMBER", kFatal,
        "A batch with this sequence was appended before."),
    row(ErrorCode::kInvalidProducerEpoch, "INVALID_PRODUCER_EPOCH", kFatal,
        "The producer's epoch is older than the newest one: another instance took over."),
    row(ErrorCode::kInvalidTxnState, "INVALID_TXN_STATE", kFatal,
        "The transaction is not in a state that allows this step."),
    row(ErrorCode::kInvalidProducerIdMapping, "INVALID_PRODUCER_ID_MAPPING", kFatal,
        "The producer id does not belong to this transactional id."),
    row(ErrorCode::kInvalidTransactionTimeout, "INVALID_TRANSACTION_TIMEOUT", kFatal,
        "The transaction timeout is larger than the broker allows."),
    row(ErrorCode::kConcurrentTransactions, "CONCURRENT_TRANSACTIONS", kRetry,
        "The previous transaction of this producer is not finished yet."),
    row(ErrorCode::kTransactionCoordinatorFenced, "TRANSACTION_COORDINATOR_FENCED", kFatal,
        "The transaction coordinator was replaced by a newer one."),
    row(ErrorCode::kTransactionalIdAuthorizationFailed, "TRANSACTIONAL_ID_AUTHORIZATION_FAILED", kFatal,
        "The client may not use this transactional id."),
    row(ErrorCode::kSecurityDisabled, "SECURITY_DISABLED", kFatal,
        "Security features are switched off."),
    row(ErrorCode::kOperationNotAttempted, "OPERATION_NOT_ATTEMPTED", kFatal,
        "The broker did not try the operation, for instance because a part of the request before it failed."),
    row(ErrorCode::kKafkaStorageError, "KAFKA_STORAGE_ERROR", kRetryMetadata,
        "The disk of the broker failed while it read or wrote this partition."),
    row(ErrorCode::kLogDirNotFound, "LOG_DIR_NOT_FOUND", kFatal,
        "The log directory named does not exist."),
    row(ErrorCode::kSaslAuthenticationFailed, "SASL_AUTHENTICATION_FAILED", kFatal,
        "The SASL credentials were refused."),
    row(ErrorCode::kUnknownProducerId, "UNKNOWN_PRODUCER_ID", kFatal,
        "The broker holds no state of this producer id for the partition."),
    row(ErrorCode::kReassignmentInProgress, "REASSIGNMENT_IN_PROGRESS", kFatal,
        "A reassignment of the partition is under way."),
    row(ErrorCode::kDelegationTokenAuthDisabled, "DELEGATION_TOKEN_AUTH_DISABLED", kFatal,
        "Delegation tokens are switched off."),
    row(ErrorCode::kDelegationTokenNotFound, "DELEGATION_TOKEN_NOT_FOUND", kFatal,
        "The delegation token does not exist."),
    row(ErrorCode::kDelegationTokenOwnerMismatch, "DELEGATION_TOKEN_OWNER_MISMATCH", kFatal,
        "The client does not own this delegation token."),
    row(ErrorCode::kDelegationTokenRequestNotAllowed, "DELEGATION_TOKEN_REQUEST_NOT_ALLOWED", kFatal,
        "Delegation tokens may not be asked for over this connection."),
    row(ErrorCode::kDelegationTokenAuthorizationFailed, "DELEGATION_TOKEN_AUTHORIZATION_FAILED", kFatal,
        "The client may not use this delegation token."),
    row(ErrorCode::kDelegationTokenExpired, "DELEGATION_TOKEN_EXPIRED", kFatal,
        "The delegation token is past its end."),
    row(ErrorCode::kInvalidPrincipalType, "INVALID_PRINCIPAL_TYPE", kFatal,
        "This type of principal is not supported here."),
    row(ErrorCode::kNonEmptyGroup, "NON_EMPTY_GROUP", kFatal,
        "The group still has members."),
    row(ErrorCode::kGroupIdNotFound, "GROUP_ID_NOT_FOUND", kFatal,
        "The group does not exist."),
    row(ErrorCode::kFetchSessionIdNotFound, "FETCH_SESSION_ID_NOT_FOUND", kRetry,
        "The broker does not know this fetch session (any more)."),
    row(ErrorCode::kInvalidFetchSessionEpoch, "INVALID_FETCH_SESSION_EPOCH", kRetry,
        "The epoch of the fetch session is not the expected one."),
    row(ErrorCode::kListenerNotFound, "LISTENER_NOT_FOUND", kRetryMetadata,
        "The leader has no endpoint for the listener of the client's connection."),
    row(ErrorCode::kTopicDeletionDisabled, "TOPIC_DELETION_DISABLED", kFatal,
        "The deletion of topics is switched off."),
    row(ErrorCode::kFencedLeaderEpoch, "FENCED_LEADER_EPOCH", kRetryMetadata,
        "The leader epoch of the request is older than the one the broker knows: the sender has old metadata."),
    row(ErrorCode::kUnknownLeaderEpoch, "UNKNOWN_LEADER_EPOCH", kRetry,
        "The leader epoch of the request is newer than the one the broker knows: the broker has old metadata."),
    row(ErrorCode::kUnsupportedCompressionType, "UNSUPPORTED_COMPRESSION_TYPE", kFatal,
        "The broker cannot read this compression."),
    row(ErrorCode::kStaleBrokerEpoch, "STALE_BROKER_EPOCH", kFatal,
        "The broker epoch is not that of the broker's present registration."),
    row(ErrorCode::kOffsetNotAvailable, "OFFSET_NOT_AVAILABLE", kRetry,
        "The leader is new and cannot name a safe offset yet: its high watermark has not reached its own epoch."),
    row(ErrorCode::kMemberIdRequired, "MEMBER_ID_REQUIRED", kFatal,
        "The member has to join once more with the id it was just given."),
    row(ErrorCode::kPreferredLeaderNotAvailable, "PREFERRED_LEADER_NOT_AVAILABLE", kRetryMetadata,
        "The preferred leader is not available for election."),
    row(ErrorCode::kGroupMaxSizeReached, "GROUP_MAX_SIZE_REACHED", kFatal,
        "The group is full."),
    row(ErrorCode::kFencedInstanceId, "FENCED_INSTANCE_ID", kFatal,
        "Another member took over this group.instance.id."),
    row(ErrorCode::kEligibleLeadersNotAvailable, "ELIGIBLE_LEADERS_NOT_AVAILABLE", kRetryMetadata,
        "No replica that may lead the partition is available."),
    row(ErrorCode::kElectionNotNeeded, "ELECTION_NOT_NEEDED", kRetryMetadata,
        "The partition already has the leader that the election would choose."),
    row(ErrorCode::kNoReassignmentInProgress, "NO_REASSIGNMENT_IN_PROGRESS", kFatal,
        "The partition has no reassignment under way."),
    row(ErrorCode::kGroupSubscribedToTopic, "GROUP_SUBSCRIBED_TO_TOPIC", kFatal,
        "Offsets of a topic that the group subscribes to cannot be deleted."),
    row(ErrorCode::kInvalidRecord, "INVALID_RECORD", kFatal,
        "The broker refused a record because it does not meet the rules of the topic."),
    row(ErrorCode::kUnstableOffsetCommit, "UNSTABLE_OFFSET_COMMIT", kRetry,
        "An offset of the group is part of an unfinished transaction."),
    row(ErrorCode::kThrottlingQuotaExceeded, "THROTTLING_QUOTA_EXCEEDED", kRetry,
        "The client exceeded its quota for changes and must wait."),
    row(ErrorCode::kProducerFenced, "PRODUCER_FENCED", kFatal,
        "A newer producer with the same transactional id took over."),
    row(ErrorCode::kResourceNotFound, "RESOURCE_NOT_FOUND", kFatal,
        "The resource named does not exist."),
    row(ErrorCode::kDuplicateResource, "DUPLICATE_RESOURCE", kFatal,
        "A resource with this name exists already."),
    row(ErrorCode::kUnacceptableCredential, "UNACCEPTABLE_CREDENTIAL", kFatal,
        "The new credential is not allowed."),
    row(ErrorCode::kInconsistentVoterSet, "INCONSISTENT_VOTER_SET", kFatal,
        "The set of voters of the sender and of the receiver differ."),
    row(ErrorCode::kInvalidUpdateVersion, "INVALID_UPDATE_VERSION", kFatal,
        "The change was based on an older version of what it changes."),
    row(ErrorCode::kFeatureUpdateFailed, "FEATURE_UPDATE_FAILED", kFatal,
        "The feature level could not be changed."),
    row(ErrorCode::kPrincipalDeserializationFailure, "PRINCIPAL_DESERIALIZATION_FAILURE", kFatal,
        "The principal in a forwarded request could not be read."),
    row(ErrorCode::kSnapshotNotFound, "SNAPSHOT_NOT_FOUND", kFatal,
        "The metadata snapshot asked for does not exist."),
    row(ErrorCode::kPositionOutOfRange, "POSITION_OUT_OF_RANGE", kFatal,
        "The position asked for is outside the snapshot."),
    row(ErrorCode::kUnknownTopicId, "UNKNOWN_TOPIC_ID", kRetryMetadata,
        "The broker does not know a topic with this id."),
    row(ErrorCode::kDuplicateBrokerRegistration, "DUPLICATE_BROKER_REGISTRATION", kFatal,
        "A broker with this id is registered and alive under another incarnation."),
    row(ErrorCode::kBrokerIdNotRegistered, "BROKER_ID_NOT_REGISTERED", kFatal,
        "No broker with this id is registered."),
    row(ErrorCode::kInconsistentTopicId, "INCONSISTENT_TOPIC_ID", kRetryMetadata,
        "The topic id of the request is not the one of the topic with this name on the broker."),
    row(ErrorCode::kInconsistentClusterId, "INCONSISTENT_CLUSTER_ID", kFatal,
        "The node belongs to another cluster."),
    row(ErrorCode::kTransactionalIdNotFound, "TRANSACTIONAL_ID_NOT_FOUND", kFatal,
        "The transactional id does not exist."),
    row(ErrorCode::kFetchSessionTopicIdError, "FETCH_SESSION_TOPIC_ID_ERROR", kRetry,
        "The topic ids of a fetch session do not match the request."),
    row(ErrorCode::kIneligibleReplica, "INELIGIBLE_REPLICA", kFatal,
        "A replica in the proposed ISR may not join it: it is fenced, shutting down or restarted meanwhile."),
    row(ErrorCode::kNewLeaderElected, "NEW_LEADER_ELECTED", kFatal,
        "The change was made, and with it another broker became leader."),
    row(ErrorCode::kOffsetMovedToTieredStorage, "OFFSET_MOVED_TO_TIERED_STORAGE", kFatal,
        "The records at this offset are only in tiered storage."),
    row(ErrorCode::kFencedMemberEpoch, "FENCED_MEMBER_EPOCH", kFatal,
        "The member epoch is not the current one: the member was fenced and has to join again."),
    row(ErrorCode::kUnreleasedInstanceId, "UNRELEASED_INSTANCE_ID", kFatal,
        "The group.instance.id is still in use by another member."),
    row(ErrorCode::kUnsupportedAssignor, "UNSUPPORTED_ASSIGNOR", kFatal,
        "The coordinator does not have the assignor asked for."),
    row(ErrorCode::kStaleMemberEpoch, "STALE_MEMBER_EPOCH", kFatal,
        "The member epoch is older than the current one; the member will learn the new one by its heartbeat."),
    row(ErrorCode::kMismatchedEndpointType, "MISMATCHED_ENDPOINT_TYPE", kFatal,
        "The request reached the wrong kind of endpoint (broker in place of controller, or the other way)."),
    row(ErrorCode::kUnsupportedEndpointType, "UNSUPPORTED_ENDPOINT_TYPE", kFatal,
        "This kind of endpoint is not supported."),
    row(ErrorCode::kUnknownControllerId, "UNKNOWN_CONTROLLER_ID", kFatal,
        "No controller with this id is known."),
    row(ErrorCode::kUnknownSubscriptionId, "UNKNOWN_SUBSCRIPTION_ID", kFatal,
        "The telemetry subscription is not the current one."),
    row(ErrorCode::kTelemetryTooLarge, "TELEMETRY_TOO_LARGE", kFatal,
        "The telemetry data are larger than the broker accepts."),
    row(ErrorCode::kInvalidRegistration, "INVALID_REGISTRATION", kFatal,
        "The broker's registration is incomplete or contradicts the cluster."),
    row(ErrorCode::kTransactionAbortable, "TRANSACTION_ABORTABLE", kFatal,
        "The transaction has to be aborted; the producer can go on with the next one."),
    row(ErrorCode::kInvalidRecordState, "INVALID_RECORD_STATE", kFatal,
        "The record is not in a state that allows this acknowledgement."),
    row(ErrorCode::kShareSessionNotFound, "SHARE_SESSION_NOT_FOUND", kRetry,
        "The broker does not know this share session."),
    row(ErrorCode::kInvalidShareSessionEpoch, "INVALID_SHARE_SESSION_EPOCH", kRetry,
        "The epoch of the share session is not the expected one."),
    row(ErrorCode::kFencedStateEpoch, "FENCED_STATE_EPOCH", kFatal,
        "The state epoch of the share partition is older than the stored one."),
    row(ErrorCode::kInvalidVoterKey, "INVALID_VOTER_KEY", kFatal,
        "The voter's key does not match the one in the set of voters."),
    row(ErrorCode::kDuplicateVoter, "DUPLICATE_VOTER", kFatal,
        "The voter is in the set of voters already."),
    row(ErrorCode::kVoterNotFound, "VOTER_NOT_FOUND", kFatal,
        "The voter is not in the set of voters."),
    row(ErrorCode::kInvalidRegularExpression, "INVALID_REGULAR_EXPRESSION", kFatal,
        "The regular expression of a subscription cannot be read."),
    row(ErrorCode::kRebootstrapRequired, "REBOOTSTRAP_REQUIRED", kFatal,
        "The client should start again from its bootstrap servers."),
    row(ErrorCode::kStreamsInvalidTopology, "STREAMS_INVALID_TOPOLOGY", kFatal,
        "The topology of the Streams application is not valid."),
    row(ErrorCode::kStreamsInvalidTopologyEpoch, "STREAMS_INVALID_TOPOLOGY_EPOCH", kFatal,
        "The topology epoch of the Streams application is not valid."),
    row(ErrorCode::kStreamsTopologyFenced, "STREAMS_TOPOLOGY_FENCED", kFatal,
        "The topology epoch of the Streams application is older than the current one."),
    row(ErrorCode::kShareSessionLimitReached, "SHARE_SESSION_LIMIT_REACHED", kRetry,
        "The broker has reached its limit of share sessions."),
}};

// clang-format on

/// The table starts at code -1.
constexpr std::size_t index_of(ErrorCode code) {
    return static_cast<std::size_t>(static_cast<int>(code) + 1);
}

consteval bool in_order() {
    for (std::size_t i = 0; i < kErrors.size(); ++i) {
        if (index_of(kErrors[i].code) != i) {
            return false;
        }
    }
    return true;
}

static_assert(in_order(), "row i of the table holds code i - 1");

}  // namespace

std::span<const ErrorInfo> all_errors() { return kErrors; }

const ErrorInfo& info(ErrorCode code) {
    const std::size_t index = index_of(code);
    KLAB_ASSERT(index < kErrors.size(), "error code {} is not in the table", to_wire(code));
    return kErrors[index];
}

std::string_view name(ErrorCode code) { return info(code).name; }

bool is_retriable(ErrorCode code) { return info(code).retriable; }

bool needs_metadata_refresh(ErrorCode code) { return info(code).refresh == Refresh::kMetadata; }

std::optional<ErrorCode> find_error(std::string_view name) {
    const auto found = std::ranges::find(kErrors, name, &ErrorInfo::name);
    if (found == kErrors.end()) {
        return std::nullopt;
    }
    return found->code;
}

ErrorCode error_from_wire(std::int16_t value) {
    constexpr auto kFirst = static_cast<std::int16_t>(kErrors.front().code);
    constexpr auto kLast = static_cast<std::int16_t>(kErrors.back().code);
    if (value < kFirst || value > kLast) {
        return ErrorCode::kUnknownServerError;
    }
    return static_cast<ErrorCode>(value);
}

}  // namespace klab::types
