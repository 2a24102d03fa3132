// SPDX-License-Identifier: Apache-2.0
//
// The text of meta.properties. How a process uses it is in controller_node_test.cc.
#include "model/controller/metadata_directory.h"

#include <gtest/gtest.h>

namespace klab::controller {
namespace {

const MetaProperties kProperties{"4L6g3nShT-eMCtK--X86sw", 3001, "vT1-z1NlQ_mgCxyJHK6Ibg"};

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

TEST(MetaProperties, RefusesWhatIsIncomplete) {
    EXPECT_EQ(parse_meta_properties(""), std::nullopt);
    EXPECT_EQ(parse_meta_properties("version=1\nnode.id=1\ncluster.id=x\n"), std::nullopt);
    EXPECT_EQ(parse_meta_properties("version=0\nnode.id=1\ncluster.id=x\ndirectory.id=y\n"),
              std::nullopt);
    EXPECT_EQ(parse_meta_properties("version=1\nnode.id=1x\ncluster.id=x\ndirectory.id=y\n"),
              std::nullopt);
}

}  // namespace
}  // namespace klab::controller
