// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/json_reader.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace klab::scenario {
namespace {

struct ReadResult {
    std::optional<Json> json;
    Findings findings;
};

ReadResult read(const std::string& text) {
    ReadResult out;
    out.json = read_json(SourceText("t.json", text), 0, out.findings);
    return out;
}

std::string code_of(const ReadResult& result) {
    return result.findings.all().empty() ? "" : result.findings.all().front().code;
}

std::string marked(const std::string& text, Span where) {
    return text.substr(where.begin, where.end - where.begin);
}

TEST(JsonReader, KnowsWhereEveryValueStands) {
    // Positions are what nlohmann does not give; every later message depends on them.
    const std::string text = "{ \"a\" : [ 1 , -2.5e3, \"x\\u00e4y\", true ],\n  \"b\": {} }";
    const ReadResult result = read(text);
    ASSERT_TRUE(result.json);
    EXPECT_EQ(marked(text, result.json->where), text);
    const Json* a = result.json->find("a");
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(marked(text, result.json->members[0].key_where), "\"a\"");
    EXPECT_EQ(marked(text, a->where), "[ 1 , -2.5e3, \"x\\u00e4y\", true ]");
    EXPECT_EQ(marked(text, a->elements[0].where), "1");
    EXPECT_EQ(marked(text, a->elements[1].where), "-2.5e3");
    EXPECT_EQ(marked(text, a->elements[2].where), "\"x\\u00e4y\"");
    EXPECT_EQ(marked(text, a->elements[3].where), "true");
    EXPECT_EQ(marked(text, result.json->find("b")->where), "{}");
}

TEST(JsonReader, ReadsANumberAtTheVeryEnd) {
    const ReadResult result = read("42");
    ASSERT_TRUE(result.json);
    EXPECT_EQ(result.json->integer, 42);
    EXPECT_EQ(result.json->where, (Span{0, 0, 2}));
}

TEST(JsonReader, TakesWholeDecimalsAsIntegers) {
    // JSON Schema calls 2.0 an integer; the parser must agree with it.
    EXPECT_TRUE(read("2.0").json->is(JsonKind::kInteger));
    EXPECT_EQ(read("1e3").json->integer, 1000);
    EXPECT_TRUE(read("2.5").json->is(JsonKind::kNumber));
}

TEST(JsonReader, RefusesADuplicateKeyAtItsSecondPlace) {
    const std::string text = "{\"a\": 1, \"b\": 2, \"a\": 3}";
    const ReadResult result = read(text);
    ASSERT_EQ(result.findings.all().size(), 1U);
    EXPECT_EQ(code_of(result), "S008");
    EXPECT_EQ(result.findings.all()[0].where.begin, 17U);
    EXPECT_TRUE(result.json) << "the rest of the file can still be checked";
}

TEST(JsonReader, RefusesNumbersThatDoNotFit) {
    EXPECT_EQ(code_of(read("[18446744073709551615]")), "S009");
    EXPECT_EQ(code_of(read("[99999999999999999999999]")), "S009");
    EXPECT_EQ(code_of(read("[1e400]")), "S009");
    EXPECT_EQ(code_of(read("[9223372036854775807]")), "");
    EXPECT_EQ(code_of(read("[-9223372036854775808]")), "");
}

TEST(JsonReader, RefusesDeepNestingAtTheFirstBracketTooMany) {
    EXPECT_TRUE(read(std::string(64, '[') + std::string(64, ']')).json);
    const ReadResult result = read(std::string(65, '[') + std::string(65, ']'));
    EXPECT_EQ(code_of(result), "S007");
    EXPECT_EQ(result.findings.all()[0].where.begin, 64U);
}

TEST(JsonReader, SurvivesTwoHundredThousandBrackets) {
    EXPECT_EQ(code_of(read(std::string(200'000, '['))), "S007");
    std::string objects;
    for (int i = 0; i < 200'000; ++i) {
        objects += "{\"a\":";
    }
    EXPECT_EQ(code_of(read(objects)), "S007");
}

TEST(JsonReader, PointsAtTheByteThatIsNotUtf8) {
    const ReadResult result = read("{\"title\": \"caf\xE9\"}");
    EXPECT_EQ(code_of(result), "S004");
    EXPECT_EQ(result.findings.all()[0].where.begin, 14U);
    EXPECT_EQ(code_of(read("\"\xC0\x80\"")), "S004") << "overlong";
    EXPECT_EQ(code_of(read("\"\xED\xA0\x80\"")), "S004") << "surrogate";
    EXPECT_EQ(code_of(read("\"\xF5\x80\x80\x80\"")), "S004") << "above U+10FFFF";
    EXPECT_EQ(code_of(read("\"\xE2\x82\xAC\"")), "");
}

TEST(JsonReader, TellsTruncatedFromWrong) {
    for (const char* text : {"{", "{\"a\"", "{\"a\":", "{\"a\": 1", "[1,", "\"abc", ""}) {
        EXPECT_EQ(code_of(read(text)), "S006") << text;
    }
    for (const char* text :
         {"{]", "{\"a\" 1}", "[1 2]", "{'a': 1}", "tru", "[1,]", "{} {}", "nope"}) {
        EXPECT_EQ(code_of(read(text)), "S005") << text;
    }
}

TEST(JsonReader, NamesTheUsualMistakes) {
    const auto label = [](const std::string& text) {
        return read(text).findings.all().at(0).label;
    };
    EXPECT_EQ(label("{\"a\": 1,}"), "no comma before the closing bracket");
    EXPECT_EQ(label("{\"a\": 1 \"b\": 2}"), "a comma is missing before this");
    EXPECT_EQ(label("{ // note\n}"),
              "JSON has no comments: use \"note\" or a key that begins with //");
    EXPECT_EQ(label("{'a': 1}"), "a text stands in double quotes");
    EXPECT_EQ(label("{\"a\" 1}"), "expected a colon behind the key");
}

TEST(JsonReader, SkipsAByteOrderMark) {
    const ReadResult result = read("\xEF\xBB\xBF{\"a\": 1}");
    ASSERT_TRUE(result.json);
    EXPECT_EQ(result.json->where.begin, 3U);
}

TEST(JsonReader, KeepsNulAndEscapesAsTheyAre) {
    const ReadResult result = read("\"a\\u0000b\"");
    ASSERT_TRUE(result.json);
    EXPECT_EQ(result.json->text, std::string("a\0b", 3));
}

TEST(JsonReader, RefusesMoreThanAMillionValues) {
    std::string text = "[";
    for (int i = 0; i < 1'000'001; ++i) {
        text += "1,";
    }
    text += "1]";
    EXPECT_EQ(code_of(read(text)), "S003");
}

TEST(TextFile, SaysWhatIsWrongWithThePath) {
    EXPECT_EQ(read_text_file("/no/such/file.json").error().code, "S001");
    EXPECT_EQ(read_text_file(KLAB_SOURCE_DIR).error().code, "S002");
    EXPECT_EQ(read_text_file("/dev/zero").error().code, "S002") << "a device never ends";
    EXPECT_TRUE(read_text_file(std::string(KLAB_SOURCE_DIR) + "/CMakeLists.txt").ok());
}

TEST(TextFile, RefusesAHundredMegabytes) {
    const std::string path = std::string(KLAB_BINARY_DIR) + "/huge_scenario_test_file.json";
    { std::ofstream(path).put('['); }
    std::filesystem::resize_file(path, 100'000'000);  // sparse
    const Result<std::string, Diagnostic> result = read_text_file(path);
    std::filesystem::remove(path);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, "S003");
}

TEST(JsonTree, WritesWhatItRead) {
    const std::string text = "{\"a\": [1, 2.50, \"q\\\"\"], \"b\": {}, \"c\": null}";
    const std::optional<Json> once = read(text).json;
    const std::string written = to_json_text(*once);
    EXPECT_EQ(*read(written).json, *once);
    EXPECT_EQ(to_json_text(*read(written).json), written);
}

}  // namespace
}  // namespace klab::scenario
