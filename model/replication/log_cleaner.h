// SPDX-License-Identifier: Apache-2.0
//
// LogCleaner: the cleaner threads of a broker. Each one, over and over:
//
//     takes the dirtiest log that needs it and cleans it, a piece at a time    log_choice.h,
//                                                                              cleaning_pass.h
//     deletes old segments of compacted logs (retention leaves those to it)
//     rests log.cleaner.backoff.ms if there was nothing to clean
//
// Whoever cuts or deletes a log, or ends its compaction, stops the cleaning of it first.
//
// A log that cannot be cleaned is left alone until the broker restarts, and only cleaner.failed
// tells (KIP-346). Before that the thread ended, and with it the cleaning of every log: compacted
// topics grow from then on, the group coordinators' among them.
//
// Owns: which thread works on what, and which logs are uncleanable (volatile).
// Called by: replica_manager.cc (timers), truncation.cc, metadata_apply.cc, log_dir_failure.cc.
// Kafka: LogCleaner, CleanerThread, LogCleanerManager. KIP-58, KIP-346.
// Simplified: who stops a cleaning does not wait for the piece under way.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/replication/partition.h"
#include "model/storage/cleaner/cleaning_pass.h"
#include "model/storage/cleaner/cleaning_states.h"
#include "model/storage/cleaner/io_throttle.h"
#include "sim/base/cow.h"

namespace klab::replication {

struct DataPlane;

class LogCleaner {
  public:
    LogCleaner() = default;

    /// The threads begin to work. Nothing with log.cleaner.enable=false.
    void start(sim::Context& ctx, const ReplicationOptions& options);

    /// The threads end where they are; what they had begun goes at the next start.
    void stop(sim::Context& ctx);

    /// The thread goes on. Effects: cleaner.started, log.compacted, log.cleaned, cleaner.failed,
    /// log.segment_deleted, log.start_raised.
    void on_timer(DataPlane& plane, std::uint32_t thread);

    /// Nobody cleans this log from now on, until resume(). Effects: cleaner.aborted.
    void pause(DataPlane& plane, const Partition& partition, std::string_view reason);

    void resume(const Partition& partition);

    /// The log was cut: what lies above its active segment's base counts as dirty.
    void after_cut(DataPlane& plane, const Partition& partition);

    /// The log is not compacted any more. Effects: cleaner.aborted.
    void give_up(DataPlane& plane, const Partition& partition, std::string_view reason);

    /// The partition is about to be deleted. Effects: cleaner.aborted.
    void forget(DataPlane& plane, const Partition& partition);

    /// The partition went offline with its log directory; what was begun stays there.
    void lose(const Partition& partition);

    // --- what is inside, for checks and pictures

    [[nodiscard]] const storage::cleaner::CleaningStates& states() const { return *states_; }

    [[nodiscard]] std::size_t threads_running() const;

    friend bool operator==(const LogCleaner&, const LogCleaner&) = default;

  private:
    /// What one thread does.
    struct Thread {
        std::optional<PartitionKey> key;  ///< of the log under way
        storage::cleaner::CleaningPass pass;
        bool has_ended = false;

        friend bool operator==(const Thread&, const Thread&) = default;
    };

    [[nodiscard]] bool begin_next(DataPlane& plane, std::uint32_t thread);
    [[nodiscard]] Duration work(DataPlane& plane, std::uint32_t thread);
    void finish(DataPlane& plane, Thread& thread);
    void fail(DataPlane& plane, Thread& thread, storage::cleaner::CleaningError error);
    void release(DataPlane& plane, Thread& thread, types::Offset dirty_from);
    void delete_old_segments(DataPlane& plane);
    void go_on(DataPlane& plane, std::uint32_t thread, Duration after) const;

    Cow<std::vector<Thread>> threads_;
    Cow<storage::cleaner::CleaningStates> states_;
    storage::cleaner::IoThrottle throttle_;
};

}  // namespace klab::replication
