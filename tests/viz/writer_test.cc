// SPDX-License-Identifier: Apache-2.0
//
// The dot and SVG writers: what tools and hostile text demand of them.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/viz/sample_pictures.h"
#include "tests/viz/xml_check.h"
#include "viz/dot_writer.h"
#include "viz/svg_writer.h"

namespace klab::viz {
namespace {

/// One shape of each form with that text wherever a text can stand.
Scene scene_with(const std::string& text) {
    SceneBuilder builder(text);
    builder.add(Box{{10, 10, 60, 20}, {kInk, Stroke::kDashed, 2}, {Pattern::kHatched, kGrey}},
                Layer::kBack,
                text,
                text);
    builder.add(Polyline{{{10, 40}, {90, 70}, {120, 70}}, {kAlarm, Stroke::kDotted, 1}, true},
                Layer::kMiddle,
                text,
                text);
    builder.add(Polyline{{{10, 40}, {10, 40}}, {kAlarm}, true}, Layer::kMiddle);
    builder.add(Text{{20, 90}, text, Anchor::kLeft, 9, kInk, true, true}, Layer::kLabel, {}, text);
    builder.add(Text{{200, 110}, text, Anchor::kRight, 9}, Layer::kLabel);
    builder.add(Text{{20, 120}, text, Anchor::kCenter, 9}, Layer::kLabel);
    builder.add(Cross{{50, 130}}, Layer::kFront, text);
    builder.add(Disc{{70, 130}, 5, {kInk}, {Pattern::kHatched, kBlue}}, Layer::kFront);
    return std::move(builder).finish();
}

const std::vector<std::string>& hostile_texts() {
    static const std::vector<std::string> texts{
        "quote\" end",
        "back\\slash \\N \\G \\l \\",
        "<b>&amp;</b> & < >",
        "]]> --> <!-- <script>alert(1)</script>",
        std::string("nul\0esc\x1b[31m bell\a", 20),
        "broken \xff\xfe utf8 \xe2\x82",
        "right\u202eto left \u4e2d\u6587 \U0001F600",
        "line\nbreak\rtab\t",
        "%s%n {braces} [brackets] ; }",
        std::string(3000, 'w'),
        "",
    };
    return texts;
}

bool has_dot() { return std::system("dot -V > /dev/null 2>&1") == 0; }

/// What `dot -T<format>` says on stderr about `text`, and how it ended.
std::string dot_complaints(const std::string& text, const std::string& format) {
    const std::filesystem::path folder =
        std::filesystem::path(KLAB_BINARY_DIR) / "viz_scratch" /
        ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder);
    const std::string input = (folder / "in.dot").string();
    const std::string output = (folder / ("out." + format)).string();
    const std::string errors = (folder / "stderr.txt").string();
    std::ofstream(input, std::ios::binary) << text;
    const std::string command = "dot -T" + format + " " + input + " -o " + output + " 2> " + errors;
    const int status = std::system(command.c_str());
    std::stringstream complaint;
    complaint << std::ifstream(errors).rdbuf();
    std::string result = complaint.str();
    if (status != 0) {
        result += "dot ended with " + std::to_string(status);
    }
    if (std::filesystem::file_size(output) == 0) {
        result += "empty output";
    }
    std::filesystem::remove_all(folder);
    return result;
}

TEST(DotWriter, GraphvizDrawsEveryPictureWithoutAWarning) {
    // Why: a warning in a lecture hall costs ten minutes; the files must work with bare dot.
    if (!has_dot()) {
        GTEST_SKIP() << "Graphviz is not installed (no dot): nothing to ask";
    }
    const std::vector<Scene> scenes{election_scene(sample_election()),
                                    log_scene(sample_log()),
                                    log_scene(sample_long_log()),
                                    sequence_scene(sample_sequence(), TimeAxis::kCompressed),
                                    sequence_scene(sample_sequence(), TimeAxis::kEvent),
                                    sequence_scene(sample_sequence(), TimeAxis::kLinear),
                                    topology_scene(sample_topology()),
                                    topology_scene(sample_crowded_topology())};
    for (const Scene& scene : scenes) {
        EXPECT_EQ(dot_complaints(write_dot(scene), "svg"), "") << scene.title;
    }
    EXPECT_EQ(dot_complaints(write_dot(scenes.front()), "png"), "");
}

TEST(DotWriter, HostileTextPassesGraphviz) {
    // Why: a topic name or record value must not break the file or become another attribute.
    if (!has_dot()) {
        GTEST_SKIP() << "Graphviz is not installed (no dot): nothing to ask";
    }
    for (const std::string& text : hostile_texts()) {
        EXPECT_EQ(dot_complaints(write_dot(scene_with(text)), "svg"), "") << text;
    }
}

TEST(DotWriter, PositionsAreFlippedAndExact) {
    // Why: dot counts y upwards and sizes in inches; a slip of half a point shows as a broken grid.
    SceneBuilder builder("t");
    builder.add(Box{{10, 20, 45, 36}, {kInk}, {}}, Layer::kBack, "box");
    const std::string dot = write_dot(std::move(builder).finish(4));
    EXPECT_NE(dot.find("\"box\" [pos=\"32.5,22\", width=0.625000, height=0.500000, fixedsize=true"),
              std::string::npos)
        << dot;
    EXPECT_NE(dot.find("layout=nop2"), std::string::npos);
    EXPECT_NE(dot.find("id=\"box\""), std::string::npos);
}

TEST(SvgWriter, EveryPictureIsWellFormed) {
    // Why: browsers refuse an SVG with one wrong byte.
    const std::vector<Scene> scenes{election_scene(sample_election()),
                                    log_scene(sample_log()),
                                    sequence_scene(sample_sequence()),
                                    topology_scene(sample_topology()),
                                    topology_scene(sample_crowded_topology())};
    for (const Scene& scene : scenes) {
        EXPECT_EQ(find_xml_error(write_svg(scene)), "") << scene.title;
    }
}

TEST(SvgWriter, HostileTextStaysText) {
    // Why: a picture opened in a browser must never run what a record value says.
    for (const std::string& text : hostile_texts()) {
        const std::string svg = write_svg(scene_with(text));
        EXPECT_EQ(find_xml_error(svg), "") << text;
        EXPECT_EQ(svg.find("<script"), std::string::npos);
    }
}

TEST(SvgWriter, CheckFindsBrokenXml) {
    // Why: a check that accepts everything would prove nothing.
    EXPECT_NE(find_xml_error("<a><b></a>"), "");
    EXPECT_NE(find_xml_error("<a x=1/>"), "");
    EXPECT_NE(find_xml_error("<a x=\"<\"/>"), "");
    EXPECT_NE(find_xml_error("<a>&nbsp;</a>"), "");
    EXPECT_NE(find_xml_error("<a><b id=\"x\"/><b id=\"x\"/></a>"), "");
    EXPECT_NE(find_xml_error("<a>\x01</a>"), "");
    EXPECT_EQ(find_xml_error("<a x=\"1\">t &amp; u<b/></a>"), "");
}

RC_GTEST_PROP(WriterProperties, AnyTextGivesWellFormedSvg, (const std::string& text)) {
    // Why: the list of hostile texts is only what we thought of.
    RC_ASSERT(find_xml_error(write_svg(scene_with(text))).empty());
}

}  // namespace
}  // namespace klab::viz
