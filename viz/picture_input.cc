// SPDX-License-Identifier: Apache-2.0
//
// Nodes of a layout for pictures. See picture_input.h.
#include "viz/picture_input.h"

#include <fmt/format.h>

namespace klab::viz {

namespace {

std::string client_text(const types::ClientSpec& client) {
    switch (client.kind) {
        case types::ClientSpec::Kind::kProducer: {
            const auto acks = client.config.find("acks");
            return acks == client.config.end() ? std::string("producer")
                                               : fmt::format("producer acks={}", acks->second);
        }
        case types::ClientSpec::Kind::kConsumer: {
            std::string text = "consumer";
            for (const types::TopicPartition& partition : client.assign) {
                text += " " + partition.text();
            }
            return text;
        }
        case types::ClientSpec::Kind::kAdmin:
            return "admin";
    }
    return {};
}

}  // namespace

std::vector<PictureNode> picture_nodes(const types::ClusterSpec& cluster) {
    std::vector<PictureNode> nodes;
    for (const types::BrokerSpec& broker : cluster.brokers) {
        nodes.push_back({broker.node,
                         broker.name,
                         PictureNodeKind::kBroker,
                         broker.id.value(),
                         broker.rack.value_or(""),
                         {}});
    }
    for (const types::ControllerSpec& controller : cluster.controllers) {
        nodes.push_back(
            {controller.node, controller.name, PictureNodeKind::kController, {}, {}, {}});
    }
    for (const types::ClientSpec& client : cluster.clients) {
        nodes.push_back(
            {client.node, client.name, PictureNodeKind::kClient, {}, {}, client_text(client)});
    }
    return nodes;
}

}  // namespace klab::viz
