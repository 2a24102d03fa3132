// SPDX-License-Identifier: Apache-2.0
//
// The file itself, its simple values, expectations, questions, variants and overrides.
#include "scenarios/run/format_table.h"

namespace klab::scenario::format {

namespace {

Shape text_shape(std::string name, std::string title, TextRule rule, std::string doc) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kText;
    out.rule = rule;
    out.doc = std::move(doc);
    return out;
}

Shape integer_shape(std::string name, std::string title, std::int64_t minimum) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kInteger;
    out.minimum = minimum;
    return out;
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

Shape scenario_shape() {
    Shape out;
    out.name = "scenario";
    out.title = "a scenario";
    out.kind = ShapeKind::kObject;
    out.comments = true;
    out.one_of = {"timeline", "chaos"};
    out.fields = {
        {"$schema", "string", "Where an editor finds the JSON Schema of this file."},
        {"klab", "version", "Format version.", true},
        {"title", "string", "One line, shown as the heading of every picture.", true},
        {"note", "text", "What the file shows, in a sentence or two."},
        {"lesson", "string", "The lesson this file belongs to."},
        {"kafka", "string", "Which protocol rules apply.", false, "\"4.1\""},
        {"seed", "not-negative", "Decides every choice the file leaves open.", false, "1"},
        {"limit", "duration", "Stop at this virtual time whatever happens.", false, "\"10min\""},
        {"cluster", "cluster", "Brokers, controllers and the network between them.", true},
        {"topics", "topics", "Topics that exist when the clients start."},
        {"clients", "clients", "Producers, consumers and admin clients."},
        {"timeline", "timeline", "Steps: when something holds, do something."},
        {"chaos", "chaos", "Random faults, drawn from the seed."},
        {"expect", "expectations", "What must hold for the run to pass."},
        {"questions", "questions", "Questions to a student; the run gives the answers."},
        {"variants", "variants", "Other runs of the same file, each with its changes."},
        {"overrides", "overrides", "Fixed outcomes of single choices."},
    };
    return out;
}

std::vector<Shape> simple_shapes() {
    Shape text;
    text.name = "text";
    text.title = "a text";
    text.kind = ShapeKind::kAlternatives;
    text.alternatives = {"string", "lines"};
    text.doc = "A text, or a list of its lines.";
    Shape version;
    version.name = "version";
    version.title = "the format version";
    version.kind = ShapeKind::kVersion;
    Shape boolean;
    boolean.name = "boolean";
    boolean.title = "a yes or no";
    boolean.kind = ShapeKind::kBoolean;
    Shape yes;
    yes.name = "yes";
    yes.title = "a yes";
    yes.kind = ShapeKind::kTrue;
    Shape anything;
    anything.name = "anything";
    anything.title = "a value";
    anything.kind = ShapeKind::kAnything;
    Shape spread;
    spread.name = "spread";
    spread.title = "a time or a range of times";
    spread.kind = ShapeKind::kAlternatives;
    spread.alternatives = {"duration", "range"};
    spread.doc = "One time, or the lowest and the highest.";
    Shape range = list_shape("range", "a range of times", "duration", 2);
    range.items_max = 2;
    return {
        text_shape("string", "a text", TextRule::kAny, ""),
        list_shape("lines", "a list of lines", "string", 0),
        list_shape("strings", "a list of texts", "string", 0),
        text_shape("name", "a name", TextRule::kName, "Small letters, digits and hyphens."),
        text_shape("duration",
                   "a time",
                   TextRule::kDuration,
                   "A number and a unit: 250us, 40ms, 2s, 5min, 1h."),
        text_shape("shift", "a shift of time", TextRule::kShift, "A time with a sign: -250ms."),
        text_shape("bandwidth", "a bandwidth", TextRule::kBandwidth, "For example 100MB/s."),
        text_shape("partition-name",
                   "a partition",
                   TextRule::kPartition,
                   "topic-partition, for example t-0."),
        text_shape("replica-name",
                   "a replica",
                   TextRule::kReplica,
                   "topic-partition@node, for example t-0@b2."),
        text_shape("target",
                   "a node or role",
                   TextRule::kAny,
                   "A node name (b1, c2, p1) or a role: leader(t-0), follower(t-0,1), "
                   "controller(), coordinator(g)."),
        list_shape("targets", "a list of nodes", "target", 1),
        integer_shape("whole", "a whole number", INT64_MIN),
        integer_shape("not-negative", "a whole number", 0),
        integer_shape("positive", "a whole number", 1),
        list_shape("integers", "a list of broker ids", "whole", 0),
        text,
        version,
        boolean,
        yes,
        anything,
        spread,
        range,
    };
}

Shape expectation_shape() {
    Shape out;
    out.name = "expectation";
    out.title = "an expectation";
    out.kind = ShapeKind::kForms;
    out.comments = true;
    const std::vector<Field> shared = {
        {"at", "moment", "When it is judged.", false, "\"end\""},
        {"by", "duration", "It must have become true by this time."},
        {"why", "text", "Why this is to be expected."},
        {"note", "text", "For the reader of the file."},
    };
    Form that{"an expectation with \"that\"",
              {{"that", "string", "A condition, for example: lost_acked(p1) == 3", true}}};
    Form violates{
        "an expectation with \"violates\"",
        {{"violates", "string", "An invariant or oracle that must break, for example: ACK", true}}};
    that.fields.insert(that.fields.end(), shared.begin(), shared.end());
    violates.fields.insert(violates.fields.end(), shared.begin(), shared.end());
    out.forms = {that, violates};
    return out;
}

std::vector<Shape> expectation_shapes() {
    Shape moment;
    moment.name = "moment";
    moment.title = "a moment";
    moment.kind = ShapeKind::kAlternatives;
    moment.alternatives = {"moment-word", "when"};
    Shape word;
    word.name = "moment-word";
    word.title = "a moment";
    word.kind = ShapeKind::kChoice;
    word.words = {"end", "always", "never"};
    return {list_shape("expectations", "a list of expectations", "expectation", 0),
            expectation_shape(),
            moment,
            word};
}

std::vector<Shape> question_shapes() {
    Shape question;
    question.name = "question";
    question.title = "a question";
    question.kind = ShapeKind::kObject;
    question.comments = true;
    question.fields = {
        {"id", "name", "Its name within the file.", true},
        {"ask", "text", "The question.", true},
        {"pause_before", "name", "The step before which a player stops and asks."},
        {"set", "set", "The answer is taken from a run of the file changed so."},
        {"answer", "answer", "Where the right answer comes from.", true},
        {"hint", "text", "Help that gives nothing away."},
        {"explain", "text", "What to understand, shown after the answer."},
        {"note", "text", "For the reader of the file."},
    };
    Shape answer;
    answer.name = "answer";
    answer.title = "an answer";
    answer.kind = ShapeKind::kForms;
    answer.forms = {
        {"an answer with \"from_run\"",
         {{"from_run", "string", "A value, for example: 10 - lost_acked(p1)", true}}},
        {"an answer with \"choice\"",
         {{"choice", "not-negative", "Which of them is right, counted from 0.", true},
          {"of", "strings", "What there is to choose from.", true}}},
    };
    return {list_shape("questions", "a list of questions", "question", 0), question, answer};
}

std::vector<Shape> variant_shapes() {
    Shape variants;
    variants.name = "variants";
    variants.title = "the variants";
    variants.kind = ShapeKind::kMap;
    variants.rule = TextRule::kName;
    variants.element = "variant";
    Shape variant;
    variant.name = "variant";
    variant.title = "a variant";
    variant.kind = ShapeKind::kObject;
    variant.comments = true;
    variant.fields = {
        {"title", "string", "The heading of this run."},
        {"note", "text", "What is different and why."},
        {"set", "set", "What is changed in the file.", true},
        {"expect", "expectations", "Replaces the expectations of the file."},
    };
    Shape set;
    set.name = "set";
    set.title = "a set of changes";
    set.kind = ShapeKind::kMap;
    set.rule = TextRule::kPointer;
    set.element = "anything";
    set.doc = "JSON pointers and new values; a list element goes by id, name or index.";
    Shape override_shape;
    override_shape.name = "override";
    override_shape.title = "an override";
    override_shape.kind = ShapeKind::kObject;
    override_shape.fields = {
        {"site", "string", "Which kind of choice.", true},
        {"node", "string", "On which node or link."},
        {"n", "not-negative", "Its occurrence there, counted from 0.", true},
        {"pick", "not-negative", "The outcome.", true},
    };
    return {variants,
            variant,
            set,
            list_shape("overrides", "a list of overrides", "override", 0),
            override_shape};
}

}  // namespace

std::vector<Shape> file_shapes() {
    std::vector<Shape> out = {scenario_shape()};
    for (const std::vector<Shape>& part :
         {simple_shapes(), expectation_shapes(), question_shapes(), variant_shapes()}) {
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

}  // namespace klab::scenario::format
