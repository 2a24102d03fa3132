// SPDX-License-Identifier: Apache-2.0
//
// The sample pictures in every format against golden files.
#include <gtest/gtest.h>

#include "tests/viz/golden_text.h"
#include "tests/viz/sample_pictures.h"
#include "viz/dot_writer.h"
#include "viz/svg_writer.h"

namespace klab::viz {
namespace {

void expect_scene(const std::string& name, const Scene& scene) {
    expect_golden(name + ".dot", write_dot(scene));
    expect_golden(name + ".svg", write_svg(scene));
}

TEST(PictureGolden, Election) {
    // Why: the whole chain from decision rows to each format must stay as reviewed.
    const ElectionPicture picture = sample_election();
    expect_scene("election", election_scene(picture));
    expect_golden("election.txt", write_text(picture.head, election_text(picture), {}));
    const TextOptions ascii{80, Charset::kAscii};
    expect_golden("election.ascii.txt",
                  write_text(picture.head, election_text(picture, ascii), ascii));
}

TEST(PictureGolden, Log) {
    // Why: cut cells, epochs and high watermarks are what the lesson on truncation shows.
    const LogPicture picture = sample_log();
    expect_scene("log", log_scene(picture));
    expect_golden("log.txt", write_text(picture.head, log_text(picture), {}));
    const TextOptions ascii{80, Charset::kAscii};
    expect_golden("log.ascii.txt", write_text(picture.head, log_text(picture, ascii), ascii));
}

TEST(PictureGolden, LongLogIsFolded) {
    // Why: a log of thousands of records must still be a picture.
    const LogPicture picture = sample_long_log();
    expect_scene("log_long", log_scene(picture));
    expect_golden("log_long.txt", write_text(picture.head, log_text(picture), {}));
}

TEST(PictureGolden, Sequence) {
    // Why: slopes, losses, bursts and faults of the space-time chart.
    const SequencePicture picture = sample_sequence();
    expect_scene("sequence", sequence_scene(picture));
    expect_scene("sequence_event", sequence_scene(picture, TimeAxis::kEvent));
    expect_scene("sequence_linear", sequence_scene(picture, TimeAxis::kLinear));
    expect_golden("sequence.txt", write_text(picture.head, sequence_text(picture), {}));
    const TextOptions ascii{80, Charset::kAscii};
    expect_golden("sequence.ascii.txt",
                  write_text(picture.head, sequence_text(picture, ascii), ascii));
}

TEST(PictureGolden, Segments) {
    // Why: the worked example of every description of Kafka's log.
    const SegmentsPicture picture = sample_segments();
    expect_scene("segments", segments_scene(picture));
    expect_golden("segments.txt", write_text(picture.head, segments_text(picture), {}));
    const TextOptions ascii{80, Charset::kAscii};
    expect_golden("segments.ascii.txt",
                  write_text(picture.head, segments_text(picture, ascii), ascii));
}

TEST(PictureGolden, Isr) {
    // Why: strips, curves and the row of sizes share one axis; below min.insync.replicas is seen.
    const IsrPicture picture = sample_isr();
    expect_scene("isr", isr_scene(picture));
    expect_golden("isr.txt", write_text(picture.head, isr_text(picture), {}));
    const TextOptions ascii{80, Charset::kAscii};
    expect_golden("isr.ascii.txt", write_text(picture.head, isr_text(picture, ascii), ascii));
}

TEST(PictureGolden, Topology) {
    // Why: roles, fencing and cut links must be told apart without colour as well.
    const TopologyPicture picture = sample_topology();
    expect_scene("topology", topology_scene(picture));
    expect_golden("topology.txt", write_text(picture.head, topology_text(picture), {}));
    const TextOptions ascii{60, Charset::kAscii};
    expect_golden("topology.ascii.txt",
                  write_text(picture.head, topology_text(picture, ascii), ascii));
}

TEST(PictureGolden, CrowdedTopologyShowsSquares) {
    // Why: above 12 brokers or 40 partitions text would be unreadable.
    const TopologyPicture picture = sample_crowded_topology();
    expect_scene("topology_crowded", topology_scene(picture));
    expect_golden("topology_crowded.txt", write_text(picture.head, topology_text(picture), {}));
}

}  // namespace
}  // namespace klab::viz
