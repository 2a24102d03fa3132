// SPDX-License-Identifier: Apache-2.0
//
// The table of features. See features.h.
#include "model/types/features.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace klab::types {

namespace {

constexpr std::string_view kBoolean = "false|true";

/// Off before a version, on from it.
constexpr std::array<std::string_view, kVersionCount> on_from(KafkaVersion first) {
    std::array<std::string_view, kVersionCount> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i < static_cast<std::size_t>(first) ? "false" : "true";
    }
    return values;
}

constexpr std::array<std::string_view, kVersionCount> always(std::string_view value) {
    std::array<std::string_view, kVersionCount> values{};
    values.fill(value);
    return values;
}

constexpr std::array<FeatureInfo, kFeatureCount> kFeatures = {{
    {Feature::kCleanerSparesMarkers,
     "cleaner.spares-markers",
     kBoolean,
     true,
     "KAFKA-14055",
     "The cleaner never compares transaction markers with the keys of records. Off (before 3.0.2, "
     "3.1.2, "
     "3.2.1), a record whose key has the four bytes of a marker's key supersedes older markers: "
     "their "
     "transactions look open to every replica that reads the cleaned log.",
     always("true")},
    {Feature::kCleanerSurvivesBadLogs,
     "cleaner.survives-bad-logs",
     kBoolean,
     true,
     "KIP-346, KAFKA-7215",
     "A log that cannot be cleaned is marked uncleanable and the cleaner goes on with the others. "
     "Off "
     "(before 2.1), the cleaner thread dies, and nothing on the broker is compacted until it "
     "restarts.",
     always("true")},
    {Feature::kConsumerSkipsBufferedNodes,
     "consumer.skips-buffered-nodes",
     kBoolean,
     true,
     "KAFKA-17182",
     "A consumer sends no fetch to a broker while records that it fetched from there wait for "
     "poll(). "
     "Off, it fetches the other partitions of that broker meanwhile.",
     on_from(KafkaVersion::k4_0)},
    {Feature::kElr,
     "elr",
     kBoolean,
     true,
     "KIP-966",
     "Replicas that leave an ISR smaller than min.insync.replicas stay eligible as leaders, and "
     "the ISR "
     "may become empty. Kafka 4.0 can switch it on, 4.1 has it on in new clusters. Off, the last "
     "member "
     "of an ISR always stays in it.",
     on_from(KafkaVersion::k4_1)},
    {Feature::kFetchDropsNewerEpoch,
     "fetch.drops-newer-epoch",
     kBoolean,
     true,
     "KAFKA-18723",
     "A follower appends no batch whose leader epoch is newer than the one in its fetch request, "
     "so a "
     "leader change in the middle of a fetch cannot leave an epoch in the log that the follower "
     "does "
     "not know. Off, it appends whatever it receives.",
     on_from(KafkaVersion::k4_0)},
    {Feature::kHwHeldBelowMinIsr,
     "hw.held-below-min-isr",
     kBoolean,
     true,
     "KAFKA-15583, KIP-966",
     "The high watermark stands still while fewer than min.insync.replicas replicas are in sync: "
     "consumers see nothing that fewer replicas hold, and a pending acks=all write times out. Off, "
     "it "
     "advances with whatever ISR is left, and such a write ends in "
     "NOT_ENOUGH_REPLICAS_AFTER_APPEND.",
     on_from(KafkaVersion::k3_7)},
    {Feature::kIndexEachBatch,
     "index.each-batch",
     kBoolean,
     true,
     "KAFKA-806",
     "When enough bytes have been appended, the next batch gets an entry in the indexes. Off, only "
     "the "
     "next append does: a follower that fetches many batches at once indexes them by one entry, "
     "and a "
     "lookup there reads more of the log.",
     on_from(KafkaVersion::k4_0)},
    {Feature::kIsrJoinChecksBrokerEpoch,
     "isr.join-checks-broker-epoch",
     kBoolean,
     true,
     "KIP-903",
     "A replica joins the ISR only if the broker epoch of its last fetch is that of its "
     "registration. "
     "Off, a broker that restarted with an empty log can be added on the strength of what it had "
     "before.",
     always("true")},
    {Feature::kIsrJoinNeedsEpochStart,
     "isr.join-needs-epoch-start",
     kBoolean,
     true,
     "KAFKA-7128",
     "A replica joins the ISR only once its log reaches the start of the current leader epoch. "
     "Off, "
     "reaching the high watermark suffices; on a new leader that one may lag behind records that "
     "were "
     "committed already, which the joining replica then lacks.",
     always("true")},
    {Feature::kLeaderEpochBumpOnShrink,
     "leader-epoch.bump-on-shrink",
     kBoolean,
     true,
     "KAFKA-15021",
     "The controller raises the leader epoch of a partition when its ISR shrinks, which makes "
     "every "
     "replica restart its fetcher and clients refresh. Clusters with a metadata.version before "
     "3.6-IV0 "
     "do that.",
     always("false")},
    {Feature::kLeaderHints,
     "leader-hints",
     kBoolean,
     true,
     "KIP-951",
     "An answer NOT_LEADER_OR_FOLLOWER or FENCED_LEADER_EPOCH names the new leader, so the client "
     "can "
     "go there at once. Off, it has to refresh its metadata first.",
     on_from(KafkaVersion::k3_7)},
    {Feature::kLogDirsReported,
     "log-dirs.reported",
     kBoolean,
     true,
     "KIP-858",
     "A KRaft broker tells the controller in which of its log directories each replica is, and "
     "which "
     "directories failed. Off, the controller hears nothing of a failed directory: who led there "
     "goes "
     "on as the leader of partitions that it cannot serve.",
     on_from(KafkaVersion::k3_7)},
    {Feature::kLogTruncation,
     "log.truncation",
     "high-watermark|leader-epoch",
     true,
     "KIP-101, KIP-279, KIP-320, KIP-595",
     "How a follower brings its log in line with a leader. By leader epoch: it cuts from the first "
     "offset at which the histories differ. By high watermark (before 0.11): it cuts to its own "
     "high "
     "watermark, which can throw away committed records and can leave different ones in place.",
     always("leader-epoch")},
    {Feature::kProducerBumpsEpoch,
     "producer.bumps-epoch",
     kBoolean,
     true,
     "KIP-360",
     "An idempotent producer that hears OUT_OF_ORDER_SEQUENCE_NUMBER for its next batch raises its "
     "epoch and sends the batch again from sequence 0. Off (clients before 2.5), that batch fails, "
     "and the producer goes on with a new id.",
     always("true")},
    {Feature::kProducerOutlivesRecords,
     "producer.outlives-records",
     kBoolean,
     true,
     "KAFKA-7190, KIP-360",
     "A broker knows a producer until it has been idle for producer.id.expiration.ms. Off (before "
     "2.4; the answer is that of 0.11.0), it forgets the producer with its last record that lies "
     "above the log start, and then takes from it nothing but sequence 0.",
     always("true")},
    {Feature::kProducerSplitShrinks,
     "producer.split-shrinks",
     kBoolean,
     true,
     "KAFKA-8350",
     "A batch that is too large for the broker is split into parts of batch.size, and a part that "
     "is still too large into halves of itself. Off, every split aims at batch.size: where "
     "max.message.bytes is smaller than that, the same batch is sent again and again until "
     "delivery.timeout.ms is over. No version of this table has it; later ones do.",
     always("false")},
    {Feature::kShutdownMarkerNeedsLoad,
     "shutdown.marker-needs-load",
     kBoolean,
     true,
     "KAFKA-15375",
     "A broker that stops before it has loaded its logs leaves no marker of a clean shutdown. Off "
     "(before 3.5.2 and 3.6.0), it does: the next start trusts logs that nobody has checked since "
     "the crash.",
     always("true")},
    {Feature::kUncleanObeyedInKraft,
     "unclean.obeyed-in-kraft",
     kBoolean,
     true,
     "KAFKA-12670",
     "A KRaft controller elects a replica outside the ISR by itself when "
     "unclean.leader.election.enable "
     "is true. Off, that setting does nothing: only an operator can order an unclean election.",
     on_from(KafkaVersion::k3_9)},
}};

std::string_view text_of(bool value) { return value ? "true" : "false"; }

/// The field of a boolean feature; null for the others.
template <typename AnyRules>
auto* boolean_field(AnyRules& rules, Feature feature) {
    switch (feature) {
        case Feature::kCleanerSparesMarkers:
            return &rules.cleaner_spares_markers;
        case Feature::kCleanerSurvivesBadLogs:
            return &rules.cleaner_survives_bad_logs;
        case Feature::kConsumerSkipsBufferedNodes:
            return &rules.consumer_skips_buffered_nodes;
        case Feature::kElr:
            return &rules.elr;
        case Feature::kFetchDropsNewerEpoch:
            return &rules.fetch_drops_newer_epoch;
        case Feature::kHwHeldBelowMinIsr:
            return &rules.hw_held_below_min_isr;
        case Feature::kIndexEachBatch:
            return &rules.index_each_batch;
        case Feature::kIsrJoinChecksBrokerEpoch:
            return &rules.isr_join_checks_broker_epoch;
        case Feature::kIsrJoinNeedsEpochStart:
            return &rules.isr_join_needs_epoch_start;
        case Feature::kLeaderEpochBumpOnShrink:
            return &rules.leader_epoch_bump_on_shrink;
        case Feature::kLeaderHints:
            return &rules.leader_hints;
        case Feature::kLogDirsReported:
            return &rules.log_dirs_reported;
        case Feature::kProducerBumpsEpoch:
            return &rules.producer_bumps_epoch;
        case Feature::kProducerOutlivesRecords:
            return &rules.producer_outlives_records;
        case Feature::kProducerSplitShrinks:
            return &rules.producer_split_shrinks;
        case Feature::kShutdownMarkerNeedsLoad:
            return &rules.shutdown_marker_needs_load;
        case Feature::kUncleanObeyedInKraft:
            return &rules.unclean_obeyed_in_kraft;
        case Feature::kLogTruncation:
            break;
    }
    return static_cast<decltype(&rules.elr)>(nullptr);
}

}  // namespace

std::span<const FeatureInfo> all_features() { return kFeatures; }

const FeatureInfo& info(Feature feature) {
    const auto index = static_cast<std::size_t>(feature);
    KLAB_ASSERT(index < kFeatures.size(), "feature {} is not in the table", index);
    return kFeatures[index];
}

std::optional<Feature> find_feature(std::string_view name) {
    const auto row = std::ranges::find(kFeatures, name, &FeatureInfo::name);
    if (row == kFeatures.end()) {
        return std::nullopt;
    }
    return row->feature;
}

std::vector<std::string> allowed_values(const FeatureInfo& feature) {
    std::vector<std::string> values;
    std::string_view rest = feature.values;
    while (!rest.empty()) {
        const std::size_t bar = rest.find('|');
        values.emplace_back(rest.substr(0, bar));
        rest = bar == std::string_view::npos ? std::string_view{} : rest.substr(bar + 1);
    }
    return values;
}

std::string_view value_in(Feature feature, KafkaVersion version) {
    return info(feature).by_version.at(static_cast<std::size_t>(version));
}

std::string_view value_in(Feature feature, const Rules& rules) {
    if (const bool* field = boolean_field(rules, feature)) {
        return text_of(*field);
    }
    switch (rules.log_truncation) {
        case LogTruncation::kHighWatermark:
            return "high-watermark";
        case LogTruncation::kLeaderEpoch:
            return "leader-epoch";
    }
    return {};
}

void set_feature(Rules& rules, Feature feature, std::string_view value) {
    KLAB_ASSERT(info(feature).modelled, "feature {} is not modelled", info(feature).name);
    if (bool* field = boolean_field(rules, feature)) {
        *field = value == "true";
    } else {
        rules.log_truncation =
            value == "high-watermark" ? LogTruncation::kHighWatermark : LogTruncation::kLeaderEpoch;
    }
    KLAB_ASSERT(
        value_in(feature, rules) == value, "{} is not a value of {}", value, info(feature).name);
}

std::vector<FeatureDifference> differences(KafkaVersion from, KafkaVersion to) {
    std::vector<FeatureDifference> found;
    for (const FeatureInfo& row : kFeatures) {
        const std::string_view before = value_in(row.feature, from);
        const std::string_view after = value_in(row.feature, to);
        if (before != after) {
            found.push_back({row.feature, before, after});
        }
    }
    return found;
}

}  // namespace klab::types
