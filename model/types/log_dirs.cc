// SPDX-License-Identifier: Apache-2.0
//
// See log_dirs.h.
#include "model/types/log_dirs.h"

namespace klab::types {

namespace {

constexpr std::string_view kNoValue = "null";

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

std::vector<std::string> split_log_dirs(std::string_view text) {
    std::vector<std::string> directories;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view name = trim(text.substr(0, comma));
        if (!name.empty()) {
            directories.emplace_back(name);
        }
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    }
    return directories;
}

std::vector<std::string> log_dirs_of(const std::map<std::string, std::string>& settings) {
    const auto given = settings.find("log.dirs");
    if (given == settings.end() || given->second == kNoValue) {
        return {std::string(kDefaultLogDir)};
    }
    return split_log_dirs(given->second);
}

bool lies_in(std::string_view path, std::string_view directory) {
    return path.starts_with(directory) &&
           (path.size() == directory.size() || path[directory.size()] == '/');
}

std::optional<std::string_view> problem_with(const std::vector<std::string>& log_dirs) {
    if (log_dirs.empty()) {
        return "it must name a directory";
    }
    for (const std::string& one : log_dirs) {
        if (!one.starts_with('/') || one.size() < 2 || one.ends_with('/')) {
            return "each directory is a path that begins with / and does not end with it";
        }
        for (const std::string& other : log_dirs) {
            if (&one != &other && lies_in(one, other)) {
                return "no directory may be named twice or lie in another";
            }
        }
    }
    return std::nullopt;
}

}  // namespace klab::types
