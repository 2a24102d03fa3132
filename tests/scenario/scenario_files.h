// SPDX-License-Identifier: Apache-2.0
//
// The fixtures of these tests, and small ways to change them.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "scenarios/run/scenario_loader.h"

namespace klab::scenario {

inline std::string read_fixture(const std::string& name) {
    std::ifstream file(std::string(KLAB_SOURCE_DIR) + "/tests/scenario/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The first example of the format: acks=1 loses three records.
inline std::string lesson_text() { return read_fixture("fixtures/acks1-lost.json"); }

/// `text` with the first `from` replaced by `to`; empty when there is none, so that a test that no
/// longer changes anything fails.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
        return {};
    }
    return text.replace(at, from.size(), to);
}

inline LoadedScenario load_text(const std::string& text,
                                const Vocabulary& words,
                                const LoadOptions& options = {}) {
    return load_scenario_text("test.json", text, options, words);
}

/// The codes of all diagnostics in order: "S014 S020".
inline std::string codes_of(const LoadedScenario& loaded) {
    std::string out;
    for (const Diagnostic& diagnostic : loaded.diagnostics.shown) {
        out += out.empty() ? "" : " ";
        out += diagnostic.code;
    }
    return out;
}

}  // namespace klab::scenario
