// SPDX-License-Identifier: Apache-2.0
//
// Scenes: order, ids, text that fits; time axis; places of labels.
#include "viz/scene.h"

#include <gtest/gtest.h>

#include "viz/label_placer.h"
#include "viz/palette.h"
#include "viz/time_scale.h"

namespace klab::viz {
namespace {

TEST(Scene, LinesFollowSurfacesInsideALayer) {
    // Why: dot can only draw lines after the surfaces of a layer; SVG must show the same.
    SceneBuilder builder("t");
    builder.add_line({0, 0}, {5, 5}, {}, Layer::kBack);
    builder.add(Box{{0, 0, 9, 9}, {}, {}}, Layer::kBack);
    builder.add(Text{{1, 1}, "x"}, Layer::kLabel);
    builder.add(Box{{0, 0, 4, 4}, {}, {}}, Layer::kMiddle);
    const std::vector<Shape> shapes = in_drawing_order(std::move(builder).finish());
    ASSERT_EQ(shapes.size(), 4U);
    EXPECT_TRUE(std::holds_alternative<Box>(shapes[0].form));
    EXPECT_TRUE(std::holds_alternative<Polyline>(shapes[1].form));
    EXPECT_EQ(shapes[2].layer, Layer::kMiddle);
    EXPECT_TRUE(std::holds_alternative<Text>(shapes[3].form));
}

TEST(Scene, IdsAreUniqueEvenAgainstSuffixes) {
    // Why: two shapes of one event, and one that is really named so, must not share an id.
    std::vector<Shape> shapes(5);
    shapes[0].id = "e1";
    shapes[1].id = "e1-2";
    shapes[2].id = "e1";
    shapes[3].id = "e1";
    EXPECT_EQ(unique_ids(shapes), (std::vector<std::string>{"e1", "e1-2", "e1-3", "e1-4", ""}));
}

TEST(Scene, FittedTextIsNeverWiderThanItsRoom) {
    // Why: text that runs out of its cell covers its neighbour.
    for (const std::int32_t width : {0, 8, 30, 90}) {
        for (const std::string text : {"WWWWWWWWWW", "iiiiiiiiiiiiiiiii", "mixed Text 123"}) {
            const std::string fitted = fit_text(text, width, 11, true);
            EXPECT_LE(text_width(fitted, 11, true), std::max(width, text_width("\u2026", 11, true)))
                << text << " in " << width;
        }
    }
    EXPECT_EQ(fit_text("short", 200, 11), "short");
}

TEST(Scene, PageCoversItsShapes) {
    // Why: a shape outside the page is cut off in SVG but not in dot.
    SceneBuilder builder("t");
    builder.add(Box{{10, 20, 300, 40}, {}, {}}, Layer::kBack);
    builder.add(Text{{290, 100}, "text to the right", Anchor::kLeft, 12}, Layer::kLabel);
    const Scene scene = std::move(builder).finish(10);
    EXPECT_GE(scene.width, 290 + text_width("text to the right", 12) + 10);
    EXPECT_EQ(scene.height, 100 + 7 + 10);
}

TEST(TimeScale, EventAxisStepsEqually) {
    // Why: order is all that this axis shows.
    const TimeScale scale(TimeAxis::kEvent, {{Time{0}, 0}, {Time{1}, 0}, {Time{5'000'000'000}, 0}});
    EXPECT_EQ(scale.y(Time{1}) * 2, scale.y(Time{5'000'000'000}));
    EXPECT_EQ(scale.y(Time{9'000'000'000}), scale.height());
}

TEST(TimeScale, CompressedAxisKeepsOrderAndGrowsWithTheGap) {
    // Why: ten seconds must look longer than a millisecond, but not ten thousand times.
    const TimeScale scale(TimeAxis::kCompressed,
                          {{Time{0}, 0},
                           {Time{1'000'000}, 0},
                           {Time{10'001'000'000}, 0},
                           {Time{10'001'000'001}, 40}});
    const std::int32_t first = scale.y(Time{1'000'000});
    const std::int32_t second = scale.y(Time{10'001'000'000}) - first;
    EXPECT_GT(first, 0);
    EXPECT_GT(second, first);
    EXPECT_LT(second, 6 * first);
    EXPECT_EQ(scale.height() - scale.y(Time{10'001'000'000}), 40);
    EXPECT_GT(scale.y(Time{500'000}), 0);
    EXPECT_LT(scale.y(Time{500'000}), first);
}

TEST(TimeScale, LinearAxisIsToScaleEvenOverYears) {
    // Why: a scenario may last ten years; products of nanoseconds and points must not overflow.
    const std::int64_t ten_years = 315'360'000'000'000'000;
    const TimeScale scale(TimeAxis::kLinear, {{Time{0}, 0}, {Time{ten_years}, 0}});
    EXPECT_EQ(scale.y(Time{ten_years / 2}), scale.height() / 2);
    EXPECT_EQ(scale.y(Time{ten_years / 4}), scale.height() / 4);
}

TEST(TimeScale, WordsOfAxesCanBeParsed) {
    // Why: --axis takes these words.
    for (const TimeAxis axis : {TimeAxis::kLinear, TimeAxis::kEvent, TimeAxis::kCompressed}) {
        EXPECT_EQ(parse_time_axis(time_axis_word(axis)), axis);
    }
    EXPECT_EQ(parse_time_axis("log"), std::nullopt);
}

TEST(LabelPlacer, TakesTheFirstFreePlaceAndRefusesCoveredOnes) {
    // Why: labels must not cover each other, whatever the density.
    LabelPlacer placer;
    const Text here{{0, 50}, "label", Anchor::kLeft, 10};
    Text below = here;
    below.at.y = 70;
    EXPECT_EQ(placer.place({here, below}), here);
    EXPECT_EQ(placer.place({here, below}), below);
    EXPECT_EQ(placer.place({here, below}), std::nullopt);
}

TEST(Palette, EpochsRepeatWithHatching) {
    // Why: the ninth epoch must not look like the first.
    EXPECT_EQ(epoch_style(1).paint.color, epoch_style(9).paint.color);
    EXPECT_EQ(epoch_style(1).paint.pattern, Pattern::kSolid);
    EXPECT_EQ(epoch_style(9).paint.pattern, Pattern::kHatched);
    EXPECT_EQ(epoch_style(17), epoch_style(1));
    EXPECT_EQ(to_hex({1, 2, 255}), "#0102ff");
    EXPECT_EQ(lighten({0, 0, 0}, 100), kWhite);
}

TEST(Palette, StatesDifferInMoreThanHue) {
    // Why: a black-and-white print and a colour-blind reader must tell them apart.
    const Style leader = replica_style(ReplicaState::kLeader);
    const Style offline = replica_style(ReplicaState::kOffline);
    EXPECT_TRUE(leader.bold);
    EXPECT_FALSE(replica_style(ReplicaState::kInSync).bold);
    EXPECT_EQ(offline.pen.stroke, Stroke::kDashed);
    EXPECT_NE(replica_word(ReplicaState::kLeader), replica_word(ReplicaState::kInSync));
    EXPECT_EQ(node_style(NodeState::kPaused).paint.pattern, Pattern::kHatched);
}

}  // namespace
}  // namespace klab::viz
