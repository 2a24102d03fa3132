// SPDX-License-Identifier: Apache-2.0
//
// The story of the samples. See sample_pictures.h.
#include "tests/viz/sample_pictures.h"

#include <fmt/format.h>

namespace klab::viz {

namespace {

constexpr Time at_us(std::int64_t us) { return {us * 1'000}; }

}  // namespace

PictureHead sample_head(std::string subject) {
    PictureHead head;
    head.title = "Three records that acks=1 loses";
    head.subject = std::move(subject);
    head.from = at_us(0);
    head.to = at_us(12'400'000);
    head.seed = 7;
    head.kafka_version = "4.1";
    head.hidden = {"heartbeats (212)", "metadata fetches (96)"};
    return head;
}

ElectionPicture sample_election() {
    ElectionPicture picture;
    picture.head = sample_head("leader election of t-0");
    picture.partition = "t-0";
    picture.epoch_before = 5;
    picture.epoch_after = 6;
    picture.old_leader = "b1";
    picture.new_leader = "b3";
    picture.columns = {{"k1", ElectionRole::kController},
                       {"b1", ElectionRole::kOldLeader},
                       {"b2", ElectionRole::kCandidate},
                       {"b3", ElectionRole::kCandidate},
                       {"p1", ElectionRole::kClient}};
    picture.rows.push_back(
        {ElectionStep::kFault, at_us(190'000), "cut b1 from b2, b3 and k1", "b1", {}, {}, 101});
    picture.rows.push_back({ElectionStep::kLastHeartbeat,
                            at_us(200'400),
                            "last heartbeat of b1",
                            "b1",
                            {{"k1", at_us(200'400), "", 110}},
                            {},
                            110});
    picture.rows.push_back({ElectionStep::kFenced,
                            at_us(9'840'400),
                            "FENCED b1: no heartbeat for 9 s",
                            "k1",
                            {},
                            {},
                            812});
    picture.rows.push_back({ElectionStep::kCandidates,
                            at_us(9'840'400),
                            "who may lead t-0",
                            "k1",
                            {},
                            {{"b1", false, true, 1, false, "fenced"},
                             {"b2", true, false, 2, false, "not in the ISR"},
                             {"b3", true, true, 3, true, "first live member of the ISR"}},
                            813});
    picture.rows.push_back({ElectionStep::kLeaderRecord,
                            at_us(9'842'000),
                            "PartitionChangeRecord: leader b3, epoch 6, ISR [3]",
                            "k1",
                            {{"b3", at_us(9'842'600), "becomes leader", 820},
                             {"b2", at_us(9'843'100), "follows b3", 821}},
                            {},
                            814});
    picture.rows.push_back({ElectionStep::kFirstAppend,
                            at_us(9'851'200),
                            "first record of epoch 6 at offset 8",
                            "b3",
                            {{"p1", at_us(9'851'900), "is acknowledged", 840}},
                            {},
                            836});
    picture.rows.push_back({ElectionStep::kTruncated,
                            at_us(12'300'500),
                            "b1 cuts t-0 from 11 to 8: end of epoch 5",
                            "b1",
                            {},
                            {},
                            1204});
    return picture;
}

LogPicture sample_log() {
    LogPicture picture;
    picture.head = sample_head("logs of t-0");
    picture.head.from = picture.head.to;
    picture.head.hidden = {};
    picture.partition = "t-0";
    ReplicaLog b1;
    b1.node = "b1";
    ReplicaLog b2 = b1;
    ReplicaLog b3 = b1;
    b2.node = "b2";
    b3.node = "b3";
    const std::string values = "abcdefghijk";
    for (std::int64_t offset = 0; offset < 8; ++offset) {
        const LogCell cell{offset,
                           offset < 3 ? 4 : 5,
                           values.substr(static_cast<std::size_t>(offset), 1),
                           LogMarker::kNone,
                           {}};
        b1.cells.push_back(cell);
        b3.cells.push_back(cell);
        if (offset < 7) {
            b2.cells.push_back(cell);
        }
    }
    b3.cells.push_back({8, 6, "X", LogMarker::kNone, 836});
    b3.cells.push_back({9, 6, "Y", LogMarker::kNone, 837});
    b1.cells.push_back({8, 6, "X", LogMarker::kNone, 1210});
    for (std::int64_t offset = 8; offset < 11; ++offset) {
        b1.cut.push_back({offset,
                          5,
                          values.substr(static_cast<std::size_t>(offset), 1),
                          LogMarker::kNone,
                          1204});
    }
    b1.log_end_offset = 9;
    b1.log_end_before_cut = 11;
    b1.high_watermark = 8;
    b1.note = "cut to 8: end of epoch 5";
    b2.log_end_offset = 7;
    b2.high_watermark = 7;
    b2.state = ReplicaState::kOutOfSync;
    b3.log_end_offset = 10;
    b3.high_watermark = 9;
    b3.state = ReplicaState::kLeader;
    b3.leader_epoch = 6;
    picture.logs = {b3, b1, b2};
    return picture;
}

LogPicture sample_long_log() {
    LogPicture picture;
    picture.head = sample_head("logs of t-0");
    picture.partition = "t-0";
    for (std::int32_t broker = 1; broker <= 2; ++broker) {
        ReplicaLog log;
        log.node = fmt::format("b{}", broker);
        log.state = broker == 1 ? ReplicaState::kLeader : ReplicaState::kInSync;
        const std::int64_t end = broker == 1 ? 140 : 138;
        for (std::int64_t offset = 0; offset < end; ++offset) {
            log.cells.push_back({offset,
                                 static_cast<std::int32_t>(offset / 40),
                                 fmt::format("r{}", offset),
                                 LogMarker::kNone,
                                 {}});
        }
        log.log_end_offset = end;
        log.high_watermark = broker == 1 ? 138 : 136;
        if (broker == 1) {
            log.leader_epoch = 3;
        }
        picture.logs.push_back(std::move(log));
    }
    return picture;
}

SequencePicture sample_sequence() {
    SequencePicture picture;
    picture.head = sample_head("messages of t-0");
    picture.nodes = {{"p1", SequenceRole::kClient},
                     {"b1", SequenceRole::kBroker},
                     {"b2", SequenceRole::kBroker},
                     {"b3", SequenceRole::kBroker},
                     {"k1", SequenceRole::kController}};
    const auto message = [&picture](std::size_t from,
                                    std::size_t to,
                                    std::int64_t sent,
                                    std::optional<std::int64_t> received,
                                    MessageFate fate,
                                    std::string api,
                                    bool reply,
                                    std::string text) {
        SequenceMessage out;
        out.from = from;
        out.to = to;
        out.sent = at_us(sent);
        if (received) {
            out.received = at_us(*received);
        }
        out.fate = fate;
        out.api = std::move(api);
        out.is_reply = reply;
        out.text = std::move(text);
        out.event = picture.messages.size() + 100;
        picture.messages.push_back(std::move(out));
    };
    const MessageFate delivered = MessageFate::kDelivered;
    message(2, 1, 20'000, 20'500, delivered, "Fetch", false, "t-0@5");
    message(0, 1, 100'000, 100'400, delivered, "Produce", false, "t-0 x3");
    message(1, 0, 100'700, 101'100, delivered, "Produce", true, "");
    message(1, 2, 100'750, 101'200, delivered, "Fetch", true, "3 records");
    for (std::int64_t i = 0; i < 5; ++i) {
        message(3, 1, 110'000 + i * 4'000, 110'500 + i * 4'000, delivered, "Fetch", false, "");
        message(1, 3, 110'800 + i * 4'000, 111'300 + i * 4'000, delivered, "Fetch", true, "");
    }
    message(2, 1, 190'500, {}, MessageFate::kLostOnTheWay, "Fetch", false, "t-0@8");
    message(0, 1, 195'000, 195'400, delivered, "Produce", false, "t-0 x3");
    message(1, 0, 195'700, 196'100, delivered, "Produce", true, "acked");
    message(1, 4, 200'000, {}, MessageFate::kLostOnTheWay, "BrokerHeartbeat", false, "");
    message(4, 3, 9'842'000, 9'842'600, delivered, "Fetch", true, "metadata");
    message(0, 1, 9'850'000, 9'850'400, MessageFate::kLostAtReceiver, "Produce", false, "t-0 x1");
    message(0, 3, 9'860'000, 9'860'500, delivered, "Produce", false, "t-0 x1");
    message(3, 0, 9'860'900, 9'861'500, delivered, "Produce", true, "");
    message(4, 1, 12'399'900, {}, MessageFate::kStillInFlight, "Fetch", true, "metadata");
    picture.states = {{1, NodeState::kFenced, at_us(9'840'400), at_us(9'845'000)},
                      {1, NodeState::kDown, at_us(9'845'000), at_us(12'000'000)},
                      {2, NodeState::kPaused, at_us(9'841'000), at_us(9'860'000)}};
    picture.marks = {{1, at_us(100'500), "appends 5..7 of t-0", 150},
                     {4, at_us(9'840'400), "fences b1", 812},
                     {3, at_us(9'842'600), "leader of t-0, epoch 6", 820},
                     {3, at_us(9'860'600), "appends 8 of t-0", 836}};
    picture.faults = {{at_us(190'000), "cut b1 from b2, b3 and k1", 101},
                      {at_us(9'845'000), "crash b1", 830},
                      {at_us(12'000'000), "restart b1", 1100}};
    return picture;
}

SegmentsPicture sample_segments() {
    SegmentsPicture picture;
    picture.head = sample_head("offset 368801 in t-0 on b1");
    picture.log = "t-0 on b1";
    picture.offset = 368801;
    picture.segments = {{0, 368796, 7516840, false, std::nullopt, false},
                        {368796, 368817, 9870, true, 1, true}};
    picture.index_entries = 9;
    picture.rows = {{0, 368799, 497, 2, true}, {1, 368802, 1407, 1, false}};
    picture.scan_from = 497;
    picture.batches = {{497, 300, 368797, 368799, BatchMark::kRead},
                       {797, 310, 368800, 368800, BatchMark::kRead},
                       {1107, 300, 368801, 368801, BatchMark::kFound},
                       {1407, 300, 368802, 368802, BatchMark::kNotRead}};
    picture.entries_compared = 2;
    picture.batches_read = 3;
    picture.bytes_read = 910;
    return picture;
}

TopologyPicture sample_topology() {
    TopologyPicture picture;
    picture.head = sample_head("cluster");
    picture.head.from = picture.head.to;
    picture.metadata_offset = 17;
    picture.controllers = {{"k1", true, 3, NodeState::kUp},
                           {"k2", false, 3, NodeState::kUp},
                           {"k3", false, {}, NodeState::kDown}};
    picture.brokers = {
        {"b1",
         "a",
         11,
         NodeState::kUp,
         {{"t-0", ReplicaState::kLeader, 8, 10}, {"t-1", ReplicaState::kInSync, 3, 4}}},
        {"b2",
         "b",
         12,
         NodeState::kUp,
         {{"t-0", ReplicaState::kInSync, 8, 10}, {"t-1", ReplicaState::kLeader, 4, 4}}},
        {"b3",
         "",
         13,
         NodeState::kFenced,
         {{"t-0", ReplicaState::kOutOfSync, 7, 8}, {"t-1", ReplicaState::kOffline, {}, 4}}}};
    picture.clients = {{"p1", "producer acks=all"}, {"c1", "consumer t-0"}};
    picture.links = {{"b2", "b1", LinkKind::kFetch, "t-0"},
                     {"b1", "b2", LinkKind::kFetch, "t-1"},
                     {"b3", "b1", LinkKind::kCut, "both ways"},
                     {"b3", "k1", LinkKind::kCut, ""},
                     {"p1", "b1", LinkKind::kProduce, "t-0"},
                     {"c1", "b1", LinkKind::kConsume, "t-0"}};
    return picture;
}

IsrPicture sample_isr() {
    const auto at = [](std::int64_t s) { return Time{seconds(s).ns}; };
    IsrPicture picture;
    picture.head = sample_head("in-sync replicas of t-0");
    picture.head.from = at(0);
    picture.head.to = at(60);
    picture.partition = "t-0";
    picture.strips = {
        {"b1",
         {{at(0), at(10), IsrState::kLeader},
          {at(10), at(40), IsrState::kDown},
          {at(40), at(44), IsrState::kCatchingUp},
          {at(44), at(60), IsrState::kInSync}}},
        {"b2", {{at(0), at(19), IsrState::kInSync}, {at(19), at(60), IsrState::kLeader}}},
        {"b3",
         {{at(0), at(15), IsrState::kInSync},
          {at(15), at(50), IsrState::kLagging},
          {at(50), at(60), IsrState::kInSync}}}};
    picture.offsets = {{at(0), 0, 0},
                       {at(2), 20, 0},
                       {at(3), 20, 20},
                       {at(10), std::nullopt, std::nullopt},
                       {at(19), 20, 20},
                       {at(30), 45, 20},
                       {at(44), 45, 45}};
    picture.sizes = {{at(0), 3, 2}, {at(15), 2, 2}, {at(19), 1, 2}, {at(44), 2, 2}, {at(50), 3, 2}};
    picture.faults = {{at(10), "crash-leader: b1 crashes", std::nullopt},
                      {at(40), "back: b1 restarts", std::nullopt}};
    return picture;
}

TopologyPicture sample_crowded_topology() {
    TopologyPicture picture;
    picture.head = sample_head("cluster");
    picture.controllers = {{"k1", true, 1, NodeState::kUp}};
    for (std::int32_t broker = 1; broker <= 14; ++broker) {
        TopologyBroker box;
        box.name = fmt::format("b{}", broker);
        box.state = broker == 5 ? NodeState::kDown : NodeState::kUp;
        for (std::int32_t partition = 0; partition < 60; ++partition) {
            const std::int32_t position = (partition + broker) % 14;
            if (position < 3) {
                const ReplicaState state = broker == 5     ? ReplicaState::kOffline
                                           : position == 0 ? ReplicaState::kLeader
                                                           : ReplicaState::kInSync;
                box.replicas.push_back({fmt::format("orders-{}", partition), state, 1, 2});
            }
        }
        picture.brokers.push_back(std::move(box));
    }
    picture.links = {{"b5", "b1", LinkKind::kCut, ""}};
    return picture;
}

}  // namespace klab::viz
