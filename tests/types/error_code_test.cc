// SPDX-License-Identifier: Apache-2.0
#include "model/types/error_code.h"

#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace klab::types {
namespace {

TEST(ErrorCode, TableIsCompleteAndInOrder) {
    // A gap would shift the meaning of every later code.
    ASSERT_EQ(all_errors().size(), kErrorCodeCount);
    std::int16_t expected = -1;
    for (const ErrorInfo& row : all_errors()) {
        EXPECT_EQ(to_wire(row.code), expected) << row.name;
        ++expected;
    }
    EXPECT_EQ(to_wire(all_errors().back().code), 133);
}

TEST(ErrorCode, NamesAreUniqueUpperCaseAndFoundAgain) {
    // Scenario triggers name a code by text; the way there and back must be exact.
    std::set<std::string_view> names;
    for (const ErrorInfo& row : all_errors()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(find_error(row.name), row.code);
        EXPECT_EQ(row.name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_"), std::string::npos)
            << row.name;
    }
    EXPECT_EQ(find_error("NOT_LEADER_FOR_PARTITION"), std::nullopt);
    EXPECT_EQ(find_error("none"), std::nullopt);
}

TEST(ErrorCode, MeaningsAreSentencesAndUnique) {
    // `klab explain` prints them; two equal ones would be a slip of the table.
    std::set<std::string_view> meanings;
    for (const ErrorInfo& row : all_errors()) {
        EXPECT_TRUE(meanings.insert(row.meaning).second) << row.name;
        EXPECT_TRUE(row.meaning.ends_with('.')) << row.name;
    }
}

TEST(ErrorCode, NumbersOfTheReplicationProtocol) {
    // The wire numbers that brokers, controllers and clients exchange in this model.
    const std::pair<const char*, int> rows[] = {
        {"UNKNOWN_SERVER_ERROR", -1},
        {"NONE", 0},
        {"OFFSET_OUT_OF_RANGE", 1},
        {"CORRUPT_MESSAGE", 2},
        {"UNKNOWN_TOPIC_OR_PARTITION", 3},
        {"LEADER_NOT_AVAILABLE", 5},
        {"NOT_LEADER_OR_FOLLOWER", 6},
        {"REQUEST_TIMED_OUT", 7},
        {"NETWORK_EXCEPTION", 13},
        {"NOT_ENOUGH_REPLICAS", 19},
        {"NOT_ENOUGH_REPLICAS_AFTER_APPEND", 20},
        {"INVALID_REQUIRED_ACKS", 21},
        {"TOPIC_ALREADY_EXISTS", 36},
        {"INVALID_REPLICATION_FACTOR", 38},
        {"NOT_CONTROLLER", 41},
        {"OUT_OF_ORDER_SEQUENCE_NUMBER", 45},
        {"DUPLICATE_SEQUENCE_NUMBER", 46},
        {"OPERATION_NOT_ATTEMPTED", 55},
        {"KAFKA_STORAGE_ERROR", 56},
        {"UNKNOWN_PRODUCER_ID", 59},
        {"FENCED_LEADER_EPOCH", 74},
        {"UNKNOWN_LEADER_EPOCH", 75},
        {"STALE_BROKER_EPOCH", 77},
        {"OFFSET_NOT_AVAILABLE", 78},
        {"ELECTION_NOT_NEEDED", 84},
        {"INVALID_UPDATE_VERSION", 95},
        {"UNKNOWN_TOPIC_ID", 100},
        {"DUPLICATE_BROKER_REGISTRATION", 101},
        {"BROKER_ID_NOT_REGISTERED", 102},
        {"INELIGIBLE_REPLICA", 107},
        {"NEW_LEADER_ELECTED", 108},
        {"REBOOTSTRAP_REQUIRED", 129},
    };
    for (const auto& [text, number] : rows) {
        const auto code = find_error(text);
        ASSERT_TRUE(code.has_value()) << text;
        EXPECT_EQ(to_wire(*code), number) << text;
        EXPECT_EQ(name(*code), text);
    }
}

TEST(ErrorCode, ExactlyTheseCodesAreRetriable) {
    // A code on the wrong side makes a producer give up records, or repeat for ever.
    const std::set<int> retriable = {2,  3,  5,  6,  7,   9,   13,  14,  15,  16, 19,
                                     20, 41, 51, 56, 70,  71,  72,  74,  75,  78, 80,
                                     83, 84, 88, 89, 100, 103, 106, 122, 123, 133};
    for (const ErrorInfo& row : all_errors()) {
        EXPECT_EQ(is_retriable(row.code), retriable.contains(to_wire(row.code))) << row.name;
    }
}

TEST(ErrorCode, ExactlyTheseCodesAskForNewMetadata) {
    // Without it a client would retry at the old leader until its time is up.
    const std::set<int> metadata = {3, 5, 6, 9, 13, 56, 72, 74, 80, 83, 84, 100, 103};
    for (const ErrorInfo& row : all_errors()) {
        EXPECT_EQ(needs_metadata_refresh(row.code), metadata.contains(to_wire(row.code)))
            << row.name;
        if (row.refresh != Refresh::kNothing) {
            EXPECT_TRUE(row.retriable) << row.name;
        }
    }
    EXPECT_EQ(info(ErrorCode::kNotCoordinator).refresh, Refresh::kCoordinator);
    EXPECT_EQ(info(ErrorCode::kCoordinatorNotAvailable).refresh, Refresh::kCoordinator);
}

TEST(ErrorCode, EveryWireNumberReadsAsSomeCode) {
    // A newer broker may send a number klab does not know; clients read it as an unknown error.
    for (int number = std::numeric_limits<std::int16_t>::min();
         number <= std::numeric_limits<std::int16_t>::max();
         ++number) {
        const ErrorCode code = error_from_wire(static_cast<std::int16_t>(number));
        const bool known = number >= -1 && number <= 133;
        ASSERT_EQ(to_wire(code), known ? number : -1);
    }
}

}  // namespace
}  // namespace klab::types
