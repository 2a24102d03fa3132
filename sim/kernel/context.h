// SPDX-License-Identifier: Apache-2.0
//
// Context: the only door between a node and everything outside it, during one step. What a step
// sends, connects or closes leaves when its busy time ends, at least 1 ns after the step.
//
// At most one pick, id or emit per statement: compilers differ in evaluation order.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/time.h"
#include "sim/disk/disk.h"
#include "sim/kernel/choices.h"
#include "sim/kernel/input.h"
#include "sim/kernel/message.h"
#include "sim/trace/event.h"

namespace klab::sim {

class Kernel;
class DiskAccess;

/// 128 fresh bits from Context::fresh_id.
struct FreshId {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
};

class Context {
  public:
    /// For World only.
    Context(Kernel& kernel, NodeId self, Lane lane, EventId cause, const void* rules);
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    [[nodiscard]] NodeId self() const { return self_; }

    [[nodiscard]] Lane lane() const { return lane_; }

    /// The node's wall clock: since 1970, with its offset, drift and jumps. For timestamps.
    [[nodiscard]] Time now() const;

    /// The node's monotonic clock: never jumps. For intervals and timeouts.
    [[nodiscard]] Time monotonic() const;

    /// An answer in [0, bound), keyed by (seed, site, this node, occurrence). Calm answer is 0.
    [[nodiscard]] std::uint32_t pick(ChoiceSite site, std::uint32_t bound);

    /// A duration in [low, high] at one of 32 levels. Calm answer is low.
    [[nodiscard]] Duration spread(ChoiceSite site, Duration low, Duration high);

    /// Fresh 128 bits; `kind` keeps kinds of ids apart.
    [[nodiscard]] FreshId fresh_id(std::uint32_t kind);

    /// Starts a connection; Connected or Disconnected follows on `lane`. `purpose` is the caller's
    /// label, shown to both ends.
    [[nodiscard]] ConnectionId connect(NodeId peer, Lane lane, std::uint32_t purpose);

    /// Inputs of this connection at this end go to `lane` from now on.
    void assign_lane(ConnectionId connection, Lane lane);

    /// Sends on an open connection; silently nothing when it is already over at this end (its
    /// Disconnected is on the way). `also_because` adds causes to this message's event.
    void send(ConnectionId connection,
              MessageRef message,
              std::int32_t correlation,
              std::initializer_list<EventId> also_because = {});

    /// Closes this end after what was sent; this end hears nothing more of it.
    void close(ConnectionId connection);

    /// Fires after `delay` of monotonic time (at once when negative); replaces a timer of this key.
    void set_timer(TimerKey key, Duration delay, Lane lane = Lane(0));

    /// Says whether there was one.
    bool cancel_timer(TimerKey key);
    [[nodiscard]] bool has_timer(TimerKey key) const;

    /// A call that a fault of the disk refused.
    struct DiskFailure {
        std::string path;  ///< of the file or directory
        DiskError error = DiskError::io_error;
        EventId event;  ///< disk.refused
    };

    /// Such calls of this step, in their order.
    [[nodiscard]] const std::vector<DiskFailure>& disk_failures() const { return disk_failures_; }

    /// The first of them, or nullptr.
    [[nodiscard]] const DiskFailure* disk_failure() const {
        return disk_failures_.empty() ? nullptr : &disk_failures_.front();
    }

    /// The node's disk; time of its calls makes the lane busy.
    [[nodiscard]] DiskAccess disk();

    /// The node's disk as it is, without cost and without its faults: to look up again what the
    /// real process keeps in memory.
    [[nodiscard]] const Disk& stored() const;

    /// This lane works for `duration` (times the node's CPU slowness).
    void busy(Duration duration);

    /// When this step's work so far ends, on the monotonic clock: what it sends leaves then.
    [[nodiscard]] Time busy_until() const;

    /// The process ends by itself after this step (start-up failure, end of a clean shutdown).
    void exit_process();

    /// Emits an event with the step's cause, the ids in `also_because` first (up to three).
    EventId emit(EventKind kind,
                 std::initializer_list<std::int64_t> fields,
                 std::initializer_list<EventId> also_because = {});

    /// Is anybody listening to this kind? Only for `detail` events, which are outside the hash.
    [[nodiscard]] bool listening(EventKind kind) const;

    /// From here on this step's events have this cause (work taken from a queue has its own cause).
    void set_cause(EventId cause) { cause_ = cause; }

    [[nodiscard]] EventId cause() const { return cause_; }

    /// Numbers of interned texts and lists, for event fields.
    [[nodiscard]] std::int64_t text(std::string_view text);
    [[nodiscard]] std::int64_t list(std::span<const std::int32_t> values);
    [[nodiscard]] const std::string& text_of(std::int64_t number) const;

    /// The model's constant data, given to the World; types::rules(ctx) and friends cast it.
    [[nodiscard]] const void* model_data() const { return rules_; }

  private:
    friend class DiskAccess;
    friend class Kernel;
    Kernel& kernel_;
    NodeId self_;
    Lane lane_;
    EventId cause_;
    const void* rules_;
    Duration busy_;
    bool exit_ = false;
    std::vector<DiskFailure> disk_failures_;
    std::uint32_t outbox_ = 0;  // slot of the kernel's outbox for this step, plus one
};

/// Disk calls of the running step. Same contracts as Disk; a fault of the disk adds the errors
/// no_space, read_only, io_error and device_gone to each.
class DiskAccess {
  public:
    explicit DiskAccess(Context& context) : context_(context) {}

    [[nodiscard]] DiskResult<FileId> open(std::string_view path);
    [[nodiscard]] DiskResult<FileId> create(std::string_view path);
    [[nodiscard]] DiskResult<Done> append(FileId file, ByteView bytes);
    [[nodiscard]] DiskResult<Done> write_at(FileId file, std::uint64_t position, ByteView bytes);
    [[nodiscard]] DiskResult<Done> truncate(FileId file, std::uint64_t size);
    [[nodiscard]] DiskResult<Bytes> read(FileId file, std::uint64_t position, std::uint64_t length);
    [[nodiscard]] DiskResult<std::uint64_t> read_into(FileId file,
                                                      std::uint64_t position,
                                                      std::span<std::uint8_t> out);
    /// A load from a file that is mapped into memory: no system call, no time.
    [[nodiscard]] DiskResult<std::uint64_t> read_mapped(FileId file,
                                                        std::uint64_t position,
                                                        std::span<std::uint8_t> out);
    /// A store into a file that is mapped into memory: no system call, no time.
    [[nodiscard]] DiskResult<Done> write_mapped(FileId file,
                                                std::uint64_t position,
                                                ByteView bytes);
    [[nodiscard]] DiskResult<std::uint64_t> size(FileId file);
    [[nodiscard]] DiskResult<Done> sync(FileId file);
    [[nodiscard]] DiskResult<Done> sync_directory(std::string_view path);
    [[nodiscard]] DiskResult<Done> make_directories(std::string_view path);
    [[nodiscard]] DiskResult<Done> rename(std::string_view from, std::string_view to);
    [[nodiscard]] DiskResult<Done> remove(std::string_view path);
    [[nodiscard]] bool exists(std::string_view path);
    [[nodiscard]] DiskResult<std::vector<std::string>> list(std::string_view path);

  private:
    /// Completion time of a call that takes `cost`, which becomes busy time.
    [[nodiscard]] Time spend(Duration cost);
    /// The time of a read, with what had to be fetched from the device.
    void spend_read(FileId file, std::uint64_t position, std::uint64_t length);
    /// Asks the faults of the disk. An error: the call must not be made.
    [[nodiscard]] std::optional<DiskError> refused(DiskUse use, std::string_view path);
    [[nodiscard]] std::optional<DiskError> refused(DiskUse use, FileId file);
    [[nodiscard]] std::optional<DiskError> take(const DiskVerdict& verdict, std::string_view path);
    [[nodiscard]] const DeviceCosts& costs() const;
    [[nodiscard]] Disk& disk_for_write();
    [[nodiscard]] const Disk& disk() const;

    Context& context_;
};

}  // namespace klab::sim
