// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `election`. See election_from_trace.h.
#include "viz/election_from_trace.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/types/api_key.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"
#include "sim/trace/kernel_events.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

namespace kernel = sim::events;
namespace kafka = types::events;

class ElectionExtract {
  public:
    ElectionExtract(const TraceView& view, const sim::Event& election)
        : view_(view),
          recording_(view.input().recording),
          election_(election),
          partition_(view.number(election, "partition")),
          epoch_(static_cast<std::int32_t>(view.number(election, "leader_epoch"))),
          previous_(view.maybe(election, "previous")) {
        if (election.kind == kafka::kLeaderElected) {
            winner_ = view.maybe(election, "leader");
        }
        while (at_ < recording_.size() && recording_.at(at_).id != election.id) {
            look_back(recording_.at(at_));
            ++at_;
        }
        KLAB_ASSERT(at_ < recording_.size(), "event {} is not recorded", election.id);
        if (!previous_) {
            previous_ = last_leader_;
        }
        if (previous_) {
            old_node_ = view.broker_node(*previous_);
        }
    }

    ElectionPicture make() {
        fill_summary();
        add_faults();
        add_last_heartbeat();
        add_reason();
        add_loss();
        add_candidates();
        add_record();
        add_first_append();
        add_truncations();
        std::stable_sort(picture_.rows.begin(),
                         picture_.rows.end(),
                         [](const ElectionRow& a, const ElectionRow& b) { return a.at < b.at; });
        add_columns();
        const Time from = picture_.rows.front().at;
        const Time to = picture_.rows.back().at;
        picture_.head = view_.head("leader election of " + picture_.partition, from, to);
        picture_.head.hidden = {"everything but the decisions about " + picture_.partition};
        return std::move(picture_);
    }

  private:
    [[nodiscard]] bool is_ours(const sim::Event& event) const {
        return view_.number(event, "partition") == partition_;
    }

    [[nodiscard]] std::string name(std::optional<sim::NodeId> node) const {
        return node ? view_.node_name(*node) : std::string();
    }

    /// Learns the last leader before this election, and whether the partition lost it.
    void look_back(const sim::Event& event) {
        if (!is_election(event) || !is_ours(event)) {
            return;
        }
        if (event.kind == kafka::kLeaderLost) {
            loss_ = &event;
        } else {
            last_leader_ = view_.number(event, "leader");
            loss_ = nullptr;
        }
    }

    /// The partition had no leader before this election: since when, and why.
    void add_loss() {
        if (loss_ == nullptr) {
            return;
        }
        picture_.rows.push_back({ElectionStep::kFenced,
                                 view_.time(*loss_),
                                 fmt::format("{} has no leader: nobody in ISR {} is alive",
                                             picture_.partition,
                                             view_.broker_list(view_.list(*loss_, "isr"))),
                                 name(loss_->node),
                                 {},
                                 {},
                                 loss_->id.value()});
    }

    void fill_summary() {
        picture_.partition = view_.partition_name(partition_);
        picture_.epoch_after = epoch_;
        picture_.epoch_before = epoch_ - 1;
        if (previous_) {
            picture_.old_leader = view_.broker_name(*previous_);
        }
        if (winner_) {
            picture_.new_leader = view_.broker_name(*winner_);
        }
    }

    /// Process faults and cuts of the old leader that are in force when the election comes.
    void add_faults() {
        if (!old_node_) {
            return;
        }
        std::optional<ElectionRow> process;
        std::map<Time, std::vector<std::string>> cut_at;
        for (std::uint64_t i = 0; i < at_; ++i) {
            const sim::Event& event = recording_.at(i);
            const bool here = event.node == old_node_;
            if (here && (event.kind == kernel::kNodeBooted || event.kind == kernel::kNodeResumed)) {
                process.reset();
            } else if (here &&
                       (event.kind == kernel::kNodeCrashed ||
                        event.kind == kernel::kNodePoweredOff ||
                        event.kind == kernel::kNodePaused || event.kind == kernel::kNodeExited)) {
                process = ElectionRow{ElectionStep::kFault,
                                      view_.time(event),
                                      process_text(event.kind),
                                      name(old_node_),
                                      {},
                                      {},
                                      event.id.value()};
            } else if (event.kind == kernel::kLinkHealed) {
                if (view_.node(event, "from") == old_node_ ||
                    view_.node(event, "to") == old_node_) {
                    cut_at.clear();
                }
            } else if (event.kind == kernel::kLinkCut) {
                note_cut(event, cut_at);
            }
        }
        if (process) {
            picture_.rows.push_back(std::move(*process));
        }
        for (const auto& [at, peers] : cut_at) {
            std::string text;
            for (const std::string& peer : peers) {
                text += (text.empty() ? "" : ", ") + peer;
            }
            picture_.rows.push_back({ElectionStep::kFault,
                                     at,
                                     fmt::format("{} is cut off from {}", name(old_node_), text),
                                     name(old_node_),
                                     {},
                                     {},
                                     {}});
        }
    }

    [[nodiscard]] std::string process_text(sim::EventKind kind) const {
        if (kind == kernel::kNodeCrashed) {
            return name(old_node_) + " crashes";
        }
        if (kind == kernel::kNodePoweredOff) {
            return name(old_node_) + " loses power";
        }
        return name(old_node_) + (kind == kernel::kNodePaused ? " freezes" : " stops");
    }

    void note_cut(const sim::Event& event, std::map<Time, std::vector<std::string>>& cut_at) const {
        const std::optional<sim::NodeId> from = view_.node(event, "from");
        const std::optional<sim::NodeId> to = view_.node(event, "to");
        if (from != old_node_ && to != old_node_) {
            return;
        }
        const std::string peer = name(from == old_node_ ? to : from);
        std::vector<std::string>& peers = cut_at[view_.time(event)];
        if (std::find(peers.begin(), peers.end(), peer) == peers.end()) {
            peers.push_back(peer);
        }
    }

    /// The last heartbeat of the old leader that reached a controller.
    void add_last_heartbeat() {
        const auto heartbeat = static_cast<std::int64_t>(types::ApiKey::kBrokerHeartbeat);
        for (std::uint64_t i = at_; old_node_ && i > 0; --i) {
            const sim::Event& event = recording_.at(i - 1);
            if (event.kind != kernel::kMessageReceived || event.node == old_node_ ||
                view_.number(event, "api") != heartbeat || view_.flag(event, "reply") ||
                view_.node(event, "from") != old_node_) {
                continue;
            }
            ElectionRow row;
            row.step = ElectionStep::kLastHeartbeat;
            row.at = view_.time(event);
            row.text = "last heartbeat of " + name(old_node_);
            row.column = name(old_node_);
            row.arrows = {{name(event.node), row.at, "", event.id.value()}};
            row.event = event.id.value();
            picture_.rows.push_back(std::move(row));
            return;
        }
    }

    /// Why the controller acts: the event broker.fenced or broker.shutting_down of the old leader
    /// that belongs to this decision. It is told when committed, soon after the decision, but it is
    /// the reason for it, so its row stands at the time of the decision.
    void add_reason() {
        if (!previous_) {
            return;
        }
        const sim::Event& decision = loss_ != nullptr ? *loss_ : election_;
        for (std::uint64_t i = 0; i < recording_.size(); ++i) {
            const sim::Event& event = recording_.at(i);
            if (event.id < decision.id) {
                continue;
            }
            if (is_election(event) && event.id != decision.id && is_ours(event)) {
                return;
            }
            const bool fenced = event.kind == kafka::kBrokerFenced;
            if ((!fenced && event.kind != kafka::kBrokerShuttingDown) ||
                view_.number(event, "broker") != *previous_) {
                continue;
            }
            ElectionRow row;
            row.step = fenced ? ElectionStep::kFenced : ElectionStep::kOther;
            row.at = view_.time(decision);
            row.text = fenced ? fenced_text(event)
                              : fmt::format("{} is in controlled shutdown", *picture_.old_leader);
            row.column = name(event.node);
            row.event = event.id.value();
            picture_.rows.push_back(std::move(row));
            return;
        }
    }

    [[nodiscard]] std::string fenced_text(const sim::Event& event) const {
        std::string text =
            fmt::format("FENCED {}: {}", *picture_.old_leader, view_.text(event, "reason"));
        if (const auto silence = view_.maybe(event, "last_contact")) {
            text += fmt::format(", silent for {}", to_short_text(nanoseconds(*silence)));
        }
        return text;
    }

    [[nodiscard]] Time decision_time() const { return view_.time(election_); }

    void add_candidates() {
        ElectionRow row;
        row.step = ElectionStep::kCandidates;
        row.at = decision_time();
        row.text = "who may lead " + picture_.partition;
        row.column = name(election_.node);
        for (std::uint64_t i = at_; i > 0; --i) {
            const sim::Event& event = recording_.at(i - 1);
            if (event.time != election_.time) {
                break;
            }
            if (is_election(event) && is_ours(event)) {
                break;
            }
            if (event.kind != kafka::kCandidateJudged || !is_ours(event)) {
                continue;
            }
            row.candidates.push_back({view_.broker_name(view_.number(event, "broker")),
                                      view_.flag(event, "alive"),
                                      view_.flag(event, "in_isr"),
                                      static_cast<std::int32_t>(view_.number(event, "order")),
                                      view_.flag(event, "chosen"),
                                      view_.text(event, "why")});
            row.event = event.id.value();
        }
        std::stable_sort(row.candidates.begin(),
                         row.candidates.end(),
                         [](const ElectionCandidate& a, const ElectionCandidate& b) {
                             return a.order < b.order;
                         });
        if (!row.candidates.empty()) {
            picture_.rows.push_back(std::move(row));
        }
    }

    /// The committed record, and who acts on it when.
    void add_record() {
        ElectionRow row;
        row.step = ElectionStep::kLeaderRecord;
        row.at = decision_time();
        row.column = name(election_.node);
        row.event = election_.id.value();
        const std::string isr = view_.broker_list(view_.list(election_, "isr"));
        row.text = winner_ ? fmt::format("PartitionChangeRecord: leader {}, epoch {}, ISR {}",
                                         *picture_.new_leader,
                                         epoch_,
                                         isr)
                           : fmt::format(
                                 "PartitionChangeRecord: no leader, epoch {}, ISR {}", epoch_, isr);
        if (winner_ && view_.flag(election_, "unclean")) {
            row.text += " (UNCLEAN)";
        }
        std::set<sim::NodeId> told;
        for (std::uint64_t i = at_ + 1; i < recording_.size(); ++i) {
            const sim::Event& event = recording_.at(i);
            if (event.kind == kafka::kPartitionChanged && is_ours(event) &&
                view_.number(event, "leader_epoch") == epoch_ &&
                row.event == election_.id.value()) {
                row.at = view_.time(event);
                row.event = event.id.value();
                row.text += ", committed";
            }
            add_learner(event, row, told);
        }
        picture_.rows.push_back(std::move(row));
    }

    void add_learner(const sim::Event& event, ElectionRow& row, std::set<sim::NodeId>& told) {
        const bool leads = event.kind == kafka::kLeaderStarted;
        const bool follows = event.kind == kafka::kFollowerStarted;
        const bool client = event.kind == kafka::kLeaderLearned;
        if ((!leads && !follows && !client) || !event.node || !is_ours(event) ||
            view_.number(event, "leader_epoch") != epoch_ || !told.insert(*event.node).second) {
            return;
        }
        std::string text = "becomes leader";
        if (!leads) {
            const std::optional<std::int64_t> leader = view_.maybe(event, "leader");
            text = leader ? (follows ? "follows " : "learns of ") + view_.broker_name(*leader)
                          : std::string("has no leader");
        }
        row.arrows.push_back({name(event.node), view_.time(event), text, event.id.value(), client});
    }

    void add_first_append() {
        for (std::uint64_t i = at_; i < recording_.size(); ++i) {
            const sim::Event& event = recording_.at(i);
            if (event.kind != kafka::kLogAppended || !is_ours(event) ||
                !view_.flag(event, "as_leader") || view_.number(event, "leader_epoch") != epoch_) {
                continue;
            }
            const std::int64_t base = view_.number(event, "base_offset");
            ElectionRow row;
            row.step = ElectionStep::kFirstAppend;
            row.at = view_.time(event);
            row.text = fmt::format("first record of epoch {} at offset {}", epoch_, base);
            row.column = name(event.node);
            row.event = event.id.value();
            add_acknowledgement(i, base, view_.number(event, "last_offset"), row);
            picture_.rows.push_back(std::move(row));
            return;
        }
    }

    void add_acknowledgement(std::uint64_t from,
                             std::int64_t base,
                             std::int64_t last,
                             ElectionRow& row) {
        for (std::uint64_t i = from; i < recording_.size(); ++i) {
            const sim::Event& event = recording_.at(i);
            if (event.kind == kafka::kRecordAcked && is_ours(event) && event.node &&
                view_.number(event, "offset") >= base && view_.number(event, "offset") <= last) {
                row.arrows.push_back(
                    {name(event.node), view_.time(event), "is acknowledged", event.id.value()});
                return;
            }
        }
    }

    /// Cuts of logs because of the new epoch: until the next election of the partition.
    void add_truncations() {
        for (std::uint64_t i = at_ + 1; i < recording_.size(); ++i) {
            const sim::Event& event = recording_.at(i);
            if (event.kind == kafka::kLeaderElected && is_ours(event)) {
                return;
            }
            if (event.kind != kafka::kLogTruncated || !is_ours(event) ||
                view_.number(event, "from") <= view_.number(event, "to")) {
                continue;
            }
            picture_.rows.push_back({ElectionStep::kTruncated,
                                     view_.time(event),
                                     fmt::format("{} cuts {} from {} to {}: {}",
                                                 name(event.node),
                                                 picture_.partition,
                                                 view_.number(event, "from"),
                                                 view_.number(event, "to"),
                                                 view_.text(event, "reason")),
                                     name(event.node),
                                     {},
                                     {},
                                     event.id.value()});
        }
    }

    /// Controllers, old leader, other nodes that the rows name, clients.
    void add_columns() {
        std::set<std::string> named;
        for (const ElectionRow& row : picture_.rows) {
            named.insert(row.column);
            for (const ElectionArrow& arrow : row.arrows) {
                named.insert(arrow.to);
            }
            for (const ElectionCandidate& candidate : row.candidates) {
                named.insert(candidate.replica);
            }
        }
        const auto add = [&](PictureNodeKind kind, ElectionRole role) {
            for (const PictureNode& node : view_.nodes()) {
                const bool old =
                    kind == PictureNodeKind::kBroker && picture_.old_leader == node.name;
                if (node.kind != kind || named.count(node.name) == 0 ||
                    old != (role == ElectionRole::kOldLeader)) {
                    continue;
                }
                picture_.columns.push_back({node.name, role});
            }
        };
        add(PictureNodeKind::kController, ElectionRole::kController);
        add(PictureNodeKind::kBroker, ElectionRole::kOldLeader);
        add(PictureNodeKind::kBroker, ElectionRole::kCandidate);
        add(PictureNodeKind::kClient, ElectionRole::kClient);
    }

    const TraceView& view_;
    const sim::Recording& recording_;
    const sim::Event& election_;
    PartitionKey partition_;
    std::int32_t epoch_;
    std::optional<std::int64_t> previous_;  ///< Broker id of the old leader.
    std::optional<std::int64_t> winner_;    ///< Broker id of the new leader.
    std::optional<sim::NodeId> old_node_;
    std::optional<std::int64_t> last_leader_;  ///< Before this election.
    const sim::Event* loss_ = nullptr;         ///< Since which the partition has no leader.
    std::uint64_t at_ = 0;                     ///< Index of the election in the recording.
    ElectionPicture picture_;
};

}  // namespace

ElectionPicture election_from_trace(const TraceView& view, const sim::Event& election) {
    return ElectionExtract(view, election).make();
}

}  // namespace klab::viz
