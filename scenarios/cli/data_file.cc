// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/data_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace klab::cli {

DataFile::DataFile(const std::string& path)
    : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat info {};

    if (descriptor_ < 0 || fstat(descriptor_, &info) != 0) {
        problem_ = std::strerror(errno);
    } else if (!S_ISREG(info.st_mode)) {
        problem_ = "no regular file";
    } else {
        size_ = static_cast<std::uint64_t>(info.st_size);
    }
}

DataFile::~DataFile() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

Bytes DataFile::read(std::uint64_t position, std::uint64_t length) {
    Bytes bytes(position >= size_ ? 0 : std::min(length, size_ - position));
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t taken = pread(descriptor_,
                                    bytes.data() + done,
                                    bytes.size() - done,
                                    static_cast<off_t>(position + done));
        if (taken < 0 && errno == EINTR) {
            continue;
        }
        if (taken <= 0) {
            problem_ = taken < 0 ? std::strerror(errno) : "it became shorter while it was read";
            break;
        }
        done += static_cast<std::size_t>(taken);
    }
    bytes.resize(done);
    return bytes;
}

std::uint64_t DataFile::next_data(std::uint64_t position) const {
    if (position >= size_) {
        return size_;
    }
    const off_t found = lseek(descriptor_, static_cast<off_t>(position), SEEK_DATA);
    if (found < 0) {
        return errno == ENXIO ? size_ : position;
    }
    return std::min(size_, static_cast<std::uint64_t>(found));
}

}  // namespace klab::cli
