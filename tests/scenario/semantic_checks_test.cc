// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/semantic_checks.h"

#include <gtest/gtest.h>

#include "scenarios/run/kafka_vocabulary.h"
#include "tests/scenario/scenario_files.h"

namespace klab::scenario {
namespace {

/// The lesson with one piece replaced, and what klab says about it.
LoadedScenario changed(const std::string& from, const std::string& to) {
    const std::string text = replaced(lesson_text(), from, to);
    EXPECT_FALSE(text.empty()) << "the lesson has no " << from;
    return load_text(text, KafkaVocabulary());
}

std::string code_after(const std::string& from, const std::string& to) {
    return codes_of(changed(from, to));
}

/// A small file with these parts between cluster and end.
std::string small_file(const std::string& parts) {
    return R"j({"klab": 1, "title": "x", "limit": "10s",
        "cluster": {"brokers": 3, "controllers": 1},
        "topics": [{"name": "t", "assignment": [[1, 2]]}, {"name": "u", "partitions": 2}],
        "clients": [{"producer": "p1", "topic": "t", "send": {"count": 5, "to": "t-0"}},
                    {"consumer": "c1", "assign": ["t-0"]}, {"admin": "a1"}], )j" +
           parts + "}";
}

std::string codes_of_steps(const std::string& steps) {
    return codes_of(load_text(small_file("\"timeline\": [" + steps + "]"), KafkaVocabulary()));
}

std::string code_of_trigger(const std::string& when) {
    return codes_of_steps("{\"when\": " + when + ", \"do\": {\"say\": \"x\"}}");
}

std::string code_of_action(const std::string& act) {
    return codes_of_steps("{\"id\": \"s\", \"when\": {\"at\": \"1s\"}, \"do\": " + act + "}");
}

TEST(SemanticChecks, AcceptWhatIsRight) {
    EXPECT_EQ(codes_of(load_text(lesson_text(), KafkaVocabulary())), "");
    EXPECT_EQ(code_of_trigger("{\"at\": \"1s\"}"), "");
}

TEST(SemanticChecks, AcceptEveryFormOfTriggerAndEveryActionOfThisVersion) {
    for (
        const char* when :
        {R"j({"at": "1s"})j",
         R"j({"after": "s2", "delay": "10ms"})j",
         R"j({"leader_of": "t-0", "has_appended": 5})j",
         R"j({"replica": "t-0@b2", "has_fetched": 5})j",
         R"j({"partition": "t-0", "hw": 5, "isr": ["b1", "b2"], "isr_size": 2, "leader": "b1",
              "leader_epoch": 3})j",
         R"j({"client": "p1", "acked": 5, "error": "NOT_ENOUGH_REPLICAS"})j",
         R"j({"client": "c1", "processed": 5})j",
         R"j({"event": "leader.elected", "where": {"partition": "t-0", "leader": "b2"}, "nth": 2})j",
         R"j({"event": "message.sent", "from": "b1", "to": "leader(t-0)"})j",
         R"j({"all": [{"at": "1s"}, {"client": "p1", "acked": 1}]})j",
         R"j({"any": [{"at": "1s"}, {"client": "p1", "acked": 1}]})j"}) {
        const std::string other = R"j({"id": "s2", "when": {"at": "1s"}, "do": {"say": "y"}},)j";
        EXPECT_EQ(codes_of_steps(other + "{\"when\": " + when + ", \"do\": {\"say\": \"x\"}}"), "")
            << when;
    }
    for (const char* act :
         {R"j({"crash": "b1"})j",
          R"j({"power_off": ["b1", "leader(t-0)"]})j",
          R"j({"power_off": "b1"})j",
          R"j({"power_off": {"nodes": ["b1"], "keep": "random", "torn": true}})j",
          R"j({"restart": "b1"})j",
          R"j({"stop": "controller()"})j",
          R"j({"pause": {"node": "follower(t-0,1)", "for": "1s"}})j",
          R"j({"slow_cpu": {"node": "b1", "for": "1s", "factor": 10}})j",
          R"j({"skew_clock": {"node": "b1", "by": "-5s"}})j",
          R"j({"partition": [["b1"], ["b2", "k1", "p1"]]})j",
          R"j({"cut": {"from": "b1", "to": "b2"}})j",
          R"j({"heal": "all"})j",
          R"j({"heal": {"from": "b1", "to": "b2"}})j",
          R"j({"drop": {"from": "b1", "to": "b2", "api": "Fetch", "reply": true, "next": 2}})j",
          R"j({"duplicate": {"api": "Produce"}})j",
          R"j({"hold": {"api": "Fetch"}})j",
          R"j({"release": "all"})j",
          R"j({"reset": {"to": "b2"}})j",
          R"j({"delay": {"from": "p1", "by": "20ms"}})j",
          R"j({"slow_link": {"from": "b1", "to": "b2", "by": "20ms", "for": "1s"}})j",
          R"j({"wipe": "b1"})j",
          R"j({"start": "c1"})j",
          R"j({"create_topic": {"name": "v"}})j",
          R"j({"delete_topic": "t"})j",
          R"j({"alter_config": {"topic": "t", "config": {}}})j",
          R"j({"elect": {"partition": "t-0", "type": "unclean"}})j",
          R"j({"describe": "cluster"})j",
          R"j({"say": ["a", "b"]})j",
          R"j({"end": true})j"}) {
        EXPECT_EQ(code_of_action(act), "") << act;
    }
}

TEST(SemanticChecks, FindUnknownNodes) {
    EXPECT_EQ(code_of_action(R"j({"crash": "b4"})j"), "S020");
    EXPECT_EQ(code_of_action(R"j({"crash": "k2"})j"), "S020");
    EXPECT_EQ(code_of_action(R"j({"crash": "p2"})j"), "S020");
    EXPECT_EQ(code_of_action(R"j({"partition": [["b1"], ["b9"]]})j"), "S020");
    EXPECT_EQ(code_of_trigger(R"j({"partition": "t-0", "leader": "b7"})j"), "S020");
    EXPECT_EQ(changed("\"restart\": \"b1\"", "\"restart\": \"b4\"").diagnostics.shown[0].label,
              "the cluster has 3 brokers: b1 to b3");
}

TEST(SemanticChecks, FindUnknownPartitionsTopicsClientsAndSteps) {
    EXPECT_EQ(code_of_action(R"j({"crash": "leader(t-3)"})j"), "S021");
    EXPECT_EQ(code_of_action(R"j({"crash": "leader(tt-0)"})j"), "S022");
    EXPECT_EQ(code_of_trigger(R"j({"replica": "t-0@b3", "has_fetched": 1})j"), "S021");
    EXPECT_EQ(code_of_trigger(R"j({"client": "p2", "acked": 1})j"), "S023");
    EXPECT_EQ(code_of_trigger(R"j({"after": "nothing"})j"), "S024");
    EXPECT_EQ(code_of_action(R"j({"describe": "w"})j"), "S022");
}

TEST(SemanticChecks, FindWrongTargetsAndRoles) {
    EXPECT_EQ(code_of_action(R"j({"crash": "leader of t-0"})j"), "S027");
    EXPECT_EQ(code_of_action(R"j({"crash": "laeder(t-0)"})j"), "S027");
    EXPECT_EQ(code_of_action(R"j({"start": "b1"})j"), "S026");
    EXPECT_EQ(code_of_action(R"j({"wipe": "p1"})j"), "S026");
    EXPECT_EQ(code_of_action(R"j({"cut": {"from": "b1", "to": "b1"}})j"), "S026");
    EXPECT_EQ(code_of_action(R"j({"partition": [["b1"], ["b1", "b2"]]})j"), "S026");
    EXPECT_EQ(code_of_trigger(R"j({"client": "c1", "acked": 1})j"), "S026");
    EXPECT_EQ(code_of_trigger(R"j({"client": "p1", "processed": 1})j"), "S026");
}

TEST(SemanticChecks, FindUnknownEventsFieldsErrorsAndRequests) {
    EXPECT_EQ(code_of_trigger(R"j({"event": "leader.electd"})j"), "S037");
    EXPECT_EQ(code_of_trigger(R"j({"event": "leader.elected", "where": {"leder": "b1"}})j"),
              "S037");
    EXPECT_EQ(code_of_trigger(R"j({"event": "leader.elected", "from": "b1"})j"), "S037");
    EXPECT_EQ(code_of_trigger(R"j({"client": "p1", "error": "NOT_ENOUGH"})j"), "S038");
    EXPECT_EQ(code_of_action(R"j({"drop": {"api": "Fetsch"}})j"), "S038");
}

TEST(SemanticChecks, FindNamesThatAreTaken) {
    EXPECT_EQ(codes_of_steps(R"j({"id": "s", "when": {"at": "1s"}, "do": {"say": "x"}},
                                {"id": "s", "when": {"at": "2s"}, "do": {"say": "x"}})j"),
              "S025");
    EXPECT_EQ(code_after("\"consumer\": \"c1\"", "\"consumer\": \"p1\""), "S025 S023");
    EXPECT_EQ(codes_of(load_text(replaced(small_file("\"timeline\": []"), "\"a1\"", "\"b2\""),
                                 KafkaVocabulary())),
              "S025");
}

TEST(SemanticChecks, FindWrongAssignments) {
    EXPECT_EQ(code_after("[[1, 2, 3]]", "[[1, 2, 4]]"), "S028 S021");
    EXPECT_EQ(code_after("[[1, 2, 3]]", "[[1, 2, 3], [1, 1, 2]]"), "S028 S028");
    EXPECT_EQ(code_after("[[1, 2, 3]]", "[[1, 2, 3], [1, 2]]"), "S028 S028");
    EXPECT_EQ(code_after("\"partitions\": 1", "\"partitions\": 2"), "S028");
    EXPECT_EQ(code_after("\"assignment\": [[1, 2, 3]]", "\"replicas\": 5"), "S029");
}

TEST(SemanticChecks, WarnAboutMinInsyncReplicasAboveTheReplicas) {
    const LoadedScenario loaded =
        changed("\"min.insync.replicas\": 2", "\"min.insync.replicas\": 4");
    EXPECT_TRUE(loaded.scenario) << "Kafka allows it";
    EXPECT_EQ(codes_of(loaded), "S031");
    EXPECT_EQ(loaded.diagnostics.warnings, 1U);
    EXPECT_EQ(loaded.diagnostics.shown[0].label, "no send with acks=all can succeed");
}

TEST(SemanticChecks, FindWrongSettings) {
    EXPECT_EQ(code_after("\"min.insync.replicas\"", "\"min.insync.replica\""), "S032");
    EXPECT_EQ(code_after("\"acks\": \"1\"", "\"acks\": \"2\""), "S033");
    EXPECT_EQ(
        code_after("\"broker.session.timeout.ms\": 9000", "\"broker.session.timeout.ms\": \"9s\""),
        "S033");
    EXPECT_EQ(code_after("\"enable.idempotence\": false", "\"enable.idempotence\": true"), "S033")
        << "acks=1 rules idempotence out: Kafka throws ConfigException";
    EXPECT_EQ(code_after("\"broker.session.timeout.ms\": 9000", "\"node.id\": 4"), "S033");
}

TEST(SemanticChecks, FindUnknownVersionFeatureAndMutant) {
    EXPECT_EQ(code_after("\"kafka\": \"4.0\"", "\"kafka\": \"4.0.1\""), "S034");
    EXPECT_EQ(code_after("\"controllers\": 1",
                         "\"controllers\": 1, \"features\": "
                         "{\"log.truncatoin\": \"high-watermark\"}"),
              "S035");
    EXPECT_EQ(code_after("\"controllers\": 1",
                         "\"controllers\": 1, \"features\": {\"log.truncation\": \"offset\"}"),
              "S035");
    EXPECT_EQ(code_after("\"controllers\": 1",
                         "\"controllers\": 1, \"features\": {\"log.truncation\": "
                         "\"high-watermark\"}"),
              "");
    EXPECT_EQ(code_after("\"controllers\": 1", "\"controllers\": 1, \"mutant\": \"no-such\""),
              "S036");
}

TEST(SemanticChecks, FindStepsThatCannotFire) {
    EXPECT_EQ(code_of_trigger(R"j({"at": "11s"})j"), "S030");
    EXPECT_EQ(code_of_trigger(R"j({"client": "p1", "acked": 6})j"), "S030");
    EXPECT_EQ(code_of_trigger(R"j({"leader_of": "t-0", "has_appended": 6})j"), "S030");
    EXPECT_EQ(code_of_trigger(R"j({"replica": "t-0@b2", "has_fetched": 6})j"), "S030");
    EXPECT_EQ(code_of_trigger(R"j({"partition": "u-1", "hw": 1})j"), "S030")
        << "nobody sends there";
    EXPECT_EQ(code_of_trigger(R"j({"partition": "t-0", "isr_size": 3})j"), "S030");
    EXPECT_EQ(code_of_trigger(R"j({"partition": "t-0", "leader": "b3"})j"), "S030");
    EXPECT_EQ(code_of_trigger(R"j({"all": [{"at": "1s"}, {"client": "p1", "acked": 6}]})j"),
              "S030");
    EXPECT_EQ(code_of_trigger(R"j({"any": [{"at": "1s"}, {"client": "p1", "acked": 6}]})j"), "");
    EXPECT_EQ(code_of_trigger(R"j({"any": [{"at": "11s"}, {"client": "p1", "acked": 6}]})j"),
              "S030");
}

TEST(SemanticChecks, FindStepsThatWaitInACircle) {
    EXPECT_EQ(codes_of_steps(R"j({"id": "a", "when": {"after": "b"}, "do": {"say": "x"}},
                                {"id": "b", "when": {"after": "a"}, "do": {"say": "x"}})j"),
              "S030 S030");
    EXPECT_EQ(codes_of_steps(R"j({"id": "a", "when": {"after": "a"}, "do": {"say": "x"}})j"),
              "S030");
    EXPECT_EQ(codes_of_steps(R"j({"id": "a", "when": {"any": [{"after": "b"}, {"at": "1s"}]},
                                 "do": {"say": "x"}},
                                {"id": "b", "when": {"after": "a"}, "do": {"say": "x"}})j"),
              "")
        << "there is a way out of the circle";
    EXPECT_EQ(codes_of_steps(R"j({"id": "a", "when": {"after": "b"}, "do": {"say": "x"}},
                                {"id": "b", "when": {"at": "1s"}, "do": {"say": "x"}})j"),
              "")
        << "the order in the file does not matter";
    EXPECT_EQ(codes_of_steps(R"j({"id": "a", "when": {"at": "1s"}, "do": {"end": true}},
                                {"id": "b", "when": {"after": "a"}, "do": {"say": "x"}})j"),
              "S030");
}

TEST(SemanticChecks, LeaveOpenWhatRetriesOrRestartsMayBring) {
    // Without idempotence a resent batch stands twice in the log, so 13 of 12 records can appear.
    EXPECT_EQ(code_after("\"hw\": 9", "\"hw\": 13"), "");
    const std::string steps =
        R"j({"id": "again", "when": {"at": "1s"}, "do": {"restart": "p1"}},
           {"when": {"client": "p1", "acked": 6}, "do": {"say": "x"}})j";
    EXPECT_EQ(codes_of_steps(steps), "");
}

TEST(SemanticChecks, FindWrongClients) {
    const auto codes = [](const std::string& client) {
        return codes_of(
            load_text(replaced(small_file("\"timeline\": []"), "{\"admin\": \"a1\"}", client),
                      KafkaVocabulary()));
    };
    EXPECT_EQ(codes(R"j({"producer": "p2", "send": {"count": 1}})j"), "S012");
    EXPECT_EQ(codes(R"j({"producer": "p2", "topic": "u", "send": {"to": "t-0"}})j"), "S015");
    EXPECT_EQ(codes(R"j({"producer": "p2", "topic": "w"})j"), "S022");
    EXPECT_EQ(codes(R"j({"consumer": "c2"})j"), "S012");
    EXPECT_EQ(codes(R"j({"consumer": "c2", "assign": ["t-9"]})j"), "S021");
    EXPECT_EQ(codes(R"j({"consumer": "c2", "group": "g", "topics": ["t"]})j"), "S050");
}

TEST(SemanticChecks, RefuseWhatThisVersionDoesNotPlay) {
    EXPECT_EQ(code_after("\"controllers\": 1", "\"controllers\": 3"), "S050");
    EXPECT_EQ(code_after("\"controllers\": 1", "\"zookeeper\": 3"), "S050");
    EXPECT_EQ(code_of_action(R"j({"reset_offsets": {"group": "g", "to": "latest"}})j"), "S050");
    EXPECT_EQ(code_of_action(R"j({"leave": "c1"})j"), "S050");
    EXPECT_EQ(codes_of(load_text(small_file(R"j("chaos": {"during": ["1s", "2s"], "faults": {}})j"),
                                 KafkaVocabulary())),
              "S050");
}

TEST(SemanticChecks, JudgeQuestionsAndExpectations) {
    EXPECT_EQ(code_after("\"pause_before\": \"crash-leader\"", "\"pause_before\": \"crash\""),
              "S024");
    EXPECT_EQ(code_after("\"from_run\": \"10 - lost_acked(p1)\"", "\"choice\": 2, \"of\": [\"a\"]"),
              "S017");
    EXPECT_EQ(code_after("\"that\": \"logs_equal(t-0)\"",
                         "\"that\": \"logs_equal(t-0)\", \"by\": \"2min\""),
              "S030");
    EXPECT_EQ(codes_of(load_text(replaced(lesson_text(),
                                          "{ \"that\": \"logs_equal(t-0)\" }",
                                          "{ \"violates\": \"AKC\" }"),
                                 KafkaVocabulary({"ACK"}))),
              "S038");
}

}  // namespace
}  // namespace klab::scenario
