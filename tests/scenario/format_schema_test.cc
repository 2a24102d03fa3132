// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/format_schema.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/run/format_table.h"
#include "tests/scenario/scenario_files.h"
#include "tests/scenario/schema_evaluator.h"

namespace klab::scenario {
namespace {

const char* const kPath = KLAB_SOURCE_DIR "/scenarios/schema/klab-scenario-1.schema.json";

TEST(FormatSchema, TheCommittedFileIsCurrent) {
    // KLAB_REWRITE=1 writes it anew after a change of the format table.
    if (std::getenv("KLAB_REWRITE") != nullptr) {
        std::ofstream(kPath, std::ios::binary) << format_schema_json();
    }
    std::ifstream file(kPath, std::ios::binary);
    const std::string committed{std::istreambuf_iterator<char>(file),
                                std::istreambuf_iterator<char>()};
    EXPECT_TRUE(committed == format_schema_json()) << "run this test with KLAB_REWRITE=1";
}

TEST(FormatSchema, AcceptsBothExamples) {
    const auto schema = nlohmann::json::parse(format_schema_json());
    for (const char* name : {"fixtures/acks1-lost.json", "fixtures/zombie-consumer.json"}) {
        EXPECT_TRUE(is_valid(nlohmann::json::parse(read_fixture(name)), schema, schema)) << name;
    }
}

TEST(FormatSchema, EveryReferenceHasADefinitionAndEveryDefinitionIsReached) {
    const std::string text = format_schema_json();
    const auto schema = nlohmann::json::parse(text);
    for (const auto& definition : schema["$defs"].items()) {
        EXPECT_NE(text.find("\"#/$defs/" + definition.key() + "\""), std::string::npos)
            << definition.key() << " is not used";
    }
    for (std::size_t at = text.find("#/$defs/"); at != std::string::npos;
         at = text.find("#/$defs/", at + 1)) {
        const std::size_t begin = at + 8;
        const std::string name = text.substr(begin, text.find('"', begin) - begin);
        EXPECT_TRUE(schema["$defs"].contains(name)) << name;
    }
}

TEST(FormatTable, EveryFieldIsDescribed) {
    for (const Shape& shape : format_shapes()) {
        EXPECT_FALSE(shape.title.empty()) << shape.name;
        for (const Field& field : shape.fields) {
            EXPECT_FALSE(field.doc.empty()) << shape.name << "." << field.name;
        }
        for (const Form& form : shape.forms) {
            EXPECT_TRUE(form.fields.front().required) << form.title;
            for (const Field& field : form.fields) {
                EXPECT_FALSE(field.doc.empty()) << form.title << "." << field.name;
            }
        }
    }
}

TEST(FormatTable, HelpLinesNameWhatMayStandThere) {
    EXPECT_EQ(help_line(shape("when").forms[6]),
              "a trigger with \"client\" takes: acked, processed, error");
    EXPECT_EQ(help_line(shape("pause")), "a pause takes: node, for");
}

TEST(FormatDocs, HasATableForEveryObject) {
    const std::string docs = format_docs_markdown();
    EXPECT_NE(docs.find("## a scenario\n"), std::string::npos);
    EXPECT_NE(docs.find("| `isr_size` |"), std::string::npos);
}

}  // namespace
}  // namespace klab::scenario
