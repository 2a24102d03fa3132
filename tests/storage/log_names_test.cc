// SPDX-License-Identifier: Apache-2.0
//
// Names of the directories of logs. Rows L36 and L37 are Kafka's own cases.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/storage/file_names.h"

namespace klab::storage {
namespace {

const std::string kUnique = "2f1cb3ad4a0c4d0b9a4c7a0a9a3fcd8e";

TEST(LogNames, L36_WhatIsALogAndWhatIsNot) {
    EXPECT_EQ(parse_log_directory_name("test_topic-143"),
              (LogDirectoryName{{"test_topic", 143}, LogKind::kCurrent}));
    EXPECT_EQ(parse_log_directory_name("foo.bar-testtopic-42." + kUnique + "-delete"),
              (LogDirectoryName{{"foo.bar-testtopic", 42}, LogKind::kDeleted}));
    for (const char* name : {"",
                             "test_topic1999",
                             "-1999",
                             "test_topic-",
                             "test_topic-1999a",
                             "non_kafka_dir",
                             "non_kafka_dir-delete"}) {
        EXPECT_EQ(parse_log_directory_name(name), std::nullopt) << name;
    }
}

TEST(LogNames, ALogPutAsideNeedsItsUniquePart) {
    // LocalLog.DeleteDirPattern and its like: "<topic>-<partition>.<unique>-<kind>".
    for (const char* name : {"t-0-delete", "t-0.-stray", "t.x-future", "t-x.a-delete"}) {
        EXPECT_EQ(parse_log_directory_name(name), std::nullopt) << name;
    }
    EXPECT_EQ(parse_log_directory_name("t-0.x-stray"),
              (LogDirectoryName{{"t", 0}, LogKind::kStray}));
    EXPECT_EQ(parse_log_directory_name("a.b-7." + kUnique + "-future"),
              (LogDirectoryName{{"a.b", 7}, LogKind::kFuture}));
}

TEST(LogNames, L37_NamesOfDeletedLogsHave255CharactersAtMost) {
    EXPECT_EQ(log_directory_name({"foo", 3}, kUnique, LogKind::kDeleted),
              "foo-3." + kUnique + "-delete");
    const std::string topic = "n" + std::string(248, 'o');
    const std::string name = log_directory_name({topic, 5}, kUnique, LogKind::kDeleted);
    EXPECT_EQ(name, topic.substr(0, 213) + "-5." + kUnique + "-delete");
    EXPECT_EQ(name.size(), 255U);
}

TEST(LogNames, NamesOfFutureLogsAreNotCut) {
    const std::string topic(249, 'o');
    EXPECT_EQ(log_directory_name({topic, 5}, kUnique, LogKind::kFuture),
              topic + "-5." + kUnique + "-future");
    EXPECT_EQ(log_directory_name({topic, 5}, kUnique, LogKind::kStray).size(), 255U);
}

TEST(LogNames, EveryNameReadsBack) {
    for (const LogKind kind : {LogKind::kDeleted, LogKind::kStray, LogKind::kFuture}) {
        EXPECT_EQ(parse_log_directory_name(log_directory_name({"a-1", 12}, kUnique, kind)),
                  (LogDirectoryName{{"a-1", 12}, kind}));
    }
}

}  // namespace
}  // namespace klab::storage
