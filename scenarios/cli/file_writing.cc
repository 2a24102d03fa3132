// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/file_writing.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <system_error>

#include <fmt/format.h>

namespace klab::cli {

namespace {

std::string problem_text(const std::string& path, std::int32_t error) {
    return fmt::format("cannot write {}: {}", path, std::strerror(error));
}

/// A pipe or a device (/dev/stdout, /dev/full) has no place to move a file to.
bool is_special(const std::string& path) {
    struct stat info {};

    return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

}  // namespace

FileProblem write_file(
    const std::string& path,
    const std::function<bool(const std::function<bool(std::string_view)>& sink)>& produce) {
    const bool in_place = is_special(path);
    const std::string name = in_place ? path : path + ".part";
    std::FILE* file = std::fopen(name.c_str(), "wb");
    if (file == nullptr) {
        return problem_text(path, errno);
    }
    std::int32_t error = 0;
    const bool complete = produce([&](std::string_view bytes) {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
            error = errno;
            return false;
        }
        return true;
    });
    if (std::fclose(file) != 0 && error == 0) {
        error = errno;
    }
    if (complete && error == 0 && !in_place && std::rename(name.c_str(), path.c_str()) != 0) {
        error = errno;
    }
    if (complete && error == 0) {
        return std::nullopt;
    }
    if (!in_place) {
        std::remove(name.c_str());
    }
    return problem_text(path, error);
}

FileProblem write_file(const std::string& path, std::string_view text) {
    return write_file(
        path, [&](const std::function<bool(std::string_view)>& sink) { return sink(text); });
}

FileProblem make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) {
        return fmt::format("cannot make the folder {}: {}", path, error.message());
    }
    return std::nullopt;
}

}  // namespace klab::cli
