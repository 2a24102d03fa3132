// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/did_you_mean.h"

#include <algorithm>
#include <array>

namespace klab::scenario {

namespace {

constexpr std::size_t kCompared = 64;

using Row = std::array<std::size_t, kCompared + 1>;

/// The word in small letters without -, _ and . : "Min_Insync.Replicas" -> "mininsyncreplicas".
std::string bare(std::string_view word) {
    std::string out;
    for (const char c : word) {
        if (c == '-' || c == '_' || c == '.' || c == ' ') {
            continue;
        }
        out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
    return out;
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
    const std::string_view a = left.substr(0, kCompared);
    const std::string_view b = right.substr(0, kCompared);
    Row before_previous{};
    Row previous{};
    Row current{};
    for (std::size_t j = 0; j <= b.size(); ++j) {
        previous[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({replace, previous[j] + 1, current[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                current[j] = std::min(current[j], before_previous[j - 2] + 1);
            }
        }
        before_previous = previous;
        previous = current;
    }
    return previous[b.size()];
}

std::optional<std::string> nearest_word(std::string_view word,
                                        const std::vector<std::string>& known) {
    const std::string plain = bare(word);
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 4) + 1;
    for (const std::string& candidate : known) {
        if (!plain.empty() && bare(candidate) == plain && candidate != word) {
            return candidate;
        }
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace klab::scenario
