// SPDX-License-Identifier: Apache-2.0
//
// Steps and the ten forms of a trigger in the format table.
#include <utility>

#include "scenarios/run/format_table.h"

namespace klab::scenario::format {

namespace {

Form form(std::vector<Field> fields, std::uint32_t fields_min) {
    std::string title = "a trigger with \"" + fields.front().name + "\"";
    return {std::move(title), std::move(fields), fields_min};
}

Shape step_shape() {
    Shape out;
    out.name = "step";
    out.title = "a step";
    out.kind = ShapeKind::kObject;
    out.comments = true;
    out.fields = {
        {"id", "name", "Its name within the file."},
        {"when", "when", "What it waits for.", true},
        {"within",
         "duration",
         "The run ends undecided (exit 3) when the trigger has not fired by then."},
        {"do", "do", "One action, or a list that happens in one instant.", true},
        {"repeat", "positive", "How often it may fire.", false, "1"},
        {"note", "text", "For the reader of the file."},
    };
    return out;
}

std::vector<Form> trigger_forms() {
    return {
        form({{"at", "duration", "At this virtual time.", true}}, 1),
        form({{"after", "name", "When that step has fired.", true},
              {"delay", "duration", "And this much time has passed since."}},
             1),
        form({{"leader_of", "partition-name", "The leader of this partition", true},
              {"has_appended", "not-negative", "has at least so many records in its log.", true}},
             2),
        form({{"replica", "replica-name", "This replica", true},
              {"has_fetched", "not-negative", "has at least so many records in its log.", true}},
             2),
        form({{"partition", "partition-name", "This partition", true},
              {"hw", "not-negative", "has at its leader at least this high watermark."},
              {"isr", "node-names", "has exactly these in-sync replicas."},
              {"isr_size", "not-negative", "has exactly so many in-sync replicas."},
              {"leader", "string", "is led by this node."},
              {"leader_epoch", "not-negative", "has at least this leader epoch."}},
             2),
        form({{"group", "string", "This group", true},
              {"state", "string", "is in this state.", true},
              {"generation", "not-negative", "has at least this generation."}},
             2),
        form({{"client", "name", "This client", true},
              {"acked", "not-negative", "has at least so many records acknowledged."},
              {"processed", "not-negative", "has worked on at least so many records."},
              {"error", "string", "got this error."}},
             2),
        form({{"event", "string", "An event of the trace by its name,", true},
              {"from", "target", "of a message from this node,"},
              {"to", "target", "of a message to this node,"},
              {"where", "fields", "with these values of its fields,"},
              {"nth", "positive", "the so-manieth that matches.", false, "1"}},
             1),
        form({{"all", "triggers", "All of these at one instant.", true}}, 1),
        form({{"any", "triggers", "One of these.", true}}, 1),
    };
}

Shape list_shape(std::string name, std::string title, std::string element, std::uint32_t min) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kList;
    out.element = std::move(element);
    out.items_min = min;
    return out;
}

}  // namespace

std::vector<Shape> trigger_shapes() {
    Shape when;
    when.name = "when";
    when.title = "a trigger";
    when.kind = ShapeKind::kForms;
    when.forms = trigger_forms();
    Shape fields;
    fields.name = "fields";
    fields.title = "fields of an event";
    fields.kind = ShapeKind::kMap;
    fields.element = "setting";
    Shape act;
    act.name = "do";
    act.title = "an action or a list of actions";
    act.kind = ShapeKind::kAlternatives;
    act.alternatives = {"action", "actions"};
    return {list_shape("timeline", "the timeline", "step", 0),
            step_shape(),
            when,
            list_shape("triggers", "a list of triggers", "when", 2),
            list_shape("node-names", "a list of nodes", "string", 0),
            fields,
            act,
            list_shape("actions", "a list of actions", "action", 1)};
}

}  // namespace klab::scenario::format
