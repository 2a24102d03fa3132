// SPDX-License-Identifier: Apache-2.0
//
// See topic_deletion.h.
#include "model/controller/topic_deletion.h"

#include <algorithm>

namespace klab::controller {

Decision<protocol::DeleteTopicsResponse> decide_delete_topics(
    const ControllerView& view, const protocol::DeleteTopicsRequest& request) {
    Decision<protocol::DeleteTopicsResponse> decision;
    for (const std::string& name : request.topics) {
        protocol::NamedResult result{name, types::ErrorCode::kNone, ""};
        const metadata::TopicImage* topic = view.state.image.topic(name);
        if (std::ranges::count(request.topics, name) > 1) {
            result.error = types::ErrorCode::kInvalidRequest;
            result.message = "the request names it twice";
        } else if (topic == nullptr) {
            result.error = types::ErrorCode::kUnknownTopicOrPartition;
            result.message = "there is no such topic";
        } else {
            decision.records.emplace_back(metadata::RemoveTopicRecord{topic->id});
        }
        decision.result.topics.push_back(std::move(result));
    }
    return decision;
}

}  // namespace klab::controller
