// SPDX-License-Identifier: Apache-2.0
//
// See history_verdict.h.
#include "model/check/history_verdict.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "model/check/compaction_excuse.h"
#include "model/check/final_log.h"

namespace klab::check {

namespace {

constexpr std::size_t kRecordsShown = 10;

/// Anomalies of one client and partition, gathered one by one.
struct Gathered {
    std::uint64_t count = 0;
    std::vector<std::int64_t> records;
    Excuse excuse;
    bool all_excused = true;

    void add(std::int64_t record, const Excuse& why) {
        ++count;
        if (records.size() < kRecordsShown) {
            records.push_back(record);
        }
        if (!why) {
            all_excused = false;
        } else if (!excuse) {
            excuse = why;
        }
    }
};

struct Key {
    std::int64_t node = 0;
    std::int64_t partition = 0;
    AnomalyKind kind = AnomalyKind::kLostWrite;

    friend auto operator<=>(const Key&, const Key&) = default;
};

class Judge {
  public:
    Judge(const History& history, const ClusterSight& sight, const WhiteBox& white_box)
        : history_(history), sight_(sight), white_box_(white_box) {}

    HistoryVerdict run() {
        std::int64_t node = 0;
        for (std::size_t found = 0; found < history_.clients().size(); ++node) {
            if (const ClientHistory* client = history_.client_at(node)) {
                ++found;
                node_ = node;
                judge_client(*client);
            }
        }
        return summary();
    }

  private:
    void judge_client(const ClientHistory& client) {
        if (client.kind == types::ClientSpec::Kind::kProducer) {
            judge_sends(client);
            judge_order(client);
        } else if (client.kind == types::ClientSpec::Kind::kConsumer) {
            judge_reads(client);
        }
    }

    const FinalLog& log(std::int64_t partition) {
        const auto known = logs_.find(partition);
        if (known != logs_.end()) {
            return known->second;
        }
        return logs_.emplace(partition, read_final_log(sight_, history_, partition)).first->second;
    }

    void add(AnomalyKind kind, std::int64_t partition, std::int64_t record, const Excuse& excuse) {
        gathered_[{node_, partition, kind}].add(record, excuse);
    }

    // --- producers

    /// acks=1 promises the leader's log alone: whoever leads next need not have the record.
    Excuse excuse_of_lost(const SendFact& send) const {
        if (send.acks == 0) {
            return "acks=0: nobody has promised anything";
        }
        if (send.acks == 1) {
            const auto changed = white_box_.leader_changed(send.partition);
            if (changed && *changed > send.sent) {
                return "acks=1: only the leader had promised to keep it, and another one leads";
            }
            const PartitionTrack* p = white_box_.track(send.partition);
            if (p != nullptr && p->control.deposed_append.value_or(sim::EventId{}) > send.sent) {
                return "acks=1: only a leader had promised to keep it that did not know of its "
                       "successor";
            }
            const bool tail_lost =
                p != nullptr && std::ranges::any_of(p->replicas, [&](const ReplicaTrack& r) {
                    return r.lost.has_value() && r.lost->event > send.sent;
                });
            if (tail_lost) {
                return "acks=1: only the leader had promised to keep it, and it lost the end of "
                       "its log";
            }
        }
        return white_box_.excuse_of_partition(send.partition);
    }

    void judge_sends(const ClientHistory& client) {
        std::int64_t record = -1;
        client.sends.for_each([&](const SendFact& send) {
            ++record;
            if (send.sends == 0 || send.generation != history_.generation(send.partition)) {
                return;  // never sent, or to a topic that was deleted since
            }
            const FinalLog& final = log(send.partition);
            const auto [from, to] = final.copies(static_cast<std::int32_t>(node_), record);
            const std::size_t copies = count_copies(final, from, to);
            verdict_.copies += copies;
            if (send.outcome == Outcome::kOk) {
                ++verdict_.acked;
                if (copies == 0 && !may_be_gone(send.partition, send.offset, send.key)) {
                    add(AnomalyKind::kLostWrite, send.partition, record, excuse_of_lost(send));
                    verdict_.lost_weak[send.partition] += send.acks == -1 ? 0U : 1U;
                }
            }
            if (send.outcome == Outcome::kFailed && copies > 0) {
                add(AnomalyKind::kUnexpectedWrite, send.partition, record, std::nullopt);
            }
            if (copies > send.sends) {
                const Excuse excuse = excuse_of_duplicate(client, send.partition);
                for (std::size_t extra = send.sends; extra < copies; ++extra) {
                    add(AnomalyKind::kDuplicate, send.partition, record, excuse);
                }
            }
        });
    }

    /// Was the record at `offset` deleted by retention or DeleteRecords, or dropped by a cleaning?
    bool may_be_gone(std::int64_t partition, std::int64_t offset, std::int64_t key) {
        const FinalLog& final = log(partition);
        const PartitionTrack* p = white_box_.track(partition);
        return offset >= 0 &&
               (offset < final.log_start ||
                (p != nullptr &&
                 may_be_compacted(history_, final, p->cleaned, {partition, offset, key})));
    }

    /// Without a leader by_name holds the logs of several replicas; copies are counted in one.
    static std::size_t count_copies(const FinalLog& final, std::size_t from, std::size_t to) {
        return final.has_leader ? to - from : std::min<std::size_t>(to - from, 1);
    }

    Excuse excuse_of_duplicate(const ClientHistory& client, std::int64_t partition) const {
        if (!client.idempotent) {
            return "enable.idempotence=false: a batch that is sent again is written again";
        }
        return white_box_.excuse_of_partition(partition);
    }

    Excuse excuse_of_order(const ClientHistory& client, std::int64_t partition) {
        if (!client.idempotent && client.max_in_flight > 1) {
            return fmt::format(
                "enable.idempotence=false and {} requests in flight: a batch that "
                "is sent again stands behind later ones",
                client.max_in_flight);
        }
        if (took_a_later_batch_first(
                sight_, log(partition), partition, static_cast<std::int32_t>(node_))) {
            return "a leader that knew nothing of the producer took a later batch first (KIP-360), "
                   "while earlier ones were on their way to the leader before it";
        }
        return white_box_.excuse_of_partition(partition);
    }

    /// Partitions that the client sent to.
    static std::vector<std::int64_t> partitions_of(const ClientHistory& client) {
        std::vector<std::int64_t> partitions;
        client.sends.for_each([&](const SendFact& send) {
            if (send.sends > 0 &&
                std::ranges::find(partitions, send.partition) == partitions.end()) {
                partitions.push_back(send.partition);
            }
        });
        std::ranges::sort(partitions);
        return partitions;
    }

    void judge_order(const ClientHistory& client) {
        for (const std::int64_t partition : partitions_of(client)) {
            std::int64_t largest = -1;
            for (const FinalRecord& one : log(partition).in_order) {
                const auto record = static_cast<std::size_t>(one.record);
                if (one.producer != node_ || one.record < 0 || record >= client.sends.size() ||
                    client.sends[record].sends != 1 || !is_first_copy(partition, one)) {
                    continue;
                }
                if (one.record < largest) {
                    add(AnomalyKind::kReordered,
                        partition,
                        one.record,
                        excuse_of_order(client, partition));
                }
                largest = std::max(largest, one.record);
            }
        }
    }

    bool is_first_copy(std::int64_t partition, const FinalRecord& one) {
        const FinalLog& final = log(partition);
        const auto [from, to] = final.copies(one.producer, one.record);
        return from != to && final.by_name[from].offset == one.offset;
    }

    // --- consumers

    void judge_reads(const ClientHistory& client) {
        verdict_.reads += client.reads.size();
        std::map<std::int64_t, std::vector<FinalRecord>> read;
        client.reads.for_each([&](const ReadFact& one) {
            if (one.producer < 0) {
                return;
            }
            read[one.partition].push_back({one.producer, one.record, one.offset});
            judge_kept(one);
        });
        if (client.above_high_watermark > 0) {
            for (std::uint64_t i = 0; i < client.above_high_watermark; ++i) {
                add(AnomalyKind::kReadAboveHw, first_partition(client), sim::kAbsent, std::nullopt);
            }
        }
        for (const auto& [partition, progress] : client.progress) {
            for (std::uint64_t i = 0; i < progress.backward; ++i) {
                add(AnomalyKind::kNonmonotonicPoll, partition, sim::kAbsent, std::nullopt);
            }
            auto& records = read[partition];
            std::ranges::sort(records);
            judge_passed(partition, progress, records);
        }
    }

    static std::int64_t first_partition(const ClientHistory& client) {
        return client.progress.empty() ? sim::kAbsent : client.progress.begin()->first;
    }

    /// Is the record that was read still there?
    void judge_kept(const ReadFact& one) {
        const ClientHistory* producer = history_.client_at(one.producer);
        const auto record = static_cast<std::size_t>(one.record);
        if (producer == nullptr || record >= producer->sends.size() ||
            producer->sends[record].generation != history_.generation(one.partition)) {
            return;
        }
        const FinalLog& final = log(one.partition);
        const auto [from, to] = final.copies(one.producer, one.record);
        for (std::size_t i = from; i < to; ++i) {
            if (final.by_name[i].offset == one.offset) {
                return;
            }
        }
        if (may_be_gone(one.partition, one.offset, producer->sends[record].key)) {
            return;  // read while it was there
        }
        const Excuse excuse = white_box_.excuse_of_partition(one.partition);
        if (from == to) {
            add(AnomalyKind::kVanished, one.partition, one.record, excuse);
            vanished_[one.producer].push_back({one.producer, one.record, one.partition});
            return;
        }
        add(AnomalyKind::kInconsistentOffset, one.partition, one.record, excuse);
    }

    /// Committed records between where the consumer began and where it is, that it never read.
    void judge_passed(std::int64_t partition,
                      const Progress& progress,
                      const std::vector<FinalRecord>& read) {
        const FinalLog& final = log(partition);
        if (!final.has_leader || !progress.first || !progress.position) {
            return;
        }
        Excuse excuse;
        if (progress.jumped_by_policy) {
            excuse = "auto.offset.reset moved the position after an offset out of range";
        } else {
            excuse = white_box_.excuse_of_partition(partition);
        }
        const std::int64_t end = std::min(*progress.position, final.high_watermark);
        for (const FinalRecord& one : final.in_order) {
            if (one.offset < *progress.first || one.offset >= end || one.producer < 0) {
                continue;
            }
            if (!has_read(read, one)) {
                add(AnomalyKind::kSkippedOnPoll, partition, one.record, excuse);
                skipped_[partition].emplace(one, excuse);
            } else {
                seen_[partition].push_back(one);
            }
        }
    }

    static bool has_read(const std::vector<FinalRecord>& read, const FinalRecord& one) {
        const FinalRecord low{one.producer, one.record, std::numeric_limits<std::int64_t>::min()};
        const auto found = std::lower_bound(read.begin(), read.end(), low);
        return found != read.end() && found->producer == one.producer &&
               found->record == one.record;
    }

    /// Skipped by every consumer that came past.
    void judge_unseen() {
        for (auto& [partition, skipped] : skipped_) {
            std::vector<FinalRecord>& seen = seen_[partition];
            std::ranges::sort(seen);
            for (const auto& [one, excuse] : skipped) {
                const ClientHistory* producer = history_.client_at(one.producer);
                const auto record = static_cast<std::size_t>(one.record);
                const bool acked = producer != nullptr && record < producer->sends.size() &&
                                   producer->sends[record].outcome == Outcome::kOk;
                if (acked && !std::ranges::binary_search(seen, one)) {
                    node_ = one.producer;
                    add(AnomalyKind::kUnseen, partition, one.record, excuse);
                }
            }
        }
    }

    // --- the result

    HistoryVerdict summary() {
        judge_unseen();
        for (const Cow<ClientHistory>& client : history_.clients()) {
            verdict_.clients.emplace(client->name, ClientVerdict{});
        }
        for (const auto& [key, found] : gathered_) {
            const std::string& name = history_.client_at(key.node)->name;
            count(verdict_.clients[name], key.kind, found.count);
            Anomaly anomaly;
            anomaly.kind = key.kind;
            anomaly.client = name;
            anomaly.partition = key.partition;
            anomaly.count = found.count;
            anomaly.allowed = found.all_excused;
            anomaly.why = found.all_excused ? *found.excuse : std::string();
            anomaly.records = found.records;
            anomaly.detail = sentence(anomaly);
            verdict_.anomalies.push_back(std::move(anomaly));
        }
        for (auto& [producer, records] : vanished_) {
            std::ranges::sort(records);
            const auto end = std::unique(records.begin(), records.end());
            verdict_.clients[history_.client_at(producer)->name].vanished +=
                static_cast<std::uint64_t>(end - records.begin());
        }
        return std::move(verdict_);
    }

    static void count(ClientVerdict& client, AnomalyKind kind, std::uint64_t times) {
        switch (kind) {
            case AnomalyKind::kLostWrite:
                client.lost_acked += times;
                return;
            case AnomalyKind::kDuplicate:
                client.duplicates += times;
                return;
            case AnomalyKind::kReordered:
                client.reordered += times;
                return;
            case AnomalyKind::kVanished:
                client.vanished += times;
                return;
            case AnomalyKind::kSkippedOnPoll:
                client.skipped += times;
                return;
            case AnomalyKind::kUnseen:
                client.unseen += times;
                return;
            case AnomalyKind::kInconsistentOffset:
            case AnomalyKind::kReadAboveHw:
            case AnomalyKind::kNonmonotonicPoll:
            case AnomalyKind::kUnexpectedWrite:
                return;
        }
    }

    std::string sentence(const Anomaly& anomaly) const {
        std::string records;
        for (const std::int64_t record : anomaly.records) {
            if (record >= 0) {
                records += fmt::format("{}{}", records.empty() ? " (" : ", ", record);
            }
        }
        if (!records.empty()) {
            records += anomaly.count > anomaly.records.size() ? ", ...)" : ")";
        }
        const std::string where =
            anomaly.partition < 0 ? "?" : sight_.partition(anomaly.partition).text();
        return fmt::format("{}: {} {} of {}{}",
                           name_of(anomaly.kind),
                           anomaly.count,
                           where,
                           anomaly.client,
                           records);
    }

    const History& history_;
    const ClusterSight& sight_;
    const WhiteBox& white_box_;
    std::int64_t node_ = 0;  // of the client under judgement
    HistoryVerdict verdict_;
    std::map<std::int64_t, FinalLog> logs_;
    std::map<Key, Gathered> gathered_;
    std::map<std::int64_t, std::vector<std::tuple<std::int32_t, std::int64_t, std::int64_t>>>
        vanished_;  // by producer
    std::map<std::int64_t, std::vector<FinalRecord>> seen_;
    std::map<std::int64_t, std::map<FinalRecord, Excuse>> skipped_;
};

}  // namespace

std::string_view name_of(AnomalyKind kind) {
    switch (kind) {
        case AnomalyKind::kLostWrite:
            return "lost-write";
        case AnomalyKind::kDuplicate:
            return "duplicate";
        case AnomalyKind::kReordered:
            return "reordered";
        case AnomalyKind::kVanished:
            return "vanished";
        case AnomalyKind::kInconsistentOffset:
            return "inconsistent-offset";
        case AnomalyKind::kReadAboveHw:
            return "read-above-hw";
        case AnomalyKind::kSkippedOnPoll:
            return "skipped-on-poll";
        case AnomalyKind::kNonmonotonicPoll:
            return "nonmonotonic-poll";
        case AnomalyKind::kUnseen:
            return "unseen";
        case AnomalyKind::kUnexpectedWrite:
            return "unexpected-write";
    }
    return "anomaly";
}

CheckId check_of(AnomalyKind kind) {
    switch (kind) {
        case AnomalyKind::kLostWrite:
            return CheckId::kAck;
        case AnomalyKind::kDuplicate:
        case AnomalyKind::kUnexpectedWrite:
            return CheckId::kDup;
        case AnomalyKind::kReordered:
            return CheckId::kOrd;
        case AnomalyKind::kVanished:
        case AnomalyKind::kInconsistentOffset:
        case AnomalyKind::kReadAboveHw:
            return CheckId::kVanish;
        case AnomalyKind::kSkippedOnPoll:
        case AnomalyKind::kNonmonotonicPoll:
        case AnomalyKind::kUnseen:
            return CheckId::kSkip;
    }
    return CheckId::kAck;
}

HistoryVerdict judge(const History& history, const ClusterSight& sight, const WhiteBox& white_box) {
    return Judge(history, sight, white_box).run();
}

ClientVerdict HistoryVerdict::of(std::string_view client) const {
    const auto found = clients.find(client);
    return found == clients.end() ? ClientVerdict{} : found->second;
}

}  // namespace klab::check
