// SPDX-License-Identifier: Apache-2.0
//
// Benchmarks of the storage layer: appending and recovery beside the bare checksum and memcpy over
// the same bytes, finding an offset in small and large logs, and the memory of idle logs.
//
// Where a limit stands beside a figure, work and limit take turns and the fastest turn of each
// counts: whatever else the machine does meets both alike.
#include <cstring>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "model/storage/crc32c.h"
#include "model/storage/segment_lookup.h"
#include "tests/bench/bench_support.h"
#include "tests/storage/log_builder.h"

namespace klab::bench {
namespace {

constexpr std::size_t kBatchBytes = 16'384;           // batch.size, Kafka's default
constexpr std::size_t kTurnBytes = 4U << 20U;         // appended in one turn
constexpr std::int32_t kSegmentBytes = 16 << 20;      // so that rolls are part of it
constexpr std::uint64_t kLogBytesMax = 64ULL << 20U;  // then a new log is begun
constexpr std::int64_t kNowMs = 1'700'000'000'000;

/// A log as its leader has it, on a disk of its own.
class LeaderLog {
  public:
    explicit LeaderLog(const storage::LogConfig& config) {
        options_.partition = {"t", 0};
        options_.config = config;
        open();
    }

    /// As after a crash of the process: every batch is checked.
    void open() {
        auto opened = storage::Log::open(port(), options_);
        KLAB_ASSERT(opened.ok(), "the log does not open");
        log_ = std::move(opened->log);
        disk_.settle(now());
    }

    void append(ByteView batch) {
        const auto done = log_.append_as_leader(port(), rules_, {batch, types::LeaderEpoch(1)});
        KLAB_ASSERT(done.ok(), "the log refuses a batch");
        disk_.settle(now());
    }

    [[nodiscard]] storage::OffsetPlace place_of(types::Offset offset) const {
        const auto place = log_.place_of(disk_, offset);
        KLAB_ASSERT(place.ok(), "offset {} is not found", offset);
        return *place;
    }

    [[nodiscard]] std::int64_t end() const { return log_.log_end_offset().value(); }

    [[nodiscard]] std::uint64_t size() const { return log_.size(); }

  private:
    [[nodiscard]] static Time now() { return Time{} + milliseconds(kNowMs); }

    [[nodiscard]] storage::DiskPort port() { return {disk_, now()}; }

    sim::Disk disk_;
    storage::LogOptions options_;
    types::Rules rules_;
    storage::Log log_;
};

// --- the checksum

void crc32c(benchmark::State& state, std::uint32_t (*extend)(std::uint32_t, ByteView)) {
    const Bytes bytes(kBatchBytes, 0x5A);
    std::uint32_t crc = 0;
    for (auto _ : state) {
        crc = extend(crc, bytes);
        benchmark::DoNotOptimize(crc);
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

BENCHMARK_CAPTURE(crc32c, as_used, storage::crc32c_extend);
BENCHMARK_CAPTURE(crc32c, by_table, storage::crc32c_extend_by_table);

// --- appending and recovery

/// One turn's batches, each of one record size.
class Batches {
  public:
    explicit Batches(std::int64_t record_bytes) {
        const auto size = static_cast<std::size_t>(record_bytes);
        for (std::size_t i = 0; i < kTurnBytes / kBatchBytes; ++i) {
            const std::string value(size, static_cast<char>('a' + i % 26));
            batches_.push_back(storage::batch_of(
                std::vector<std::string>(std::max<std::size_t>(1, kBatchBytes / (size + 9)), value),
                kNowMs));
            bytes_ += batches_.back().size();
        }
    }

    void append_to(LeaderLog& log) const {
        for (const Bytes& batch : batches_) {
            log.append(batch);
        }
    }

    /// Bytes of all.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    [[nodiscard]] const std::vector<Bytes>& list() const { return batches_; }

  private:
    std::vector<Bytes> batches_;
    std::size_t bytes_ = 0;
};

/// What appends and recovery are measured against: checksum and copy of the same batches.
class Limits {
  public:
    explicit Limits(const Batches& batches) : batches_(batches), copy_(batches.bytes()) {}

    /// One turn of both.
    void measure() {
        crc_.add(seconds_of([&] {
            for (const Bytes& batch : batches_.list()) {
                benchmark::DoNotOptimize(storage::crc32c(batch));
            }
        }));
        memcpy_.add(seconds_of([&] {
            std::uint8_t* to = copy_.data();
            for (const Bytes& batch : batches_.list()) {
                std::memcpy(to, batch.data(), batch.size());
                to += batch.size();
            }
            benchmark::ClobberMemory();
        }));
    }

    /// Shows how fast `work` was over the bytes of one turn.
    void report(benchmark::State& state, const Fastest& work) const {
        const auto mb = static_cast<double>(batches_.bytes()) / 1e6;
        state.counters["MB/s"] = mb / work.seconds();
        state.counters["crc_MB/s"] = mb / crc_.seconds();
        state.counters["memcpy_MB/s"] = mb / memcpy_.seconds();
        state.counters["of_memcpy"] = memcpy_.seconds() / work.seconds();
        state.counters["of_crc"] = crc_.seconds() / work.seconds();
        aim(state, "aim_of_crc", 0.5);
    }

  private:
    const Batches& batches_;
    Fastest crc_;
    Fastest memcpy_;
    Bytes copy_;
};

storage::LogConfig large_segments() {
    storage::LogConfig config;
    config.segment_bytes = kSegmentBytes;
    return config;
}

/// Batches of 16 KiB with records of so many bytes: framed, checked, validated, stamped, written.
void append_as_leader(benchmark::State& state) {
    const Batches batches(state.range(0));
    Limits limits(batches);
    Fastest work;
    LeaderLog log(large_segments());
    for (auto _ : state) {
        if (log.size() + batches.bytes() > kLogBytesMax) {
            log = LeaderLog(large_segments());
        }
        const double seconds = seconds_of([&] { batches.append_to(log); });
        state.SetIterationTime(seconds);
        work.add(seconds);
        limits.measure();
    }
    limits.report(state, work);
}

BENCHMARK(append_as_leader)
    ->ArgName("record_bytes")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(16'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// A start after a crash of the process: all segments are read, checked and indexed anew.
void recovery_scan(benchmark::State& state) {
    const Batches batches(state.range(0));
    Limits limits(batches);
    Fastest work;
    LeaderLog log(large_segments());
    while (log.size() + batches.bytes() <= kLogBytesMax) {
        batches.append_to(log);
    }
    const double turns = static_cast<double>(log.size()) / static_cast<double>(batches.bytes());
    for (auto _ : state) {
        const double seconds = seconds_of([&] { log.open(); });
        state.SetIterationTime(seconds);
        work.add(seconds / turns);
        limits.measure();
    }
    limits.report(state, work);
}

BENCHMARK(recovery_scan)
    ->ArgName("record_bytes")
    ->Arg(100)
    ->Arg(1000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// --- finding an offset: must grow with the logarithm of what is there

void find_offsets(benchmark::State& state, const LeaderLog& log) {
    std::uint64_t draw = 1;  // an order that no cache foresees
    for (auto _ : state) {
        draw = draw * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
        const auto offset = (draw >> 20U) % static_cast<std::uint64_t>(log.end());
        benchmark::DoNotOptimize(log.place_of(types::Offset(static_cast<std::int64_t>(offset))));
    }
    state.SetComplexityN(state.range(0));
}

/// Segments of 64 KiB, each with about 13 index entries.
void find_offset_by_segments(benchmark::State& state) {
    storage::LogConfig config;
    config.segment_bytes = 65'536;
    LeaderLog log(config);
    const Bytes batch = storage::batch_of({std::string(954, 'a')}, kNowMs);
    const auto bytes = static_cast<std::uint64_t>(state.range(0) * config.segment_bytes);
    while (log.size() + batch.size() < bytes) {
        log.append(batch);
    }
    find_offsets(state, log);
}

BENCHMARK(find_offset_by_segments)
    ->ArgName("segments")
    ->RangeMultiplier(10)
    ->Range(1, 1000)
    ->Complexity(benchmark::oLogN);

/// One segment, an index entry for each batch but the first.
void find_offset_by_entries(benchmark::State& state) {
    storage::LogConfig config;
    config.index_interval_bytes = 0;
    LeaderLog log(config);
    const Bytes batch = storage::batch_of({"test"}, kNowMs);
    for (std::int64_t i = 0; i <= state.range(0); ++i) {
        log.append(batch);
    }
    find_offsets(state, log);
}

BENCHMARK(find_offset_by_entries)
    ->ArgName("entries")
    ->RangeMultiplier(10)
    ->Range(10, 100'000)
    ->Complexity(benchmark::oLogN);

// --- memory

double heap_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// Logs of one broker that nobody writes to, files included.
void idle_logs(benchmark::State& state) {
    for (auto _ : state) {
        const double before = heap_bytes();
        sim::Disk disk;
        std::vector<storage::Log> logs(static_cast<std::size_t>(state.range(0)));
        storage::LogOptions options;
        for (std::size_t i = 0; i < logs.size(); ++i) {
            options.partition = {"idle", static_cast<std::int32_t>(i)};
            auto opened = storage::Log::open(disk, options);
            KLAB_ASSERT(opened.ok(), "the log does not open");
            logs[i] = std::move(opened->log);
            disk.settle(Time{});
        }
        state.counters["bytes_each"] =
            (heap_bytes() - before) / static_cast<double>(state.range(0));
    }
    aim(state, "aim_bytes", 1500);
}

BENCHMARK(idle_logs)->Arg(1'000)->Arg(100'000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace klab::bench

int main(int argc, char** argv) {
    // A log's pages are memory that the process has had before: what the operating system takes to
    // hand out fresh memory is no part of an append.
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
