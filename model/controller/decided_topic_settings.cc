// SPDX-License-Identifier: Apache-2.0
//
// See decided_topic_settings.h.
#include "model/controller/decided_topic_settings.h"

#include <algorithm>

#include "model/types/settings.h"

namespace klab::controller {

namespace {

using metadata::ConfigResource;
using metadata::ConfigResourceKind;

/// The dynamic value that counts for a topic, nullptr when there is none.
const std::string* dynamic_value(const metadata::MetadataImage& image,
                                 const std::string& topic,
                                 std::string_view name) {
    const std::string* own = image.config(ConfigResource{ConfigResourceKind::kTopic, topic}, name);
    if (own != nullptr) {
        return own;
    }
    return image.config(ConfigResource{ConfigResourceKind::kBroker, ""}, name);
}

/// A dynamic value as its setting reads it. Values were checked before they were written, so one
/// that cannot be read comes from a log of another version: it counts as absent.
template <typename T>
std::optional<T> dynamic_setting(const ControllerView& view,
                                 const metadata::TopicImage& topic,
                                 std::string_view name) {
    const std::string* text = dynamic_value(view.state.image, topic.name, name);
    const types::Setting* setting = types::find_setting(name, types::Where::kTopic);
    if (text == nullptr || setting == nullptr) {
        return std::nullopt;
    }
    const auto value = types::parse_setting(*setting, *text, view.rules.version);
    if (!value || !std::holds_alternative<T>(*value)) {
        return std::nullopt;
    }
    return std::get<T>(*value);
}

}  // namespace

std::int32_t effective_min_isr(const ControllerView& view, const metadata::TopicImage& topic) {
    const std::int64_t wanted = dynamic_setting<std::int64_t>(view, topic, "min.insync.replicas")
                                    .value_or(view.config.topic_defaults.min_insync_replicas);
    const metadata::PartitionRegistration* first = topic.partition(0);
    const auto replicas =
        first == nullptr ? std::int64_t{1} : static_cast<std::int64_t>(first->replicas.size());
    return static_cast<std::int32_t>(std::min(wanted, replicas));
}

bool unclean_election_enabled(const ControllerView& view, const metadata::TopicImage& topic) {
    return view.rules.unclean_obeyed_in_kraft &&
           dynamic_setting<bool>(view, topic, "unclean.leader.election.enable")
               .value_or(view.config.topic_defaults.unclean_leader_election_enable);
}

}  // namespace klab::controller
