// SPDX-License-Identifier: Apache-2.0
//
// See segments_from_world.h.
#include "viz/segments_from_world.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "model/kafka_world/cluster_view.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

/// Entries and batches shown beside those that matter.
constexpr std::uint32_t kAround = 2;

struct Found {
    types::TopicPartition partition;
    types::BrokerId broker;
    std::string node;
    const replication::Partition* replica = nullptr;
};

Error<NoSegments> no(std::string message, std::string hint = {}) {
    return Error{NoSegments{std::move(message), std::move(hint)}};
}

std::string names_of(const std::vector<types::TopicPartition>& all) {
    std::string text;
    for (const types::TopicPartition& one : all) {
        text += (text.empty() ? "partitions of this run: " : ", ") + one.text();
    }
    return text;
}

Result<Found, NoSegments> find_replica(const world::KafkaWorld& world,
                                       const SegmentsQuestion& question) {
    const std::vector<types::TopicPartition> all = world::partitions_of(world);
    if (all.empty()) {
        return no("this run has no partition to draw");
    }
    Found found;
    found.partition = all.front();
    if (question.partition) {
        const auto one = std::find_if(
            all.begin(), all.end(), [&](const auto& p) { return p.text() == *question.partition; });
        if (one == all.end()) {
            return no(
                fmt::format("there is no partition \"{}\"", to_printable(*question.partition)),
                names_of(all));
        }
        found.partition = *one;
    }
    const std::string name = found.partition.text();
    if (question.broker) {
        for (const types::BrokerSpec& spec : world.data().cluster.brokers) {
            if (spec.name == *question.broker) {
                found.broker = spec.id;
                found.node = spec.name;
            }
        }
        if (found.node.empty()) {
            return no(fmt::format("there is no broker \"{}\"", to_printable(*question.broker)));
        }
    } else {
        const auto leader = world::committed_leader(world, found.partition);
        if (!leader) {
            return no(fmt::format("{} has no leader at that instant", name),
                      "--node b1 takes the replica of one broker");
        }
        found.broker = *leader;
        found.node = fmt::format("b{}", *leader);
    }
    found.replica = world::replica(world, found.partition, found.broker);
    if (found.replica == nullptr) {
        return no(fmt::format("{} has no open log of {} at that instant", found.node, name));
    }
    return found;
}

class SegmentsExtract {
  public:
    SegmentsExtract(const storage::Log& log, const sim::Disk& disk, storage::LogLookup lookup)
        : log_(log), disk_(disk), lookup_(std::move(lookup)) {}

    void fill(SegmentsPicture& picture) const {
        add_segments(picture);
        add_rows(picture);
        add_batches(picture);
    }

  private:
    void add_segments(SegmentsPicture& picture) const {
        const std::vector<storage::LogSegment> all = log_.segments();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool is_active = i + 1 == all.size();
            SegmentBar bar;
            bar.base = all[i].base_offset().value();
            bar.next = (is_active ? log_.log_end_offset() : all[i + 1].base_offset()).value();
            bar.bytes = all[i].size();
            bar.is_active = is_active;
            bar.is_chosen = all[i].base_offset() == lookup_.segment_base;
            const auto compared =
                std::find(lookup_.bases.begin(), lookup_.bases.end(), all[i].base_offset());
            if (compared != lookup_.bases.end()) {
                bar.step = static_cast<std::int32_t>(compared - lookup_.bases.begin()) + 1;
            }
            picture.segments.push_back(bar);
        }
    }

    [[nodiscard]] storage::LogSegment chosen() const {
        for (storage::LogSegment& segment : log_.segments()) {
            if (segment.base_offset() == lookup_.segment_base) {
                return segment;
            }
        }
        return log_.active_segment();
    }

    void add_rows(SegmentsPicture& picture) const {
        const storage::LogSegment segment = chosen();
        picture.index_entries = segment.index().entries();
        picture.entries_compared = static_cast<std::uint32_t>(lookup_.steps.compared.size());
        std::set<std::uint32_t> shown;
        const auto show_around = [&](std::uint32_t index) {
            const std::uint32_t first = index > kAround ? index - kAround : 0;
            for (std::uint32_t i = first; i <= index + kAround && i < picture.index_entries; ++i) {
                shown.insert(i);
            }
        };
        if (picture.index_entries > 0) {
            show_around(0);
        }
        for (const storage::IndexComparison& compared : lookup_.steps.compared) {
            shown.insert(compared.index);
            if (compared.entry == lookup_.steps.floor) {
                show_around(compared.index);
            }
        }
        for (const std::uint32_t index : shown) {
            const auto entry = segment.index().entry(disk_, index);
            if (!entry) {
                continue;
            }
            IndexRow row{index, entry->offset.value(), entry->position, std::nullopt, false};
            row.is_floor = *entry == lookup_.steps.floor;
            for (std::size_t i = 0; i < lookup_.steps.compared.size(); ++i) {
                if (lookup_.steps.compared[i].index == index && !row.step) {
                    row.step = static_cast<std::int32_t>(i) + 1;
                }
            }
            picture.rows.push_back(row);
        }
    }

    /// The batches read, two before them as far as the index points at none, and two behind.
    void add_batches(SegmentsPicture& picture) const {
        const storage::LogSegment segment = chosen();
        picture.scan_from = static_cast<std::uint64_t>(lookup_.steps.floor.position);
        picture.batches_read = static_cast<std::uint32_t>(lookup_.steps.read.size());
        for (const storage::BatchSpot& spot : lookup_.steps.read) {
            picture.bytes_read += spot.size;
        }
        storage::SegmentBatches batches(disk_, segment, lookup_.steps.floor.position);
        const std::size_t shown = lookup_.steps.read.size() + kAround;
        for (std::size_t i = 0; i < shown; ++i) {
            const auto spot = batches.next();
            if (!spot || !*spot) {
                break;
            }
            BatchBox box{(*spot)->position,
                         (*spot)->size,
                         (*spot)->base_offset.value(),
                         (*spot)->last_offset.value(),
                         BatchMark::kNotRead};
            if (i + 1 == lookup_.steps.read.size()) {
                box.mark = BatchMark::kFound;
            } else if (i < lookup_.steps.read.size()) {
                box.mark = BatchMark::kRead;
            }
            picture.batches.push_back(box);
        }
    }

    const storage::Log& log_;
    const sim::Disk& disk_;
    storage::LogLookup lookup_;
};

}  // namespace

Result<SegmentsPicture, NoSegments> segments_from_world(const world::KafkaWorld& world,
                                                        const SegmentsQuestion& question) {
    const auto found = find_replica(world, question);
    if (!found) {
        return Error{found.error()};
    }
    const storage::Log& log = found->replica->log;
    const std::int64_t first = log.log_start_offset().value();
    const std::int64_t end = log.log_end_offset().value();
    SegmentsPicture picture;
    picture.log = fmt::format("{} on {}", found->partition.text(), found->node);
    picture.offset = question.offset.value_or(std::max(first, end - 1));
    if (picture.offset < first || picture.offset >= end) {
        return no(fmt::format("{} holds no offset {}", picture.log, picture.offset),
                  first == end ? fmt::format("it is empty, from {} on", end)
                               : fmt::format("it holds {}..{}", first, end - 1));
    }
    auto lookup = world::lookup_of(world, found->partition, found->broker, picture.offset);
    const auto node = world.kernel().find_node(found->node);
    if (!lookup || !node) {
        return no(fmt::format("the log of {} is damaged", picture.log));
    }
    SegmentsExtract(log, world.kernel().slot(*node).disk, std::move(*lookup)).fill(picture);
    return picture;
}

}  // namespace klab::viz
