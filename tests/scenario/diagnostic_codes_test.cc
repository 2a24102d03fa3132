// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/diagnostic_codes.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace klab::scenario {
namespace {

TEST(DiagnosticCodes, AreInOrderAndExplained) {
    std::string before;
    for (const DiagnosticCode& row : diagnostic_codes()) {
        EXPECT_LT(before, row.code);
        EXPECT_FALSE(row.title.empty());
        EXPECT_GT(row.explanation.size(), 20U) << row.code;
        EXPECT_EQ(row.wrong.empty(), row.right.empty()) << row.code;
        before = row.code;
    }
}

TEST(DiagnosticCodes, AreFoundInEitherCase) {
    ASSERT_NE(find_diagnostic_code("s014"), nullptr);
    EXPECT_EQ(find_diagnostic_code("S014")->title, "Unknown field");
    EXPECT_EQ(find_diagnostic_code("S999"), nullptr);
    EXPECT_EQ(find_diagnostic_code(""), nullptr);
}

TEST(DiagnosticCodes, EveryCodeThatTheSourcesUseIsExplainedAndTheOtherWayRound) {
    // `klab explain` must know every code that a message shows.
    std::set<std::string> used;
    const std::regex pattern("\"(S0[0-9][0-9])\"");
    const std::filesystem::path folder = std::string(KLAB_SOURCE_DIR) + "/scenarios/run";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".cc" || entry.path().stem() == "diagnostic_codes") {
            continue;
        }
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file),
                               std::istreambuf_iterator<char>()};
        for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern);
             it != std::sregex_iterator();
             ++it) {
            used.insert((*it)[1].str());
        }
    }
    std::set<std::string> explained;
    for (const DiagnosticCode& row : diagnostic_codes()) {
        explained.emplace(row.code);
    }
    EXPECT_EQ(used, explained);
}

}  // namespace
}  // namespace klab::scenario
