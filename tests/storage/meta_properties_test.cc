// SPDX-License-Identifier: Apache-2.0
//
// The text of meta.properties. How processes use it is in controller_node_test.cc and
// broker_start_test.cc.
#include "model/storage/meta_properties.h"

#include <gtest/gtest.h>

#include "model/types/fresh_uuid.h"

namespace klab::storage {
namespace {

const MetaProperties kProperties{
    "4L6g3nShT-eMCtK--X86sw", 3001, types::parse_uuid("vT1-z1NlQ_mgCxyJHK6Ibg")};

TEST(MetaProperties, WritesVersionOne) {
    EXPECT_EQ(to_meta_properties_text(kProperties),
              "cluster.id=4L6g3nShT-eMCtK--X86sw\n"
              "directory.id=vT1-z1NlQ_mgCxyJHK6Ibg\n"
              "node.id=3001\n"
              "version=1\n");
}

TEST(MetaProperties, ReadsWhatItWroteInAnyOrderWithComments) {
    EXPECT_EQ(parse_meta_properties(to_meta_properties_text(kProperties)), kProperties);
    EXPECT_EQ(parse_meta_properties("#\n#Mon Jan 1\nversion=1\nnode.id=3001\n"
                                    "cluster.id=4L6g3nShT-eMCtK--X86sw\n"
                                    "directory.id=vT1-z1NlQ_mgCxyJHK6Ibg"),
              kProperties);
}

TEST(MetaProperties, KnowsFilesFromBeforeDirectoriesHadIds) {
    // A broker gives such a directory an id at its next start.
    EXPECT_EQ(parse_meta_properties("version=1\nnode.id=1\ncluster.id=x\n"),
              (MetaProperties{"x", 1, std::nullopt}));
    EXPECT_EQ(to_meta_properties_text({"x", 1, std::nullopt}),
              "cluster.id=x\nnode.id=1\nversion=1\n");
}

TEST(MetaProperties, RefusesWhatIsIncomplete) {
    EXPECT_EQ(parse_meta_properties(""), std::nullopt);
    EXPECT_EQ(parse_meta_properties("version=1\nnode.id=1\n"), std::nullopt);
    EXPECT_EQ(parse_meta_properties("version=1\nnode.id=1\ncluster.id=x\ndirectory.id=y\n"),
              std::nullopt);
    EXPECT_EQ(parse_meta_properties("version=0\nnode.id=1\ncluster.id=x\ndirectory.id=y\n"),
              std::nullopt);
    EXPECT_EQ(parse_meta_properties("version=1\nnode.id=1x\ncluster.id=x\ndirectory.id=y\n"),
              std::nullopt);
}

}  // namespace
}  // namespace klab::storage
