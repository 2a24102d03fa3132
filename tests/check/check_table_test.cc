// SPDX-License-Identifier: Apache-2.0
#include "model/check/check_table.h"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "model/types/mutants.h"

namespace klab::check {
namespace {

TEST(CheckTable, RowsStandInTheOrderOfTheEnum) {
    // info() indexes the table by the enumerator.
    std::size_t place = 0;
    std::set<std::string_view> ids;
    for (const CheckInfo& row : all_checks()) {
        EXPECT_EQ(static_cast<std::size_t>(row.check), place++);
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_EQ(find_check(row.id), row.check);
        EXPECT_FALSE(row.statement.empty() || row.source.empty() || row.may_break.empty())
            << row.id;
    }
    EXPECT_EQ(place, kCheckCount);
    EXPECT_EQ(find_check("p1"), std::nullopt);
}

TEST(CheckTable, WordsOfTheCatalogueStandForInvariants) {
    // {"violates": "ACK"} must hold when the white box alone saw the loss.
    EXPECT_EQ(parts_of(CheckId::kAck), (std::vector{CheckId::kAck, CheckId::kP1}));
    EXPECT_EQ(parts_of(CheckId::kDiv), (std::vector{CheckId::kDiv, CheckId::kP4}));
    EXPECT_EQ(parts_of(CheckId::kP9), (std::vector{CheckId::kP9}));
}

TEST(CheckTable, AnExpectedLossCoversWhatALossBringsWithIt) {
    // A lost record means an incomplete leader; it does not mean two leaders in one epoch.
    EXPECT_TRUE(covers(CheckId::kAck, CheckId::kP1));
    EXPECT_TRUE(covers(CheckId::kAck, CheckId::kP2));
    EXPECT_TRUE(covers(CheckId::kVanish, CheckId::kP6));
    EXPECT_FALSE(covers(CheckId::kAck, CheckId::kP9));
    EXPECT_FALSE(covers(CheckId::kP8, CheckId::kP1));
}

TEST(CheckTable, EveryMutantNamesAKnownCheck) {
    // A mutant that nobody can catch measures nothing.
    for (const types::MutantInfo& mutant : types::all_mutants()) {
        std::string_view rest = mutant.caught_by;
        while (!rest.empty()) {
            const std::size_t comma = rest.find(", ");
            EXPECT_TRUE(find_check(rest.substr(0, comma))) << mutant.name << ": " << rest;
            rest = comma == std::string_view::npos ? "" : rest.substr(comma + 2);
        }
    }
}

}  // namespace
}  // namespace klab::check
