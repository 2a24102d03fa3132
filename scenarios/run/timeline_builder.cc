// SPDX-License-Identifier: Apache-2.0
//
// Steps and triggers of a scenario.
#include <utility>

#include "scenarios/run/scenario_builder.h"

namespace klab::scenario {

namespace {

template <typename Form>
std::optional<Trigger> trigger(const Json& json, Form form) {
    return Trigger{json.where, std::move(form)};
}

std::optional<Trigger> at_time(const Json& json) {
    const auto at = read_duration(json.find("at"));
    return at ? trigger(json, AtTime{*at}) : std::nullopt;
}

std::optional<Trigger> after_step(const Json& json) {
    const auto step = read_text(json.find("after"));
    return step ? trigger(json, AfterStep{*step, read_duration(json.find("delay"))}) : std::nullopt;
}

std::optional<Trigger> leader_appended(const Json& json) {
    const auto partition = read_partition(json.find("leader_of"));
    const auto records = read_integer(json.find("has_appended"));
    return partition && records ? trigger(json, LeaderAppended{*partition, *records})
                                : std::nullopt;
}

std::optional<Trigger> replica_fetched(const Json& json) {
    const auto replica = read_replica(json.find("replica"));
    const auto records = read_integer(json.find("has_fetched"));
    return replica && records ? trigger(json, ReplicaFetched{*replica, *records}) : std::nullopt;
}

std::optional<Trigger> partition_reaches(const Json& json) {
    const auto partition = read_partition(json.find("partition"));
    if (!partition) {
        return std::nullopt;
    }
    PartitionReaches form;
    form.partition = *partition;
    form.high_watermark = read_integer(json.find("hw"));
    if (const Json* isr = json.find("isr")) {
        form.isr = read_texts(isr);
    }
    form.isr_size = read_integer(json.find("isr_size"));
    form.leader = read_text(json.find("leader"));
    form.leader_epoch = read_integer(json.find("leader_epoch"));
    return trigger(json, std::move(form));
}

std::optional<Trigger> group_reaches(const Json& json) {
    const auto group = read_text(json.find("group"));
    const auto state = read_text(json.find("state"));
    return group && state
               ? trigger(json, GroupReaches{*group, *state, read_integer(json.find("generation"))})
               : std::nullopt;
}

std::optional<Trigger> client_reaches(const Json& json) {
    const auto client = read_text(json.find("client"));
    if (!client) {
        return std::nullopt;
    }
    return trigger(json,
                   ClientReaches{*client,
                                 read_integer(json.find("acked")),
                                 read_integer(json.find("processed")),
                                 read_text(json.find("error"))});
}

std::optional<Trigger> event_happens(const Json& json, ReadContext context) {
    const auto event = read_text(json.find("event"));
    if (!event) {
        return std::nullopt;
    }
    EventHappens form;
    form.event = *event;
    form.from = read_target(json.find("from"), context.findings);
    form.to = read_target(json.find("to"), context.findings);
    form.where = read_settings(json.find("where"));
    if (const auto nth = read_integer(json.find("nth"))) {
        form.nth = nth->value;
    }
    return trigger(json, std::move(form));
}

std::vector<Trigger> parts_of(const Json* list, ReadContext context) {
    std::vector<Trigger> out;
    if (list == nullptr) {
        return out;
    }
    for (const Json& element : list->elements) {
        if (std::optional<Trigger> part = build_trigger(element, context)) {
            out.push_back(std::move(*part));
        }
    }
    return out;
}

std::optional<Step> build_step(const Json& json, ReadContext context) {
    Step out;
    out.where = json.where;
    out.id = read_text(json.find("id"));
    out.within = read_duration(json.find("within"));
    out.note = read_lines(json.find("note"));
    if (const auto repeat = read_integer(json.find("repeat"))) {
        out.repeat = repeat->value;
    }
    const Json* act = json.find("do");
    if (act != nullptr && act->is(JsonKind::kList)) {
        for (const Json& element : act->elements) {
            if (std::optional<Action> action = build_action(element, context)) {
                out.actions.push_back(std::move(*action));
            }
        }
    } else if (act != nullptr) {
        if (std::optional<Action> action = build_action(*act, context)) {
            out.actions.push_back(std::move(*action));
        }
    }
    const Json* when = json.find("when");
    std::optional<Trigger> trigger = when == nullptr ? std::nullopt : build_trigger(*when, context);
    // A step whose trigger cannot be read keeps its id for others to refer to, and never fires.
    out.when = trigger ? std::move(*trigger) : Trigger{json.where, AllOf{}};
    return out;
}

}  // namespace

std::optional<Trigger> build_trigger(const Json& json, ReadContext context) {
    if (json.find("at") != nullptr) {
        return at_time(json);
    }
    if (json.find("after") != nullptr) {
        return after_step(json);
    }
    if (json.find("leader_of") != nullptr) {
        return leader_appended(json);
    }
    if (json.find("replica") != nullptr) {
        return replica_fetched(json);
    }
    if (json.find("partition") != nullptr) {
        return partition_reaches(json);
    }
    if (json.find("group") != nullptr) {
        return group_reaches(json);
    }
    if (json.find("client") != nullptr) {
        return client_reaches(json);
    }
    if (json.find("event") != nullptr) {
        return event_happens(json, context);
    }
    if (const Json* all = json.find("all")) {
        return trigger(json, AllOf{parts_of(all, context)});
    }
    if (const Json* any = json.find("any")) {
        return trigger(json, AnyOf{parts_of(any, context)});
    }
    return std::nullopt;
}

std::vector<Step> build_timeline(const Json* json, ReadContext context) {
    std::vector<Step> out;
    if (json == nullptr) {
        return out;
    }
    for (const Json& element : json->elements) {
        if (!element.is(JsonKind::kObject)) {
            continue;
        }
        if (std::optional<Step> step = build_step(element, context)) {
            out.push_back(std::move(*step));
        }
    }
    return out;
}

}  // namespace klab::scenario
