// SPDX-License-Identifier: Apache-2.0
//
// Names of metadata records that klab does not model.
#include "model/metadata/foreign_records.h"

#include <gtest/gtest.h>

#include "model/metadata/record_codec.h"
#include "tests/storage/hex.h"

namespace klab::metadata {
namespace {

using storage::from_hex;

TEST(ForeignRecords, AreNamedByTheirApiKey) {
    EXPECT_EQ(foreign_record_name(from_hex("011b00")), "RegisterControllerRecord");
    EXPECT_EQ(foreign_record_name(from_hex("010e00aabb")), "ClientQuotaRecord");
}

TEST(ForeignRecords, AreNoneOfThoseThatKlabReads) {
    EXPECT_EQ(foreign_record_name(encode(NoOpRecord{}, 27)), std::nullopt);
}

TEST(ForeignRecords, NeedAFrameVersionAndAKey) {
    EXPECT_EQ(foreign_record_name(from_hex("001b00")), std::nullopt);
    EXPECT_EQ(foreign_record_name(from_hex("01")), std::nullopt);
    EXPECT_EQ(foreign_record_name({}), std::nullopt);
    EXPECT_EQ(foreign_record_name(from_hex("01c801")), std::nullopt);
}

}  // namespace
}  // namespace klab::metadata
