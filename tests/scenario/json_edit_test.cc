// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/json_edit.h"

#include <gtest/gtest.h>

#include "scenarios/run/json_reader.h"

namespace klab::scenario {
namespace {

struct Edited {
    Json json;
    Findings findings;
    bool applied = false;
};

Edited edit(const std::string& text, const std::vector<std::string>& arguments) {
    Edited out;
    Sources sources = {SourceText("t.json", text)};
    out.json = *read_json(sources[0], 0, out.findings);
    std::vector<Edit> edits;
    for (const std::string& argument : arguments) {
        if (auto parsed = parse_edit_argument(argument, sources, out.findings)) {
            edits.push_back(*parsed);
        }
    }
    out.applied = apply_edits(out.json, edits, out.findings);
    return out;
}

const char* const kFile =
    R"({"seed": 1, "clients": [{"producer": "p1", "config": {"acks": "1"}}, {"consumer": "c1"}],
        "timeline": [{"id": "a", "when": {"at": "1s"}}, {"id": "b"}], "topics": [{"name": "t"}]})";

TEST(JsonEdit, FindsElementsByIdNameClientAndIndex) {
    EXPECT_EQ(edit(kFile, {"/clients/p1/config/acks=all"})
                  .json.find("clients")
                  ->elements[0]
                  .find("config")
                  ->find("acks")
                  ->text,
              "all");
    EXPECT_EQ(edit(kFile, {"/timeline/b/within=2s"})
                  .json.find("timeline")
                  ->elements[1]
                  .find("within")
                  ->text,
              "2s");
    EXPECT_EQ(edit(kFile, {"/topics/t/partitions=4"})
                  .json.find("topics")
                  ->elements[0]
                  .find("partitions")
                  ->integer,
              4);
    EXPECT_EQ(edit(kFile, {"/topics/0/partitions=4"})
                  .json.find("topics")
                  ->elements[0]
                  .find("partitions")
                  ->integer,
              4);
}

TEST(JsonEdit, ReadsTheValueAsJsonOrElseAsText) {
    EXPECT_TRUE(edit(kFile, {"/seed=8"}).json.find("seed")->is(JsonKind::kInteger));
    EXPECT_TRUE(edit(kFile, {"/seed=all"}).json.find("seed")->is(JsonKind::kText));
    const Edited object = edit(kFile, {R"(/timeline/a/when={"after": "b", "delay": "4s"})"});
    EXPECT_EQ(object.json.find("timeline")->elements[0].find("when")->find("delay")->text, "4s");
    EXPECT_EQ(edit(kFile, {"/title=a=b"}).json.find("title")->text, "a=b");
}

TEST(JsonEdit, MakesMissingMembersButNotElements) {
    EXPECT_TRUE(edit(kFile, {"/topics/t/config/min.insync.replicas=2"}).applied);
    const Edited wrong = edit(kFile, {"/clients/p2/config/acks=all"});
    EXPECT_FALSE(wrong.applied);
    ASSERT_EQ(wrong.findings.all().size(), 1U);
    EXPECT_EQ(wrong.findings.all()[0].code, "S039");
    EXPECT_EQ(wrong.findings.all()[0].suggestions, (std::vector<Suggestion>{{"p2", "p1"}}));
    EXPECT_EQ(edit(kFile, {"/seed/x=1"}).findings.all().at(0).code, "S039");
    EXPECT_EQ(edit(kFile, {"/topics/7=1"}).findings.all().at(0).code, "S039");
}

TEST(JsonEdit, AppendsBehindTheLast) {
    EXPECT_EQ(edit(kFile, {R"(/topics/-={"name": "u"})"}).json.find("topics")->elements.size(), 2U);
}

TEST(JsonEdit, UnderstandsTheEscapesOfJsonPointer) {
    EXPECT_EQ(edit(R"({"a/b": 1})", {"/a~1b=2"}).json.find("a/b")->integer, 2);
    EXPECT_EQ(edit(R"({"a~b": 1})", {"/a~0b=2"}).json.find("a~b")->integer, 2);
}

TEST(JsonEdit, RefusesArgumentsWithoutPointerOrValue) {
    for (const char* argument : {"acks=all", "/acks", "", "=", "/a//b=1", "/=1"}) {
        EXPECT_EQ(edit(kFile, {argument}).findings.all().at(0).code, "S041") << argument;
    }
}

TEST(JsonEdit, KeepsThePlaceOfAValueInsideTheArgument) {
    const std::string argument = "/seed= 12";
    const Edited out = edit(kFile, {argument});
    const Span where = out.json.find("seed")->where;
    EXPECT_EQ(where.source, 1U);
    EXPECT_EQ(argument.substr(where.begin, where.end - where.begin), "12");
}

}  // namespace
}  // namespace klab::scenario
