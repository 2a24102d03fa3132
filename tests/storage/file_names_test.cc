// SPDX-License-Identifier: Apache-2.0
//
// Names of files and directories in a log directory, and what is none of them.
#include "model/storage/file_names.h"

#include <gtest/gtest.h>

namespace klab::storage {
namespace {

TEST(FileNameVectors, OffsetInTwentyDigits) {
    constexpr types::Offset kOffset(23423423);
    EXPECT_EQ(offset_file_name(kOffset, kSnapshotSuffix), "00000000000023423423.snapshot");
    EXPECT_EQ(segment_file_name(kOffset), "00000000000023423423.log");
    for (const std::string_view suffix : {".snapshot", ".log", ".index", ".timeindex"}) {
        EXPECT_EQ(parse_offset_file_name(offset_file_name(kOffset, suffix), suffix), kOffset);
    }
}

TEST(FileNameVectors, MetadataSnapshot) {
    const MetadataSnapshotId id{types::Offset(1234), types::LeaderEpoch(5)};
    EXPECT_EQ(metadata_snapshot_file_name(id), "00000000000000001234-0000000005.checkpoint");
    EXPECT_EQ(parse_metadata_snapshot_file_name("00000000000000001234-0000000005.checkpoint"), id);
}

TEST(FileNames, OtherNamesAreNoMetadataSnapshots) {
    for (const std::string_view name : {"bootstrap.checkpoint",
                                        "leader-epoch-checkpoint",
                                        "00000000000000001234.checkpoint",
                                        "00000000000000001234-0000000005.checkpoint.deleted",
                                        "00000000000000001234-0000000005.checkpoint.part",
                                        "00000000000000001234-00000000005.checkpoint",
                                        "00000000000000001234_0000000005.checkpoint",
                                        "00000000000000001234--000000005.checkpoint",
                                        "0000000000000000123x-0000000005.checkpoint",
                                        "00000000000000001234-9999999999.checkpoint",
                                        ""}) {
        EXPECT_EQ(parse_metadata_snapshot_file_name(name), std::nullopt) << name;
    }
}

TEST(FileNames, PartitionDirectoriesAreSplitAtTheLastDash) {
    const types::TopicPartition partition{"a-b", 7};
    EXPECT_EQ(partition_directory_name(partition), "a-b-7");
    EXPECT_EQ(parse_partition_directory_name("a-b-7"), partition);
    for (const std::string_view name : {"a", "-7", "a-", "a-2147483648", "a-7x"}) {
        EXPECT_EQ(parse_partition_directory_name(name), std::nullopt) << name;
    }
}

}  // namespace
}  // namespace klab::storage
