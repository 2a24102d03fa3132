// SPDX-License-Identifier: Apache-2.0
//
// Traces by hand. See trace_builder.h.
#include "tests/viz/trace_builder.h"

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/base/overloaded.h"
#include "sim/trace/kernel_events.h"

namespace klab::viz {

namespace kernel = sim::events;
namespace kafka = types::events;

TraceBuilder::TraceBuilder() : table_(kafka::make_event_table()) {
    input_.title = "Three records that acks=1 loses";
    input_.seed = 7;
    input_.kafka_version = "4.1";
    for (std::int32_t broker = 1; broker <= 3; ++broker) {
        input_.nodes.push_back({sim::NodeId(static_cast<std::uint32_t>(broker - 1)),
                                "b" + std::to_string(broker),
                                PictureNodeKind::kBroker,
                                broker,
                                "",
                                ""});
    }
    input_.nodes.push_back({sim::NodeId(3), "k1", PictureNodeKind::kController, {}, "", ""});
    input_.nodes.push_back(
        {sim::NodeId(4), "p1", PictureNodeKind::kClient, {}, "", "producer acks=1"});
    input_.nodes.push_back(
        {sim::NodeId(5), "c1", PictureNodeKind::kClient, {}, "", "consumer t-0"});
}

TraceBuilder& TraceBuilder::at(std::int64_t us) {
    now_us_ = us;
    return *this;
}

std::int64_t TraceBuilder::node(std::string_view name) const {
    for (const PictureNode& node : input_.nodes) {
        if (node.name == name) {
            return node.node.value();
        }
    }
    KLAB_ASSERT(false, "no node {}", name);
    return -1;
}

std::int64_t TraceBuilder::partition(std::string_view topic, std::int32_t index) {
    bool added = false;
    const std::int64_t name = input_.interner.text(topic, added);
    return sim::pack_name_index(name, index);
}

void TraceBuilder::add(std::int64_t us,
                       sim::EventKind kind,
                       std::string_view node_name,
                       const std::vector<TraceField>& fields) {
    sim::Event event;
    event.id = sim::EventId(events_.size() + 1);
    event.time = Time{us * 1'000};
    event.kind = kind;
    if (!node_name.empty()) {
        event.node = sim::NodeId(static_cast<std::uint32_t>(node(node_name)));
    }
    const sim::EventDef& row = table_.row(kind);
    event.field_count = static_cast<std::uint8_t>(row.fields.size());
    std::fill_n(event.fields.begin(), row.fields.size(), sim::kAbsent);
    for (const TraceField& field : fields) {
        const auto index = table_.field_index(kind, field.name);
        KLAB_ASSERT(index.has_value(), "{} has no field {}", row.name, field.name);
        bool added = false;
        event.fields[*index] = std::visit(
            overloaded{[](std::int64_t number) { return number; },
                       [&](const std::string& text) { return input_.interner.text(text, added); },
                       [&](const std::vector<std::int32_t>& list) {
                           return input_.interner.list(list, added);
                       }},
            field.value);
    }
    events_.push_back(event);
}

TraceBuilder& TraceBuilder::emit(sim::EventKind kind,
                                 std::string_view node,
                                 std::initializer_list<TraceField> fields) {
    add(now_us_, kind, node, fields);
    return *this;
}

TraceBuilder& TraceBuilder::message(std::string_view from,
                                    std::string_view to,
                                    types::ApiKey api,
                                    bool reply,
                                    std::int64_t latency_us) {
    const std::int64_t number = messages_++;
    const std::int64_t api_number = static_cast<std::int64_t>(api);
    const std::int64_t is_reply = reply ? 1 : 0;
    add(now_us_,
        kernel::kMessageSent,
        from,
        {{"message", number}, {"to", node(to)}, {"api", api_number}, {"reply", is_reply}});
    if (latency_us < 0) {
        add(now_us_,
            kernel::kMessageSwallowed,
            "",
            {{"message", number},
             {"from", node(from)},
             {"to", node(to)},
             {"api", api_number},
             {"reply", is_reply}});
    } else {
        add(now_us_ + latency_us,
            kernel::kMessageReceived,
            to,
            {{"message", number},
             {"from", node(from)},
             {"api", api_number},
             {"reply", is_reply},
             {"latency", latency_us * 1'000}});
    }
    return *this;
}

TraceBuilder& TraceBuilder::because_of_message() {
    sim::Event& event = events_.back();
    for (std::size_t i = events_.size(); i > 0; --i) {
        if (events_[i - 1].kind == kernel::kMessageReceived) {
            event.causes[0] = events_[i - 1].id;
            event.cause_count = 1;
            break;
        }
    }
    return *this;
}

PictureInput TraceBuilder::input() const {
    PictureInput input = input_;
    std::vector<sim::Event> sorted = events_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const sim::Event& a, const sim::Event& b) {
        return a.time < b.time;
    });
    std::map<sim::EventId, sim::EventId> numbers;  // from the order of telling to that of time
    for (const sim::Event& event : sorted) {
        numbers[event.id] = sim::EventId(numbers.size() + 1);
    }
    for (sim::Event& event : sorted) {
        event.id = numbers.at(event.id);
        for (std::size_t i = 0; i < event.cause_count; ++i) {
            event.causes[i] = numbers.at(event.causes[i]);
        }
        input.recording.add(event);
    }
    input.end = sorted.empty() ? Time{0} : sorted.back().time;
    return input;
}

namespace {

/// Boot, registration, topic creation: everything before the scenario's time 0.
void tell_prelude(TraceBuilder& trace, std::int64_t t0) {
    for (const char* name : {"b1", "b2", "b3", "k1", "p1", "c1"}) {
        trace.at(0).emit(kernel::kNodeBooted, name, {{"incarnation", 1}});
    }
    for (std::int64_t broker = 1; broker <= 3; ++broker) {
        trace.at(100'000 * broker)
            .emit(kafka::kBrokerRegistered,
                  "k1",
                  {{"broker", broker}, {"broker_epoch", 10 + broker}, {"clean", 1}})
            .emit(
                kafka::kBrokerUnfenced, "k1", {{"broker", broker}, {"broker_epoch", 10 + broker}});
    }
    trace.at(500'000)
        .emit(kafka::kMetadataAppended,
              "k1",
              {{"base_offset", 14}, {"last_offset", 16}, {"epoch", 1}})
        .emit(kafka::kPartitionChanged,
              "k1",
              {{"partition", t0},
               {"leader", 1},
               {"leader_epoch", 0},
               {"partition_epoch", 0},
               {"isr", std::vector<std::int32_t>{1, 2, 3}},
               {"replicas", std::vector<std::int32_t>{1, 2, 3}},
               {"unclean", 0},
               {"offset", 16}})
        .emit(kafka::kLeaderElected,
              "k1",
              {{"partition", t0},
               {"leader", 1},
               {"leader_epoch", 0},
               {"isr", std::vector<std::int32_t>{1, 2, 3}},
               {"unclean", 0}});
    trace.at(501'000).emit(kafka::kLeaderStarted,
                           "b1",
                           {{"partition", t0},
                            {"leader_epoch", 0},
                            {"start_offset", 0},
                            {"isr", std::vector<std::int32_t>{1, 2, 3}},
                            {"high_watermark", 0}});
    for (const char* name : {"b2", "b3"}) {
        trace.emit(kafka::kFollowerStarted,
                   name,
                   {{"partition", t0},
                    {"leader", 1},
                    {"leader_epoch", 0},
                    {"log_end_offset", 0},
                    {"high_watermark", 0}});
    }
    for (const char* name : {"p1", "c1"}) {
        trace.at(900'000).emit(
            kafka::kLeaderLearned, name, {{"partition", t0}, {"leader", 1}, {"leader_epoch", 0}});
    }
}

void append(TraceBuilder& trace,
            std::int64_t t0,
            std::string_view node,
            std::int64_t base,
            std::int64_t last,
            std::int64_t epoch,
            bool as_leader,
            std::int64_t crc) {
    trace.emit(kafka::kLogAppended,
               node,
               {{"partition", t0},
                {"base_offset", base},
                {"last_offset", last},
                {"leader_epoch", epoch},
                {"as_leader", as_leader ? 1 : 0},
                {"crc", crc}});
    trace.because_of_message();
}

void acknowledge(TraceBuilder& trace,
                 std::int64_t t0,
                 std::int64_t first_record,
                 std::int64_t base,
                 std::int64_t last) {
    for (std::int64_t offset = base; offset <= last; ++offset) {
        trace.emit(kafka::kRecordAcked,
                   "p1",
                   {{"record", first_record + offset - base},
                    {"partition", t0},
                    {"offset", offset},
                    {"acks", 1}});
    }
}

/// Records 0..4 reach all replicas; 5..7 only the leader.
void tell_produce(TraceBuilder& trace, std::int64_t t0) {
    trace.at(1'010'000).emit(kafka::kRecordSent, "p1", {{"record", 0}, {"partition", t0}});
    trace.message("p1", "b1", types::ApiKey::kProduce, false, 400);
    trace.at(1'010'500);
    append(trace, t0, "b1", 0, 4, 0, true, 0xAB01);
    trace.at(1'010'700).message("b1", "p1", types::ApiKey::kProduce, true, 400);
    trace.at(1'011'100);
    acknowledge(trace, t0, 0, 0, 4);
    for (const char* follower : {"b2", "b3"}) {
        trace.at(1'011'500).message(follower, "b1", types::ApiKey::kFetch, false, 500);
        trace.at(1'012'100).message("b1", follower, types::ApiKey::kFetch, true, 500);
        trace.at(1'012'700);
        append(trace, t0, follower, 0, 4, 0, false, 0xAB01);
    }
    trace.at(1'013'500)
        .emit(
            kafka::kHwAdvanced, "b1", {{"partition", t0}, {"from", 0}, {"to", 5}, {"as_leader", 1}})
        .emit(kafka::kHwAdvanced,
              "b3",
              {{"partition", t0}, {"from", 0}, {"to", 5}, {"as_leader", 0}});
    trace.message("b1", "k1", types::ApiKey::kBrokerHeartbeat, false, 300);
    for (const char* peer : {"b2", "b3", "k1"}) {
        trace.at(1'200'000)
            .emit(kernel::kLinkCut, "", {{"from", trace.node("b1")}, {"to", trace.node(peer)}})
            .emit(kernel::kLinkCut, "", {{"from", trace.node(peer)}, {"to", trace.node("b1")}});
    }
    trace.at(1'300'000).message("p1", "b1", types::ApiKey::kProduce, false, 400);
    trace.at(1'300'500);
    append(trace, t0, "b1", 5, 7, 0, true, 0xAB02);
    trace.at(1'300'700).message("b1", "p1", types::ApiKey::kProduce, true, 400);
    trace.at(1'301'100);
    acknowledge(trace, t0, 5, 5, 7);
    trace.at(1'400'000).message("b2", "b1", types::ApiKey::kFetch, false, -1);
    trace.at(2'000'000).message("b1", "k1", types::ApiKey::kBrokerHeartbeat, false, -1);
}

void tell_election(TraceBuilder& trace, std::int64_t t0) {
    struct Verdict {
        std::int64_t broker;
        std::int64_t alive;
        const char* why;
    };

    for (const Verdict& verdict : {Verdict{1, 0, "fenced"},
                                   Verdict{2, 0, "fenced"},
                                   Verdict{3, 1, "first live member of the ISR"}}) {
        trace.at(10'500'000)
            .emit(kafka::kCandidateJudged,
                  "k1",
                  {{"partition", t0},
                   {"broker", verdict.broker},
                   {"alive", verdict.alive},
                   {"in_isr", 1},
                   {"order", verdict.broker},
                   {"chosen", verdict.alive},
                   {"why", std::string(verdict.why)}});
    }
    trace
        .emit(kafka::kLeaderElected,
              "k1",
              {{"partition", t0},
               {"leader", 3},
               {"leader_epoch", 1},
               {"previous", 1},
               {"isr", std::vector<std::int32_t>{2, 3}},
               {"unclean", 0}})
        .emit(kafka::kMetadataAppended,
              "k1",
              {{"base_offset", 17}, {"last_offset", 18}, {"epoch", 1}});
    trace.at(10'501'000)
        .emit(kafka::kBrokerFenced,
              "k1",
              {{"broker", 1},
               {"broker_epoch", 11},
               {"reason", std::string("session timeout")},
               {"last_contact", 9'000'000'000}})
        .emit(kafka::kPartitionChanged,
              "k1",
              {{"partition", t0},
               {"leader", 3},
               {"leader_epoch", 1},
               {"partition_epoch", 1},
               {"isr", std::vector<std::int32_t>{2, 3}},
               {"replicas", std::vector<std::int32_t>{1, 2, 3}},
               {"unclean", 0},
               {"offset", 18}});
    trace.at(10'501'600)
        .emit(kafka::kLeaderStarted,
              "b3",
              {{"partition", t0},
               {"leader_epoch", 1},
               {"start_offset", 5},
               {"isr", std::vector<std::int32_t>{2, 3}},
               {"high_watermark", 5}});
    trace.at(10'502'100)
        .emit(kafka::kFollowerStarted,
              "b2",
              {{"partition", t0},
               {"leader", 3},
               {"leader_epoch", 1},
               {"log_end_offset", 5},
               {"high_watermark", 0}});
    trace.at(10'600'000)
        .emit(kafka::kLeaderLearned, "p1", {{"partition", t0}, {"leader", 3}, {"leader_epoch", 1}});
    trace.at(10'610'000).message("p1", "b3", types::ApiKey::kProduce, false, 400);
    trace.at(10'610'500);
    append(trace, t0, "b3", 5, 5, 1, true, 0xAB03);
    trace.at(10'610'900).message("b3", "p1", types::ApiKey::kProduce, true, 400);
    trace.at(10'611'400);
    acknowledge(trace, t0, 8, 5, 5);
}

void tell_return(TraceBuilder& trace, std::int64_t t0) {
    for (const char* peer : {"b2", "b3", "k1"}) {
        trace.at(12'000'000)
            .emit(kernel::kLinkHealed, "", {{"from", trace.node("b1")}, {"to", trace.node(peer)}})
            .emit(kernel::kLinkHealed, "", {{"from", trace.node(peer)}, {"to", trace.node("b1")}});
    }
    trace.at(12'100'000)
        .emit(kafka::kBrokerUnfenced, "k1", {{"broker", 1}, {"broker_epoch", 11}})
        .emit(kafka::kFollowerStarted,
              "b1",
              {{"partition", t0},
               {"leader", 3},
               {"leader_epoch", 1},
               {"log_end_offset", 8},
               {"high_watermark", 5}});
    trace.at(12'101'000)
        .emit(kafka::kLogTruncated,
              "b1",
              {{"partition", t0},
               {"from", 8},
               {"to", 5},
               {"hw_before", 5},
               {"reason", std::string("end of epoch 0 at the leader")}});
    trace.at(12'101'200).message("b1", "b3", types::ApiKey::kFetch, false, 300);
    trace.at(12'101'600).message("b3", "b1", types::ApiKey::kFetch, true, 300);
    trace.at(12'102'000);
    append(trace, t0, "b1", 5, 5, 1, false, 0xAB03);
}

}  // namespace

PictureInput acks1_story() {
    TraceBuilder trace;
    const std::int64_t t0 = trace.partition("t", 0);
    tell_prelude(trace, t0);
    tell_produce(trace, t0);
    tell_election(trace, t0);
    tell_return(trace, t0);
    PictureInput input = trace.input();
    input.origin = Time{1'000'000'000};
    input.end = Time{12'500'000'000};
    return input;
}

}  // namespace klab::viz
