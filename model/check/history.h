// SPDX-License-Identifier: Apache-2.0
//
// History: what the clients of a run have seen, and nothing else: sends with their outcome, reads,
// resets of positions, errors. The oracle judges it (history_verdict.h); expressions count in it.
//
// An outcome is ok (acknowledged), fail (refused for sure, so not in the log), or indeterminate:
// unanswered, or failed after an attempt that may have been written.
//
// Owns: the record of the run as seen by clients. Called by: checker.cc, history_verdict.cc.
// Source: the outcome rule of public history checkers (ok, fail, info).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/check/chunk_list.h"
#include "model/types/model_data.h"
#include "sim/base/cow.h"
#include "sim/base/time.h"
#include "sim/trace/event.h"

namespace klab::check {

enum class Outcome : std::uint8_t {
    kUnanswered,
    kOk,
    kFailed,        ///< refused for sure
    kIndeterminate  ///< failed, and may be in the log all the same
};

/// One record given to send(); its number is its place in the list.
struct SendFact {
    std::int64_t partition = sim::kAbsent;  ///< as events name it
    std::uint32_t generation = 0;           ///< of the topic: how often it was deleted before
    std::uint32_t sends = 0;                ///< more than 1: the client started anew
    Outcome outcome = Outcome::kUnanswered;
    bool retried = false;
    std::int16_t acks = -1;
    std::int16_t error = 0;
    std::int64_t offset = sim::kAbsent;  ///< kOk: where, -1 with acks=0
    std::int64_t key = sim::kAbsent;     ///< as events name it, -1 without
    sim::EventId sent;
    Time sent_at;

    friend bool operator==(const SendFact&, const SendFact&) = default;
};

/// One record that poll() returned.
struct ReadFact {
    std::int64_t partition = 0;
    std::int64_t offset = 0;
    std::int32_t producer = -1;  ///< node, -1 unknown
    std::int64_t record = -1;
    sim::EventId event;

    friend bool operator==(const ReadFact&, const ReadFact&) = default;
};

/// When something happened.
struct When {
    Time time;
    sim::EventId event;

    friend bool operator==(const When&, const When&) = default;
};

/// A consumer's way through one partition.
struct Progress {
    std::optional<std::int64_t> first;     ///< where it began
    std::optional<std::int64_t> position;  ///< next offset it will read
    bool jumped_by_policy = false;         ///< auto.offset.reset moved it forward
    std::uint64_t gaps = 0;                ///< offsets passed over inside polls
    std::uint64_t backward = 0;            ///< offsets read again without a reset

    friend bool operator==(const Progress&, const Progress&) = default;
};

/// All that one client has seen.
struct ClientHistory {
    std::string name;
    types::ClientSpec::Kind kind = types::ClientSpec::Kind::kProducer;
    bool idempotent = false;
    std::int32_t max_in_flight = 5;
    Duration delivery_timeout;             ///< of a producer
    std::vector<std::int64_t> tombstones;  ///< numbers of records without a value, ascending
    ChunkList<SendFact> sends;
    ChunkList<When> sent;   ///< in order of time
    ChunkList<When> acked;  ///< likewise
    ChunkList<When> failed;
    std::map<std::int16_t, std::uint64_t> errors;  ///< error code -> how often
    ChunkList<ReadFact> reads;
    std::map<std::int64_t, Progress> progress;  ///< by partition
    std::uint64_t processed = 0;
    std::uint64_t above_high_watermark = 0;  ///< records read that were not committed
    std::optional<sim::EventId> first_above;

    friend bool operator==(const ClientHistory&, const ClientHistory&) = default;
};

/// How long producers waited for a partition. A wait begins with a send while no other wait is on,
/// and ends with the next acknowledgement of the partition; failed sends do not end it. It is as
/// long as the time between the two; at the end of the run an open wait counts up to then if a send
/// is still unanswered, else up to the last failure.
struct Availability {
    std::optional<Time> waiting_since;
    Time last_failure;
    std::uint64_t unanswered = 0;
    bool behind_gap = false;  ///< the last word of the leader was OUT_OF_ORDER_SEQUENCE_NUMBER
    Duration longest;         ///< of the closed waits
    Duration total;           ///< of the closed waits of at least kWaitMin

    friend bool operator==(const Availability&, const Availability&) = default;
};

/// Shorter waits are ordinary latency and not added up.
inline constexpr Duration kWaitMin = seconds(1);

/// From one instant to another: events after the first, up to and with the second.
struct Window {
    sim::EventId after;
    sim::EventId until;
};

class History {
  public:
    History() = default;
    explicit History(const types::ModelData& data);

    static void add_wanted(sim::KindSet& kinds);

    /// The events of one step, in order.
    void observe(std::span<const sim::Event> events);

    // --- questions; a client by name. Unknown names count 0.

    [[nodiscard]] const ClientHistory* client(std::string_view name) const;

    [[nodiscard]] const std::vector<Cow<ClientHistory>>& clients() const { return clients_; }

    /// The client on that node, or nullptr.
    [[nodiscard]] const ClientHistory* client_at(std::int64_t node) const;

    [[nodiscard]] std::uint64_t sent(std::string_view name,
                                     std::optional<Window> window = {}) const;
    [[nodiscard]] std::uint64_t acked(std::string_view name,
                                      std::optional<Window> window = {}) const;
    [[nodiscard]] std::uint64_t failed(std::string_view name,
                                       std::optional<Window> window = {}) const;
    /// Error answers and failed sends with this error code, or all.
    [[nodiscard]] std::uint64_t errors(std::string_view name,
                                       std::optional<std::int16_t> error = {}) const;
    [[nodiscard]] std::uint64_t polled(std::string_view name) const;
    [[nodiscard]] std::uint64_t processed(std::string_view name) const;
    [[nodiscard]] bool read_above_high_watermark(std::string_view name) const;
    /// Keys in the table that a consumer makes of what it has read: the last value of each key of a
    /// partition; a record without value takes its key out. Records of unknown clients do not
    /// count.
    [[nodiscard]] std::int64_t table_size(std::string_view name) const;

    /// All waits of at least kWaitMin together, an open one included; see Availability.
    [[nodiscard]] Duration unavailable_total(std::int64_t partition, Time now) const;
    [[nodiscard]] Duration unavailable_longest(std::int64_t partition, Time now) const;

    [[nodiscard]] const std::map<std::int64_t, Availability>& availability() const {
        return *availability_;
    }

    /// How often the topic of the partition was deleted.
    [[nodiscard]] std::uint32_t generation(std::int64_t partition) const;

    friend bool operator==(const History&, const History&) = default;

  private:
    void on_sent(const sim::Event& event, ClientHistory& client);
    void on_acked(const sim::Event& event, ClientHistory& client);
    void on_failed(const sim::Event& event, ClientHistory& client);
    void on_polled(const sim::Event& event, ClientHistory& client);
    void on_reset(const sim::Event& event, ClientHistory& client);
    void on_error(const sim::Event& event, ClientHistory& client);

    std::vector<Cow<ClientHistory>> clients_;  // by node, from first_node_ on
    std::uint32_t first_node_ = 0;
    Cow<std::map<std::int64_t, Availability>> availability_;  // by partition
    Cow<std::map<std::int64_t, std::uint32_t>> generations_;  // by topic
};

}  // namespace klab::check
