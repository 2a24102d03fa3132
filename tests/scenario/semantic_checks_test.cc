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
    return R"({"klab": 1, "title": "x", "limit": "10s",
        "cluster": {"brokers": 3, "controllers": 1},
        "topics": [{"name": "t", "assignment": [[1, 2]]}, {"name": "u", "partitions": 2}],
        "clients": [{"producer": "p1", "topic": "t", "send": {"count": 5, "to": "t-0"}},
                    {"consumer": "c1", "assign": ["t-0"]}, {"admin": "a1"}], )" +
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
    for (const char* when :
         {R"({"at": "1s"})",
          R"({"after": "s2", "delay": "10ms"})",
          R"({"leader_of": "t-0", "has_appended": 5})",
          R"({"replica": "t-0@b2", "has_fetched": 5})",
          R"({"partition": "t-0", "hw": 5, "isr": ["b1", "b2"], "isr_size": 2, "leader": "b1",
              "leader_epoch": 3})",
          R"({"client": "p1", "acked": 5, "error": "NOT_ENOUGH_REPLICAS"})",
          R"({"client": "c1", "processed": 5})",
          R"({"event": "leader.elected", "where": {"partition": "t-0", "leader": "b2"}, "nth": 2})",
          R"({"event": "message.sent", "from": "b1", "to": "leader(t-0)"})
        ",
        R"({"all": [{"at": "1s"}, {"client": "p1", "acked": 1}]})",
            R"({"any": [{"at": "1s"}, {"client": "p1", "acked": 1}]})"
}) {
    const std::string other = R"({"id": "s2", "when": {"at": "1s"}, "do": {"say": "y"}},)";
    EXPECT_EQ(codes_of_steps(other + "{\"when\": " + when + ", \"do\": {\"say\": \"x\"}}"), "")
        << when;
}
    for (const char* act :
         {R"({"crash": "b1"})", R"({"power_off": ["b1", "leader(t-0)"]})
        ", R"({
            "power_off" : "b1"
        }) ",
           R"({"power_off": {"nodes": ["b1"], "keep": "random", "torn": true}})",
            R"({"restart": "b1"})", R"({"stop": "controller()"
    })",
          R"({"pause": {"node": "follower(t-0,1)", "for": "1s"
    }
    })",
          R"({"slow_cpu": {"node": "b1", "for": "1s", "factor": 10}})",
          R"({"skew_clock": {"node": "b1", "by": "-5s"}})",
          R"({"partition": [["b1"], ["b2", "k1", "p1"]]})", R"({"cut": {"from": "b1", "to": "b2"}})",
          R"({"heal": "all"})", R"({"heal": {"from": "b1", "to": "b2"}})",
          R"({"drop": {"from": "b1", "to": "b2", "api": "Fetch", "reply": true, "next": 2}})",
          R"({"duplicate": {"api": "Produce"}})", R"({"hold": {"api": "Fetch"}})",
          R"({"release": "all"})", R"({"reset": {"to": "b2"}})",
          R"({"delay": {"from": "p1", "by": "20ms"}})",
          R"({"slow_link": {"from": "b1", "to": "b2", "by": "20ms", "for": "1s"}})",
          R"({"wipe": "b1"})", R"({"start": "c1"})", R"({"create_topic": {"name": "v"}})",
          R"({"delete_topic": "t"})", R"({"alter_config": {"topic": "t", "config": {}}})",
          R"({"elect": {"partition": "t-0", "type": "unclean"}})", R"({"describe": "cluster"})",
          R"({"say": ["a", "b"]})", R"({"end": true})"
    }) {
        EXPECT_EQ(code_of_action(act), "") << act;
    }
    }

    TEST(SemanticChecks, FindUnknownNodes) {
        EXPECT_EQ(code_of_action(R"({"crash": "b4"})"), "S020");
        EXPECT_EQ(code_of_action(R"({"crash": "k2"})"), "S020");
        EXPECT_EQ(code_of_action(R"({"crash": "p2"})"), "S020");
        EXPECT_EQ(code_of_action(R"({"partition": [["b1"], ["b9"]]})"), "S020");
        EXPECT_EQ(code_of_trigger(R"({"partition": "t-0", "leader": "b7"})"), "S020");
        EXPECT_EQ(changed("\"restart\": \"b1\"", "\"restart\": \"b4\"").diagnostics.shown[0].label,
                  "the cluster has 3 brokers: b1 to b3");
    }

TEST(SemanticChecks, FindUnknownPartitionsTopicsClientsAndSteps) {
    EXPECT_EQ(code_of_action(R"({"crash": "leader(t-3)"})"), "S021");
    EXPECT_EQ(code_of_action(R"({"crash": "leader(tt-0)"
})"), "S022");
    EXPECT_EQ(code_of_trigger(R"({"replica": "t-0@b3", "has_fetched": 1})"), "S021");
EXPECT_EQ(code_of_trigger(R"({"client": "p2", "acked": 1})"), "S023");
EXPECT_EQ(code_of_trigger(R"({"after": "nothing"})"), "S024");
EXPECT_EQ(code_of_action(R"({"describe": "w"})"), "S022");
}

TEST(SemanticChecks, FindWrongTargetsAndRoles) {
    EXPECT_EQ(code_of_action(R"({"crash": "leader of t-0"})"), "S027");
    EXPECT_EQ(code_of_action(R"({"crash": "laeder(t-0)"
})"), "S027");
    EXPECT_EQ(code_of_action(R"({"start": "b1"})"), "S026");
EXPECT_EQ(code_of_action(R"({"wipe": "p1"})"), "S026");
EXPECT_EQ(code_of_action(R"({"cut": {"from": "b1", "to": "b1"}})"), "S026");
EXPECT_EQ(code_of_action(R"({"partition": [["b1"], ["b1", "b2"]]})"), "S026");
EXPECT_EQ(code_of_trigger(R"({"client": "c1", "acked": 1})"), "S026");
EXPECT_EQ(code_of_trigger(R"({"client": "p1", "processed": 1})"), "S026");
}

TEST(SemanticChecks, FindUnknownEventsFieldsErrorsAndRequests) {
    EXPECT_EQ(code_of_trigger(R"({"event": "leader.electd"})"), "S037");
    EXPECT_EQ(code_of_trigger(R"({"event": "leader.elected", "where": {"leder": "b1"}})"), "S037");
    EXPECT_EQ(code_of_trigger(R"({"event": "leader.elected", "from": "b1"})"), "S037");
    EXPECT_EQ(code_of_trigger(R"({"client": "p1", "error": "NOT_ENOUGH"})"), "S038");
    EXPECT_EQ(code_of_action(R"({"drop": {"api": "Fetsch"}})"), "S038");
}

TEST(SemanticChecks, FindNamesThatAreTaken) {
    EXPECT_EQ(codes_of_steps(R"({"id": "s", "when": {"at": "1s"}, "do": {"say": "x"}},
                                {"id": "s", "when": {"at": "2s"}, "do": {"say": "x"}})"),
              "S025");
    EXPECT_EQ(code_after("\"consumer\": \"c1\"", "\"consumer\": \"p1\""), "S025 S026");
    EXPECT_EQ(codes_of(load_text(replaced(small_file("\"timeline\": []"), "\"a1\"", "\"b2\""),
                                 KafkaVocabulary())),
              "S025");
}

TEST(SemanticChecks, FindWrongAssignments) {
    EXPECT_EQ(code_after("[[1, 2, 3]]", "[[1, 2, 4]]"), "S028 S021");
    EXPECT_EQ(code_after("[[1, 2, 3]]", "[[1, 2, 3], [1, 1, 2]]"), "S028");
    EXPECT_EQ(code_after("[[1, 2, 3]]", "[[1, 2, 3], [1, 2]]"), "S028");
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
    EXPECT_EQ(code_of_trigger(R"({"at": "11s"})"), "S030");
    EXPECT_EQ(code_of_trigger(R"({"client": "p1", "acked": 6})"), "S030");
    EXPECT_EQ(code_of_trigger(R"({"leader_of": "t-0", "has_appended": 6})"), "S030");
    EXPECT_EQ(code_of_trigger(R"({"replica": "t-0@b2", "has_fetched": 6})"), "S030");
    EXPECT_EQ(code_of_trigger(R"({"partition": "u-1", "hw": 1})"), "S030") << "nobody sends there";
    EXPECT_EQ(code_of_trigger(R"({"partition": "t-0", "isr_size": 3})"), "S030");
    EXPECT_EQ(code_of_trigger(R"({"partition": "t-0", "leader": "b3"})"), "S030");
    EXPECT_EQ(code_of_trigger(R"({"all": [{"at": "1s"}, {"client": "p1", "acked": 6}]})"), "S030");
    EXPECT_EQ(code_of_trigger(R"({"any": [{"at": "1s"}, {"client": "p1", "acked": 6}]})"), "");
    EXPECT_EQ(code_of_trigger(R"({"any": [{"at": "11s"}, {"client": "p1", "acked": 6}]})"), "S030");
}

TEST(SemanticChecks, FindStepsThatWaitInACircle) {
    EXPECT_EQ(codes_of_steps(R"({"id": "a", "when": {"after": "b"}, "do": {"say": "x"}},
                                {"id": "b", "when": {"after": "a"}, "do": {"say": "x"}})"),
              "S030 S030");
    EXPECT_EQ(codes_of_steps(R"({"id": "a", "when": {"after": "a"}, "do": {"say": "x"}})"), "S030");
    EXPECT_EQ(codes_of_steps(R"({"id": "a", "when": {"any": [{"after": "b"}, {"at": "1s"}]},
                                 "do": {"say": "x"}},
                                {"id": "b", "when": {"after": "a"}, "do": {"say": "x"}})"),
              "")
        << "there is a way out of the circle";
    EXPECT_EQ(codes_of_steps(R"({"id": "a", "when": {"after": "b"}, "do": {"say": "x"}},
                                {"id": "b", "when": {"at": "1s"}, "do": {"say": "x"}})"),
              "")
        << "the order in the file does not matter";
    EXPECT_EQ(codes_of_steps(R"({"id": "a", "when": {"at": "1s"}, "do": {"end": true}},
                                {"id": "b", "when": {"after": "a"}, "do": {"say": "x"}})"),
              "S030");
}

TEST(SemanticChecks, LeaveOpenWhatRetriesOrRestartsMayBring) {
    // Without idempotence a resent batch stands twice in the log, so 13 of 12 records can appear.
    EXPECT_EQ(code_after("\"hw\": 9", "\"hw\": 13"), "");
    const std::string steps =
        R"({"id": "again", "when": {"at": "1s"}, "do": {"restart": "p1"}},
           {"when": {"client": "p1", "acked": 6}, "do": {"say": "x"}})";
    EXPECT_EQ(codes_of_steps(steps), "");
}

TEST(SemanticChecks, FindWrongClients) {
    const auto codes = [](const std::string& client) {
        return codes_of(
            load_text(replaced(small_file("\"timeline\": []"), "{\"admin\": \"a1\"}", client),
                      KafkaVocabulary()));
    };
    EXPECT_EQ(codes(R"({"producer": "p2", "send": {"count": 1}})"), "S012");
    EXPECT_EQ(codes(R"({"producer": "p2", "topic": "u", "send": {"to": "t-0"}})"), "S015");
    EXPECT_EQ(codes(R"({"producer": "p2", "topic": "w"})"), "S022");
    EXPECT_EQ(codes(R"({"consumer": "c2"})"), "S012");
    EXPECT_EQ(codes(R"({"consumer": "c2", "assign": ["t-9"]})"), "S021");
    EXPECT_EQ(codes(R"({"consumer": "c2", "group": "g", "topics": ["t"]})"), "S050");
}

TEST(SemanticChecks, RefuseWhatThisVersionDoesNotPlay) {
    EXPECT_EQ(code_after("\"controllers\": 1", "\"controllers\": 3"), "S050");
    EXPECT_EQ(code_after("\"controllers\": 1", "\"zookeeper\": 3"), "S050");
    EXPECT_EQ(code_of_action(R"({"disk_full": {"node": "b1"}})"), "S050");
    EXPECT_EQ(code_of_action(R"({"reassign": {"partition": "t-0"}})"), "S050");
    EXPECT_EQ(code_of_action(R"({"leave": "c1"})"), "S050");
    EXPECT_EQ(codes_of(load_text(small_file(R"("chaos": {"during": ["1s", "2s"], "faults": {}})"),
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
