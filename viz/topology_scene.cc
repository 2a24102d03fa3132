// SPDX-License-Identifier: Apache-2.0
//
// The picture `topology` for dot and SVG. See topology_picture.h.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "viz/printable.h"
#include "viz/topology_picture.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kMargin = 16;
constexpr std::int32_t kTitle = 26;
constexpr std::int32_t kReplicaHeight = 22;
constexpr std::int32_t kLane = 20;
constexpr std::int32_t kGap = 44;
constexpr std::int32_t kClientWidth = 160;
constexpr std::int32_t kPerRow = 6;
constexpr std::int32_t kSquare = 12;
constexpr std::int32_t kSquaresPerRow = 10;

Pen link_pen(LinkKind kind) {
    switch (kind) {
        case LinkKind::kFetch:
            return {api_color("Fetch"), Stroke::kDashed, 1};
        case LinkKind::kProduce:
            return {api_color("Produce"), Stroke::kSolid, 2};
        case LinkKind::kConsume:
            return {api_color("Fetch"), Stroke::kSolid, 2};
        case LinkKind::kCut:
            return {kAlarm, Stroke::kDotted, 2};
    }
    KLAB_ASSERT(false, "link kind {}", static_cast<int>(kind));
    return {};
}

/// Links between brokers run in lanes under the broker boxes, links of clients below those, links
/// of controllers above: so no line crosses a box. Each end has a place of its own on the edge.
class TopologyScene {
  public:
    explicit TopologyScene(const TopologyPicture& picture)
        : picture_(picture),
          crowded_(is_crowded(picture)),
          scene_(picture.head.title + " topology") {}

    Scene draw() {
        measure();
        const std::int32_t width = std::max<std::int32_t>(
            480,
            static_cast<std::int32_t>(std::min<std::size_t>(picture_.brokers.size(),
                                                            static_cast<std::size_t>(per_row_))) *
                (box_width_ + kGap));
        width_ = width;
        std::int32_t y = add_head(scene_, picture_.head, width);
        y = add_controllers(y + 4);
        y = add_brokers(y);
        add_controller_links();
        y = add_broker_links(y);
        y = add_clients(y);
        y = add_other_cuts(y);
        add_legend(scene_, {kMargin, y + 14}, width, legend());
        return std::move(scene_).finish();
    }

  private:
    void measure() {
        box_width_ = crowded_ ? kSquaresPerRow * kSquare + 16 : 130;
        for (const TopologyBroker& broker : picture_.brokers) {
            box_width_ = std::max(box_width_, text_width(broker_text(broker), 11, true) + 16);
            if (!crowded_) {
                for (const TopologyReplica& replica : broker.replicas) {
                    box_width_ =
                        std::max(box_width_, text_width(replica_text(replica), 10, true) + 24);
                }
            }
        }
        box_width_ = std::min(box_width_, 240);
        per_row_ = crowded_ ? kPerRow
                            : std::max<std::int32_t>(
                                  1, static_cast<std::int32_t>(picture_.brokers.size()));
    }

    std::int32_t add_controllers(std::int32_t y) {
        std::int32_t x = kMargin;
        for (const TopologyController& controller : picture_.controllers) {
            const std::string text = controller_text(controller);
            Style style = node_style(controller.state);
            if (controller.is_leader) {
                style.pen.width = 3;
            }
            style.bold = controller.is_leader;
            const Rect rect{x, y, text_width(text, 11, true) + 20, 24};
            scene_.add_cell(rect,
                            text,
                            style,
                            11,
                            "node-" + controller.name,
                            fmt::format("controller {}: {}{}",
                                        controller.name,
                                        node_word(controller.state),
                                        controller.is_leader ? ", active" : ""));
            boxes_[controller.name] = rect;
            x = rect.right() + 20;
        }
        if (picture_.metadata_offset) {
            scene_.add(Text{{x, y + 12},
                            fmt::format("metadata log ends at {}", *picture_.metadata_offset),
                            Anchor::kLeft,
                            10,
                            kMutedInk},
                       Layer::kFront);
        }
        if (picture_.controllers.empty()) {
            return y;
        }
        std::int32_t links = 0;
        for (const TopologyLink& link : picture_.links) {
            links += is_controller_link(link) ? 1 : 0;
        }
        return y + 24 + 22 + (crowded_ ? 0 : links * kLane);
    }

    std::int32_t broker_height(const TopologyBroker& broker) const {
        const auto replicas = static_cast<std::int32_t>(broker.replicas.size());
        if (crowded_) {
            return kTitle + (replicas + kSquaresPerRow - 1) / kSquaresPerRow * kSquare + 10;
        }
        return kTitle + std::max<std::int32_t>(1, replicas) * (kReplicaHeight + 4) + 6;
    }

    std::int32_t add_brokers(std::int32_t y) {
        std::int32_t tallest = 0;
        std::int32_t in_row = 0;
        std::int32_t row_height = 0;
        for (const TopologyBroker& broker : picture_.brokers) {
            tallest = std::max(tallest, broker_height(broker));
        }
        for (const TopologyBroker& broker : picture_.brokers) {
            if (in_row == per_row_) {
                in_row = 0;
                y += row_height + 16;
            }
            const Rect rect{kMargin + in_row * (box_width_ + kGap), y, box_width_, tallest};
            add_broker(broker, rect);
            row_height = tallest;
            ++in_row;
        }
        return y + row_height;
    }

    void add_broker(const TopologyBroker& broker, const Rect& rect) {
        const Style style = node_style(broker.state);
        boxes_[broker.name] = rect;
        scene_.add(Box{rect, style.pen, style.paint},
                   Layer::kBack,
                   "node-" + broker.name,
                   fmt::format("broker {}: {}", broker.name, node_word(broker.state)));
        scene_.add(Text{{rect.x + 8, rect.y + 13},
                        fit_text(broker_text(broker), rect.width - 14, 11, true),
                        Anchor::kLeft,
                        11,
                        style.ink,
                        true,
                        broker.state == NodeState::kPaused},
                   Layer::kFront);
        std::int32_t index = 0;
        for (const TopologyReplica& replica : broker.replicas) {
            add_replica(broker, replica, rect, index);
            ++index;
        }
    }

    void add_replica(const TopologyBroker& broker,
                     const TopologyReplica& replica,
                     const Rect& box,
                     std::int32_t index) {
        const Style style = replica_style(replica.state);
        const std::string tooltip = fmt::format("{} on {}", replica_text(replica), broker.name);
        if (crowded_) {
            scene_.add(Box{{box.x + 8 + index % kSquaresPerRow * kSquare,
                            box.y + kTitle + index / kSquaresPerRow * kSquare,
                            kSquare - 2,
                            kSquare - 2},
                           style.pen,
                           style.paint},
                       Layer::kMiddle,
                       {},
                       tooltip);
            return;
        }
        const Rect rect{box.x + 7,
                        box.y + kTitle + index * (kReplicaHeight + 4),
                        box.width - 14,
                        kReplicaHeight};
        scene_.add(Box{rect, style.pen, style.paint}, Layer::kMiddle, {}, tooltip);
        scene_.add(Text{rect.center(),
                        fit_text(replica_text(replica), rect.width - 6, 10, style.bold),
                        Anchor::kCenter,
                        10,
                        style.ink,
                        style.bold},
                   Layer::kFront);
    }

    [[nodiscard]] bool is_controller(const std::string& name) const {
        return std::any_of(picture_.controllers.begin(),
                           picture_.controllers.end(),
                           [&name](const TopologyController& c) { return c.name == name; });
    }

    /// True for a link between a controller and a broker.
    [[nodiscard]] bool is_controller_link(const TopologyLink& link) const {
        return (is_controller(link.from) && is_broker(link.to)) ||
               (is_controller(link.to) && is_broker(link.from));
    }

    /// Links between controllers and brokers, in lanes between their rows.
    void add_controller_links() {
        if (crowded_ || picture_.controllers.empty()) {
            return;
        }
        const std::int32_t edge = boxes_.at(picture_.controllers.front().name).bottom();
        std::int32_t lane = edge + 16;
        for (const TopologyLink& link : picture_.links) {
            if (!is_controller_link(link)) {
                continue;
            }
            const bool down = is_controller(link.from);
            const std::int32_t upper = next_port(down ? link.from : link.to);
            const Rect& broker = boxes_.at(down ? link.to : link.from);
            const std::int32_t lower = broker.x + 12 + top_ports_[down ? link.to : link.from] * 14;
            top_ports_[down ? link.to : link.from] += 1;
            std::vector<Point> points{
                {upper, edge}, {upper, lane}, {lower, lane}, {lower, broker.y}};
            if (!down) {
                std::reverse(points.begin(), points.end());
            }
            add_link(link, points, {(upper + lower) / 2, lane});
            lane += kLane;
        }
    }

    [[nodiscard]] bool is_broker(const std::string& name) const {
        return std::any_of(picture_.brokers.begin(),
                           picture_.brokers.end(),
                           [&name](const TopologyBroker& b) { return b.name == name; });
    }

    [[nodiscard]] bool is_client(const std::string& name) const {
        return std::any_of(picture_.clients.begin(),
                           picture_.clients.end(),
                           [&name](const TopologyClient& c) { return c.name == name; });
    }

    /// The next free place on the lower edge of a broker, counted from its left side.
    std::int32_t next_port(const std::string& name) {
        const Rect& rect = boxes_.at(name);
        const std::int32_t used = ports_[name];
        ++ports_[name];
        return rect.x + 12 + used * 14 % std::max(14, rect.width - 20);
    }

    std::int32_t add_broker_links(std::int32_t y) {
        if (crowded_) {
            return y;
        }
        std::int32_t lane = y + 16;
        for (const TopologyLink& link : picture_.links) {
            if (!is_broker(link.from) || !is_broker(link.to) || link.from == link.to) {
                continue;
            }
            add_lane(link, lane, y);
            lane += kLane;
        }
        return lane - 16 == y ? y : lane - 8;
    }

    void add_lane(const TopologyLink& link, std::int32_t lane, std::int32_t edge) {
        const std::int32_t from = next_port(link.from);
        const std::int32_t to = next_port(link.to);
        add_link(
            link, {{from, edge}, {from, lane}, {to, lane}, {to, edge}}, {(from + to) / 2, lane});
    }

    void add_link(const TopologyLink& link, const std::vector<Point>& points, Point middle) {
        const bool cut = link.kind == LinkKind::kCut;
        const Pen pen = link_pen(link.kind);
        kinds_.insert(link.kind);
        scene_.add(Polyline{points, pen, !cut},
                   Layer::kMiddle,
                   {},
                   fmt::format("{} {} {}{}",
                               link.from,
                               cut ? "cut off from" : "to",
                               link.to,
                               link.text.empty() ? "" : ": " + link.text));
        if (cut) {
            scene_.add(Cross{middle, 6, {kAlarm, Stroke::kSolid, 3}}, Layer::kLabel);
        }
        if (!link.text.empty()) {
            scene_.add(Text{{middle.x + (cut ? 12 : 0), middle.y},
                            link.text,
                            cut ? Anchor::kLeft : Anchor::kCenter,
                            9,
                            pen.color,
                            false,
                            true},
                       Layer::kFront);
        }
    }

    std::int32_t add_clients(std::int32_t y) {
        if (picture_.clients.empty()) {
            return y;
        }
        const std::int32_t edge = y;
        std::int32_t links = 0;
        for (const TopologyLink& link : picture_.links) {
            links += is_client(link.from) || is_client(link.to) ? 1 : 0;
        }
        const std::int32_t top = edge + (crowded_ ? 12 : 20 + links * kLane);
        std::int32_t x = kMargin;
        for (const TopologyClient& client : picture_.clients) {
            const std::int32_t wanted =
                std::max(text_width(client.text, 9), text_width(client.name, 11, true)) + 20;
            const Rect rect{x, top, std::clamp<std::int32_t>(wanted, 90, kClientWidth + 60), 38};
            add_client(client, rect);
            x = rect.right() + 24;
        }
        if (!crowded_) {
            add_client_links(edge, top);
        }
        return top + 38;
    }

    void add_client(const TopologyClient& client, const Rect& rect) {
        boxes_[client.name] = rect;
        scene_.add(Box{rect, {kMutedInk, Stroke::kSolid, 1}, {Pattern::kSolid, kPaleGrey}},
                   Layer::kBack,
                   "node-" + client.name,
                   "client " + client.name);
        scene_.add(Text{{rect.center().x, rect.y + 12},
                        fit_text(client.name, rect.width - 6, 11, true),
                        Anchor::kCenter,
                        11,
                        kInk,
                        true},
                   Layer::kFront);
        scene_.add(Text{{rect.center().x, rect.y + 27},
                        fit_text(client.text, rect.width - 6, 9),
                        Anchor::kCenter,
                        9,
                        kMutedInk},
                   Layer::kFront);
    }

    /// Links of clients: from the client up into a lane, along it, up to the broker.
    void add_client_links(std::int32_t lanes_top, std::int32_t client_top) {
        std::int32_t lane = lanes_top + 14;
        for (const TopologyLink& link : picture_.links) {
            const bool from_client = is_client(link.from) && is_broker(link.to);
            const bool to_client = is_client(link.to) && is_broker(link.from);
            if (!from_client && !to_client) {
                continue;
            }
            const std::string& client = from_client ? link.from : link.to;
            const std::string& broker = from_client ? link.to : link.from;
            const std::int32_t client_x = next_port(client);
            const std::int32_t broker_x = next_port(broker);
            const std::int32_t broker_y = boxes_.at(broker).bottom();
            std::vector<Point> points{
                {client_x, client_top}, {client_x, lane}, {broker_x, lane}, {broker_x, broker_y}};
            if (to_client) {
                std::reverse(points.begin(), points.end());
            }
            add_link(link, points, {(client_x + broker_x) / 2, lane});
            lane += kLane;
        }
    }

    /// Cut links that no lane can show, or all of a crowded picture, are listed as sentences.
    std::int32_t add_other_cuts(std::int32_t y) {
        for (const TopologyLink& link : picture_.links) {
            const bool between =
                (is_broker(link.from) && (is_broker(link.to) || is_client(link.to))) ||
                (is_client(link.from) && is_broker(link.to)) || is_controller_link(link);
            if ((between && !crowded_) || link.kind != LinkKind::kCut) {
                continue;
            }
            y += 18;
            scene_.add(Cross{{kMargin + 6, y}, 5, {kAlarm, Stroke::kSolid, 2}}, Layer::kLabel);
            scene_.add(Text{{kMargin + 18, y},
                            fmt::format("{} cut off from {} {}", link.from, link.to, link.text),
                            Anchor::kLeft,
                            10,
                            kAlarm},
                       Layer::kFront);
        }
        return y;
    }

    [[nodiscard]] std::vector<LegendEntry> legend() const {
        std::vector<LegendEntry> entries{
            {replica_style(ReplicaState::kLeader), "LEAD: leader, HW/LEO"},
            {replica_style(ReplicaState::kInSync), "ISR: in sync, LEO"},
            {replica_style(ReplicaState::kOutOfSync), "out of the ISR"},
            {replica_style(ReplicaState::kOffline), "off: offline"}};
        const auto add = [&](LinkKind kind, const std::string& word) {
            if (kinds_.count(kind) != 0) {
                entries.push_back({{link_pen(kind), {}, kInk, false}, word, LegendSign::kLine});
            }
        };
        add(LinkKind::kFetch, "follower fetches from leader");
        add(LinkKind::kProduce, "produces to");
        add(LinkKind::kConsume, "consumes from");
        add(LinkKind::kCut, "cut link");
        return entries;
    }

    const TopologyPicture& picture_;
    bool crowded_;
    std::int32_t box_width_ = 0;
    std::int32_t per_row_ = 1;
    std::int32_t width_ = 0;
    std::map<std::string, Rect> boxes_;
    std::map<std::string, std::int32_t> ports_;      ///< Used places on the lower edge.
    std::map<std::string, std::int32_t> top_ports_;  ///< Used places on the upper edge.
    std::set<LinkKind> kinds_;
    SceneBuilder scene_;
};

}  // namespace

Scene topology_scene(const TopologyPicture& picture) { return TopologyScene(picture).draw(); }

}  // namespace klab::viz
