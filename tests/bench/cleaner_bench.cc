// SPDX-License-Identifier: Apache-2.0
//
// Benchmark of the log cleaner: records a second that one cleaning reads, from a log whose keys
// repeat, into a log with the last record of each. The same log is cleaned again and again.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "model/storage/cleaner/cleaning_pass.h"
#include "model/storage/log_segment.h"
#include "model/storage/record_batch_builder.h"
#include "tests/bench/bench_support.h"

namespace klab::bench {
namespace {

namespace cleaner = storage::cleaner;

constexpr std::int64_t kNowMs = 1'700'000'000'000;
constexpr int kBatches = 2'000;
constexpr int kRecordsInBatch = 50;

storage::DiskPort port_of(sim::Disk& disk) { return {disk, Time{} + milliseconds(kNowMs)}; }

/// A closed segment of 100,000 records of 100 bytes over so many keys, and an empty active one.
storage::Log dirty_log(sim::Disk& disk, std::int64_t keys) {
    storage::LogOptions options;
    options.partition = {"t", 0};
    options.config.is_compacted = true;
    auto opened = storage::Log::open(port_of(disk), options);
    KLAB_ASSERT(opened.ok(), "the log does not open");
    storage::Log log = std::move(opened->log);
    const std::string value(100, 'v');
    std::int64_t record = 0;
    for (int i = 0; i < kBatches; ++i) {
        storage::RecordBatchBuilder builder;
        for (int j = 0; j < kRecordsInBatch; ++j, ++record) {
            const std::string key = "key-" + std::to_string(record % keys);
            storage::RecordInput input;
            input.timestamp = kNowMs;
            input.key = storage::view_of(key);
            input.value = storage::view_of(value);
            builder.append(input);
        }
        const Bytes batch = builder.build();
        const auto done = log.append_as_leader(port_of(disk), {}, {batch, types::LeaderEpoch(0)});
        KLAB_ASSERT(done.ok(), "the log refuses a batch");
    }
    log.set_high_watermark(log.log_end_offset());
    KLAB_ASSERT(!log.roll(port_of(disk)), "the log does not roll");
    disk.settle(Time{} + milliseconds(kNowMs));
    return log;
}

void compaction(benchmark::State& state) {
    sim::Disk disk;
    const storage::Log log = dirty_log(disk, state.range(0));
    const cleaner::LogToClean target{.partition = log.partition(),
                                     .first_dirty = types::Offset(0),
                                     .first_uncleanable = log.active_segment().base_offset()};
    const cleaner::CleanerLimits limits{.map = cleaner::offset_map_size({}), .io = {}, .rules = {}};
    double seconds = 0;
    std::uint64_t records = 0;
    for (auto _ : state) {
        sim::Disk dirty = disk;
        storage::Log cleaned = log;
        cleaner::CleaningPass pass(target, limits, kNowMs);
        const double took = seconds_of([&] {
            while (true) {
                const auto piece = pass.advance(port_of(dirty), cleaned);
                KLAB_ASSERT(piece.ok(), "the log cannot be cleaned");
                if (piece->is_done) {
                    break;
                }
            }
        });
        state.SetIterationTime(took);
        seconds += took;
        records += pass.stats().records_read;
        state.counters["kept"] = static_cast<double>(pass.stats().records_written);
    }
    state.counters["records/s"] = static_cast<double>(records) / seconds;
}

BENCHMARK(compaction)
    ->ArgName("keys")
    ->Arg(100)
    ->Arg(10'000)
    ->Arg(100'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace klab::bench

BENCHMARK_MAIN();
