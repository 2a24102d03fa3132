// SPDX-License-Identifier: Apache-2.0
//
// Random disk calls for the property tests: what they are, how they are generated and applied.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "sim/disk/disk.h"
#include "tests/sim/disk_helpers.h"

namespace klab::sim::test {

enum class OpKind : std::uint8_t {
    create,
    append,
    write_at,
    truncate,
    sync,
    sync_directory,
    make_directories,
    rename,
    remove
};

struct DiskOp {
    OpKind kind = OpKind::create;
    std::string path;
    std::string to;              // rename
    std::uint64_t position = 0;  // write_at; size of truncate
    Bytes bytes;                 // append, write_at
};

inline std::ostream& operator<<(std::ostream& out, const DiskOp& op) {
    constexpr std::array<const char*, 9> kNames{"create",
                                                "append",
                                                "write_at",
                                                "truncate",
                                                "sync",
                                                "sync_directory",
                                                "make_directories",
                                                "rename",
                                                "remove"};
    return out << kNames[static_cast<std::size_t>(op.kind)] << ' ' << op.path << ' ' << op.to
               << " at " << op.position << " bytes " << op.bytes.size();
}

/// Applies one call; calls on a missing file fail as they would for a process that opens it first.
/// Says whether it succeeded.
inline bool apply(Disk& disk, const DiskOp& op, Time done) {
    const FileId file = disk.open(op.path) ? disk.open(op.path).value() : FileId(0);
    switch (op.kind) {
        case OpKind::create:
            return disk.create(op.path, done).ok();
        case OpKind::append:
            return disk.append(file, op.bytes, done).ok();
        case OpKind::write_at:
            return disk.write_at(file, op.position, op.bytes, done).ok();
        case OpKind::truncate:
            return disk.truncate(file, op.position, done).ok();
        case OpKind::sync:
            return disk.sync(file, done).ok();
        case OpKind::sync_directory:
            return disk.sync_directory(op.path, done).ok();
        case OpKind::make_directories:
            return disk.make_directories(op.path, done).ok();
        case OpKind::rename:
            return disk.rename(op.path, op.to, done).ok();
        case OpKind::remove:
            return disk.remove(op.path, done).ok();
    }
    return false;
}

/// Sizes near page borders, small ones, and some of several pages.
inline rc::Gen<std::uint64_t> gen_length() {
    return rc::gen::weightedOneOf<std::uint64_t>(
        {{5, rc::gen::inRange<std::uint64_t>(0, 40)},
         {2, rc::gen::inRange<std::uint64_t>(4080, 4110)},
         {2, rc::gen::inRange<std::uint64_t>(0, 20'000)},
         {1, rc::gen::element<std::uint64_t>(512, 4096, 8192)}});
}

/// Bytes 1..255, so that a zero is always a hole.
inline rc::Gen<Bytes> gen_bytes() {
    return rc::gen::map(rc::gen::pair(gen_length(), rc::gen::inRange<std::uint64_t>(0, 255)),
                        [](const std::pair<std::uint64_t, std::uint64_t>& seed) {
                            Bytes bytes(seed.first);
                            for (std::uint64_t i = 0; i < bytes.size(); ++i) {
                                bytes[i] =
                                    static_cast<std::uint8_t>((seed.second + i * 7) % 255 + 1);
                            }
                            return bytes;
                        });
}

/// Calls on the given files and directories.
inline rc::Gen<DiskOp> gen_op(const std::vector<std::string>& files,
                              const std::vector<std::string>& directories) {
    using rc::gen::element;
    std::vector<std::string> any = files;
    any.insert(any.end(), directories.begin(), directories.end());
    const auto file_op = [files](OpKind kind) {
        return rc::gen::build<DiskOp>(rc::gen::set(&DiskOp::kind, rc::gen::just(kind)),
                                      rc::gen::set(&DiskOp::path, rc::gen::elementOf(files)),
                                      rc::gen::set(&DiskOp::position, gen_length()),
                                      rc::gen::set(&DiskOp::bytes, gen_bytes()));
    };
    const auto name_op = [](OpKind kind, const std::vector<std::string>& paths) {
        return rc::gen::build<DiskOp>(rc::gen::set(&DiskOp::kind, rc::gen::just(kind)),
                                      rc::gen::set(&DiskOp::path, rc::gen::elementOf(paths)),
                                      rc::gen::set(&DiskOp::to, rc::gen::elementOf(paths)));
    };
    return rc::gen::weightedOneOf<DiskOp>({{4, file_op(OpKind::create)},
                                           {8, file_op(OpKind::append)},
                                           {4, file_op(OpKind::write_at)},
                                           {3, file_op(OpKind::truncate)},
                                           {4, file_op(OpKind::sync)},
                                           {3, name_op(OpKind::sync_directory, directories)},
                                           {2, name_op(OpKind::make_directories, directories)},
                                           {3, name_op(OpKind::rename, any)},
                                           {1, name_op(OpKind::remove, any)}});
}

/// Any power failure; one draw a statement, so that all compilers draw alike.
inline ScriptedChoices any_power_off_choices() {
    constexpr std::size_t kDraws = 60;
    const auto keeps = *rc::gen::container<std::vector<bool>>(kDraws, rc::gen::arbitrary<bool>());
    const auto sectors = *rc::gen::container<std::vector<std::uint32_t>>(
        kDraws, rc::gen::inRange<std::uint32_t>(0, kSectorsPerPage + 1));
    return ScriptedChoices(keeps, sectors);
}

}  // namespace klab::sim::test
