// SPDX-License-Identifier: Apache-2.0
//
// Context and DiskAccess: the running step's view of the kernel.
#include "sim/kernel/context.h"

#include <algorithm>
#include <utility>

#include "sim/disk/disk_costs.h"
#include "sim/kernel/kernel.h"
#include "sim/trace/kernel_events.h"

namespace klab::sim {

namespace {

/// True time as a clock that runs faster by `drift` parts per billion counts it.
Time with_drift(Time time, std::int64_t drift) {
    const std::int64_t whole = time.ns / 1'000'000'000;
    const std::int64_t rest = time.ns % 1'000'000'000;
    return {time.ns + whole * drift + rest * drift / 1'000'000'000};
}

Time drifted(const Kernel& kernel, NodeId node) {
    return with_drift(kernel.time(), kernel.slot(node).clock.drift_per_billion);
}

}  // namespace

Context::Context(Kernel& kernel, NodeId self, Lane lane, EventId cause, const void* rules)
    : kernel_(kernel), self_(self), lane_(lane), cause_(cause), rules_(rules) {}

Time Context::now() const {
    return drifted(kernel_, self_) + kWallClockStart + kernel_.slot(self_).clock.offset;
}

Time Context::monotonic() const { return drifted(kernel_, self_); }

std::uint32_t Context::pick(ChoiceSite site, std::uint32_t bound) {
    return kernel_.choices().pick(site, self_.value(), kAbsent, bound);
}

Duration Context::spread(ChoiceSite site, Duration low, Duration high) {
    return kernel_.choices().spread(site, self_.value(), kAbsent, low, high);
}

FreshId Context::fresh_id(std::uint32_t kind) {
    FreshId id;
    id.high = kernel_.choices().fresh_bits(kind, self_.value());
    id.low = kernel_.choices().fresh_bits(kind, self_.value());
    return id;
}

ConnectionId Context::connect(NodeId peer, Lane lane, std::uint32_t purpose) {
    const ConnectionId id = kernel_.network_for_write().reserve(self_, peer, lane, purpose);
    Kernel::Output output;
    output.kind = Kernel::Output::Kind::kOpen;
    output.connection = id;
    output.causes[0] = cause_;
    output.cause_count = 1;
    kernel_.outbox(*this).push_back(std::move(output));
    return id;
}

void Context::assign_lane(ConnectionId connection, Lane lane) {
    kernel_.network_for_write().assign_lane(connection, self_, lane);
}

void Context::send(ConnectionId connection,
                   MessageRef message,
                   std::int32_t correlation,
                   std::initializer_list<EventId> also_because) {
    Kernel::Output output;
    output.kind = Kernel::Output::Kind::kSend;
    output.connection = connection;
    output.correlation = correlation;
    output.message = std::move(message);
    for (const EventId id : also_because) {
        if (output.cause_count < kEventCausesMax - 1 && id != EventId{}) {
            output.causes[output.cause_count++] = id;
        }
    }
    if (cause_ != EventId{}) {
        output.causes[output.cause_count++] = cause_;
    }
    kernel_.outbox(*this).push_back(std::move(output));
}

void Context::close(ConnectionId connection) {
    Kernel::Output output;
    output.kind = Kernel::Output::Kind::kClose;
    output.connection = connection;
    kernel_.outbox(*this).push_back(std::move(output));
}

void Context::set_timer(TimerKey key, Duration delay, Lane lane) {
    kernel_.set_timer(self_, key, delay, lane);
}

bool Context::cancel_timer(TimerKey key) { return kernel_.cancel_timer(self_, key); }

bool Context::has_timer(TimerKey key) const { return kernel_.slot(self_).timers.find(key) != 0; }

DiskAccess Context::disk() { return DiskAccess(*this); }

void Context::busy(Duration duration) { busy_ += std::max(duration, Duration{}); }

Time Context::busy_until() const {
    const NodeSlot& slot = kernel_.slot(self_);
    return with_drift(kernel_.time() + busy_ * slot.cpu_factor, slot.clock.drift_per_billion);
}

void Context::exit_process() { exit_ = true; }

EventId Context::emit(EventKind kind,
                      std::initializer_list<std::int64_t> fields,
                      std::initializer_list<EventId> also_because) {
    std::array<EventId, kEventCausesMax> causes;
    std::size_t count = 0;
    for (const EventId id : also_because) {
        if (count < kEventCausesMax - 1 && id != EventId{}) {
            causes[count++] = id;
        }
    }
    if (cause_ != EventId{}) {
        causes[count++] = cause_;
    }
    return kernel_.emit(kind, self_, {fields.begin(), fields.size()}, {causes.data(), count});
}

bool Context::listening(EventKind kind) const { return kernel_.listening(kind); }

std::int64_t Context::text(std::string_view text) { return kernel_.text(text); }

std::int64_t Context::list(std::span<const std::int32_t> values) { return kernel_.list(values); }

const std::string& Context::text_of(std::int64_t number) const {
    return kernel_.interner().text_of(number);
}

const Disk& Context::stored() const { return kernel_.slot(self_).disk; }

Time DiskAccess::spend(Duration cost) {
    context_.busy_ += cost;
    const Kernel& kernel = context_.kernel_;
    return kernel.time() + context_.busy_ * kernel.slot(context_.self_).cpu_factor;
}

Disk& DiskAccess::disk_for_write() {
    Disk& disk = context_.kernel_.slot_for_write(context_.self_).disk;
    disk.settle(context_.kernel_.time());
    return disk;
}

const Disk& DiskAccess::disk() const { return context_.kernel_.slot(context_.self_).disk; }

const DeviceCosts& DiskAccess::costs() const { return context_.kernel_.device(context_.self_); }

std::optional<DiskError> DiskAccess::refused(DiskUse use, std::string_view path) {
    if (!disk().has_faults()) {
        return std::nullopt;
    }
    return take(disk_for_write().meet_faults(use, path, context_.kernel_.time()), path);
}

std::optional<DiskError> DiskAccess::refused(DiskUse use, FileId file) {
    if (!disk().has_faults()) {
        return std::nullopt;
    }
    const DiskVerdict verdict = disk_for_write().meet_faults(use, file, context_.kernel_.time());
    return take(verdict, verdict.error ? disk().path_of(file) : std::string());
}

std::optional<DiskError> DiskAccess::take(const DiskVerdict& verdict, std::string_view path) {
    context_.busy_ += verdict.extra;
    if (verdict.error) {
        context_.busy_ += costs().call;
        const std::int64_t where = context_.text(path);
        const std::int64_t error = context_.text(disk_error_name(*verdict.error));
        const EventId event = context_.emit(events::kDiskRefused, {where, error});
        context_.disk_failures_.push_back({std::string(path), *verdict.error, event});
    }
    return verdict.error;
}

DiskResult<FileId> DiskAccess::open(std::string_view path) {
    if (const auto error = refused(DiskUse::kLook, path)) {
        return Error{*error};
    }
    static_cast<void>(spend(costs().call));
    return disk().open(path);
}

DiskResult<FileId> DiskAccess::create(std::string_view path) {
    if (const auto error = refused(DiskUse::kGrow, path)) {
        return Error{*error};
    }
    const Time done = spend(costs().call);
    return disk_for_write().create(path, done);
}

DiskResult<Done> DiskAccess::append(FileId file, ByteView bytes) {
    if (const auto error = refused(DiskUse::kGrow, file)) {
        return Error{*error};
    }
    const Time done = spend(cost_of_append(costs(), bytes.size()));
    return disk_for_write().append(file, bytes, done);
}

DiskResult<Done> DiskAccess::write_at(FileId file, std::uint64_t position, ByteView bytes) {
    if (const auto error = refused(DiskUse::kGrow, file)) {
        return Error{*error};
    }
    const Time done = spend(cost_of_append(costs(), bytes.size()));
    return disk_for_write().write_at(file, position, bytes, done);
}

DiskResult<Done> DiskAccess::truncate(FileId file, std::uint64_t size) {
    if (const auto error = refused(DiskUse::kChange, file)) {
        return Error{*error};
    }
    const Time done = spend(costs().call);
    return disk_for_write().truncate(file, size, done);
}

void DiskAccess::spend_read(FileId file, std::uint64_t position, std::uint64_t length) {
    Duration cost = cost_of_read(costs(), length);
    if (disk().is_cold(file)) {
        cost = cost + cost_of_miss(costs(), disk_for_write().load(file, position, length));
    }
    static_cast<void>(spend(cost));
}

DiskResult<Bytes> DiskAccess::read(FileId file, std::uint64_t position, std::uint64_t length) {
    if (const auto error = refused(DiskUse::kRead, file)) {
        return Error{*error};
    }
    DiskResult<Bytes> bytes = disk().read(file, position, length);
    spend_read(file, position, bytes ? bytes->size() : 0);
    return bytes;
}

DiskResult<std::uint64_t> DiskAccess::read_into(FileId file,
                                                std::uint64_t position,
                                                std::span<std::uint8_t> out) {
    if (const auto error = refused(DiskUse::kRead, file)) {
        return Error{*error};
    }
    const DiskResult<std::uint64_t> length = disk().read_into(file, position, out);
    spend_read(file, position, length ? *length : 0);
    return length;
}

DiskResult<std::uint64_t> DiskAccess::read_mapped(FileId file,
                                                  std::uint64_t position,
                                                  std::span<std::uint8_t> out) {
    if (const auto error = refused(DiskUse::kRead, file)) {
        return Error{*error};
    }
    return disk().read_into(file, position, out);
}

DiskResult<Done> DiskAccess::write_mapped(FileId file, std::uint64_t position, ByteView bytes) {
    if (const auto error = refused(DiskUse::kGrow, file)) {
        return Error{*error};
    }
    const Time done = spend(Duration{});
    return disk_for_write().write_at(file, position, bytes, done);
}

DiskResult<std::uint64_t> DiskAccess::size(FileId file) {
    if (const auto error = refused(DiskUse::kLook, file)) {
        return Error{*error};
    }
    static_cast<void>(spend(costs().call));
    return disk().size(file);
}

DiskResult<Done> DiskAccess::sync(FileId file) {
    if (const auto error = refused(DiskUse::kChange, file)) {
        return Error{*error};
    }
    const DiskResult<std::uint64_t> dirty = disk().dirty_pages(file);
    const Time done = spend(cost_of_sync(costs(), dirty ? *dirty : 0));
    const DiskResult<std::uint64_t> written = disk_for_write().sync(file, done);
    if (!written) {
        return Error<DiskError>{written.error()};
    }
    return Done{};
}

DiskResult<Done> DiskAccess::sync_directory(std::string_view path) {
    if (const auto error = refused(DiskUse::kChange, path)) {
        return Error{*error};
    }
    const bool changed = disk().has_unsynced_names(path);
    const Time done = spend(cost_of_sync_directory(costs(), changed));
    return disk_for_write().sync_directory(path, done);
}

DiskResult<Done> DiskAccess::make_directories(std::string_view path) {
    if (const auto error = refused(DiskUse::kGrow, path)) {
        return Error{*error};
    }
    const Time done = spend(costs().call);
    return disk_for_write().make_directories(path, done);
}

DiskResult<Done> DiskAccess::rename(std::string_view from, std::string_view to) {
    for (const std::string_view path : {from, to}) {
        if (const auto error = refused(DiskUse::kChange, path)) {
            return Error{*error};
        }
    }
    const Time done = spend(costs().call);
    return disk_for_write().rename(from, to, done);
}

DiskResult<Done> DiskAccess::remove(std::string_view path) {
    if (const auto error = refused(DiskUse::kChange, path)) {
        return Error{*error};
    }
    const Time done = spend(costs().call);
    return disk_for_write().remove(path, done);
}

bool DiskAccess::exists(std::string_view path) {
    if (refused(DiskUse::kLook, path)) {
        return false;
    }
    static_cast<void>(spend(costs().call));
    return disk().exists(path);
}

DiskResult<std::vector<std::string>> DiskAccess::list(std::string_view path) {
    if (const auto error = refused(DiskUse::kLook, path)) {
        return Error{*error};
    }
    static_cast<void>(spend(costs().call));
    return disk().list(path);
}

}  // namespace klab::sim
