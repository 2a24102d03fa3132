// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/format_check.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/ranges.h>

#include "scenarios/run/did_you_mean.h"
#include "scenarios/run/shape_kinds.h"

namespace klab::scenario {
namespace {

/// The opening bracket of an object or list, or the whole of a scalar.
Span head_of(const Json& json) {
    Span where = json.where;
    if (!is_scalar(json)) {
        where.end = where.begin + 1;
    }
    return where;
}

bool is_comment(std::string_view key) { return key.substr(0, 2) == "//"; }

std::string quoted_list(const std::vector<std::string>& words) {
    return fmt::format("\"{}\"", fmt::join(words, "\", \""));
}

Finding error(std::string code, std::string message, Span where, std::string label) {
    Finding out;
    out.code = std::move(code);
    out.message = std::move(message);
    out.where = where;
    out.label = std::move(label);
    return out;
}

/// "\"every\"" or, for an element of a list, "an element".
std::string subject_of(std::string_view field) {
    return field.empty() ? std::string("the file") : fmt::format("\"{}\"", field);
}

class Walker {
  public:
    explicit Walker(Findings& findings) : findings_(findings) {}

    /// `field` is the key under which the value stands; a list passes its own key on.
    void check(const Json& value, const Shape& expected, std::string_view field);

  private:
    void wrong_kind(const Json& value, const Shape& expected, std::string_view field);
    void check_text(const Json& value, const Shape& expected, std::string_view field);
    void check_integer(const Json& value, const Shape& expected, std::string_view field);
    void check_number(const Json& value, const Shape& expected, std::string_view field);
    void check_choice(const Json& value, const Shape& expected, std::string_view field);
    void check_list(const Json& value, const Shape& expected, std::string_view field);
    void check_map(const Json& value, const Shape& expected, std::string_view field);
    void check_object(const Json& value, const Shape& expected, std::string_view field);
    void check_forms(const Json& value, const Shape& expected, std::string_view field);
    void check_alternatives(const Json& value, const Shape& expected, std::string_view field);
    void check_version(const Json& value, std::string_view field);

    void no_form(const Json& value, const Shape& expected);
    void check_fields_min(const Json& value, const Shape& expected, const Form& form);
    void check_fields(const Json& value,
                      const Shape& owner,
                      const std::vector<Field>& fields,
                      const std::string& title,
                      const std::string& help);
    void unknown_field(const JsonMember& member,
                       const Shape& owner,
                       const std::vector<Field>& fields,
                       const std::string& title,
                       const std::string& help);

    Findings& findings_;
};

void Walker::check(const Json& value, const Shape& expected, std::string_view field) {
    if (findings_.full()) {
        return;
    }
    if (!accepts_kind(expected, value.kind)) {
        wrong_kind(value, expected, field);
        return;
    }
    switch (expected.kind) {
        case ShapeKind::kAnything:
        case ShapeKind::kNull:
        case ShapeKind::kScalar:
        case ShapeKind::kBoolean:
            return;
        case ShapeKind::kText:
            return check_text(value, expected, field);
        case ShapeKind::kInteger:
            return check_integer(value, expected, field);
        case ShapeKind::kNumber:
            return check_number(value, expected, field);
        case ShapeKind::kTrue:
            if (!value.boolean) {
                findings_.add(error("S018",
                                    fmt::format("{} can only be true", subject_of(field)),
                                    value.where,
                                    "leave it out instead"));
            }
            return;
        case ShapeKind::kVersion:
            return check_version(value, field);
        case ShapeKind::kChoice:
            return check_choice(value, expected, field);
        case ShapeKind::kList:
            return check_list(value, expected, field);
        case ShapeKind::kMap:
            return check_map(value, expected, field);
        case ShapeKind::kObject:
            return check_object(value, expected, field);
        case ShapeKind::kForms:
            return check_forms(value, expected, field);
        case ShapeKind::kAlternatives:
            return check_alternatives(value, expected, field);
    }
}

void Walker::wrong_kind(const Json& value, const Shape& expected, std::string_view field) {
    const bool number = value.is(JsonKind::kInteger) || value.is(JsonKind::kNumber);
    if (number && wants_time(expected)) {
        findings_.add(time_finding(value, field, expected.rule == TextRule::kShift));
        return;
    }
    Finding finding =
        error("S013",
              fmt::format(
                  "{} must be {}, not {}", subject_of(field), expected.title, name_of(value.kind)),
              head_of(value),
              fmt::format("expected {}", expected.title));
    if (!expected.doc.empty()) {
        finding.help.push_back(expected.doc);
    }
    const bool digits = value.is(JsonKind::kText) && !value.text.empty() &&
                        std::all_of(value.text.begin(), value.text.end(), [](char c) {
                            return c >= '0' && c <= '9';
                        });
    if (digits && accepts_kind(expected, JsonKind::kInteger)) {
        finding.label = fmt::format("did you mean {}?", value.text);
        finding.suggestions.push_back({quote_json(value.text), value.text});
    }
    findings_.add(std::move(finding));
}

void Walker::check_text(const Json& value, const Shape& expected, std::string_view field) {
    if (is_readable(expected.rule, value.text)) {
        return;
    }
    if (expected.rule == TextRule::kDuration || expected.rule == TextRule::kShift) {
        findings_.add(time_finding(value, field, expected.rule == TextRule::kShift));
        return;
    }
    Finding finding = error("S019",
                            fmt::format("{} is not {}", quote_json(value.text), expected.title),
                            value.where,
                            fmt::format("{} must be {}", subject_of(field), expected.title));
    if (!expected.doc.empty()) {
        finding.help.push_back(expected.doc);
    }
    findings_.add(std::move(finding));
}

void Walker::check_integer(const Json& value, const Shape& expected, std::string_view field) {
    if (expected.minimum && value.integer < *expected.minimum) {
        findings_.add(error("S017",
                            fmt::format("{} is too small", subject_of(field)),
                            value.where,
                            fmt::format("at least {}", *expected.minimum)));
    }
    if (expected.maximum && value.integer > *expected.maximum) {
        findings_.add(error("S017",
                            fmt::format("{} is too large", subject_of(field)),
                            value.where,
                            fmt::format("at most {}", *expected.maximum)));
    }
}

void Walker::check_number(const Json& value, const Shape& expected, std::string_view field) {
    double number = 0;
    std::from_chars(value.text.data(), value.text.data() + value.text.size(), number);
    const bool low = expected.minimum && number < static_cast<double>(*expected.minimum);
    const bool high = expected.maximum && number > static_cast<double>(*expected.maximum);
    if (low || high) {
        findings_.add(error("S017",
                            fmt::format("{} is out of range", subject_of(field)),
                            value.where,
                            fmt::format("from {} to {}", *expected.minimum, *expected.maximum)));
    }
}

void Walker::check_choice(const Json& value, const Shape& expected, std::string_view field) {
    const std::vector<std::string>& words = expected.words;
    if (std::find(words.begin(), words.end(), value.text) != words.end()) {
        return;
    }
    Finding finding =
        error("S018",
              fmt::format("{} is no word for {}", quote_json(value.text), subject_of(field)),
              value.where,
              fmt::format("one of: {}", fmt::join(words, ", ")));
    if (const auto near = nearest_word(value.text, words)) {
        finding.label = fmt::format("did you mean \"{}\"?", *near);
        finding.help.push_back(fmt::format("one of: {}", fmt::join(words, ", ")));
        finding.suggestions.push_back({value.text, *near});
    }
    findings_.add(std::move(finding));
}

void Walker::check_version(const Json& value, std::string_view field) {
    if (value.integer == 1) {
        return;
    }
    findings_.add(
        error("S011",
              fmt::format(
                  "{} says format {}, this klab reads format 1", subject_of(field), value.integer),
              value.where,
              value.integer > 1 ? "written for a newer klab" : "must be 1"));
}

void Walker::check_list(const Json& value, const Shape& expected, std::string_view field) {
    const std::size_t size = value.elements.size();
    const bool few = size < expected.items_min;
    const bool many = expected.items_max && size > *expected.items_max;
    if (few || many) {
        const std::uint32_t bound = few ? expected.items_min : *expected.items_max;
        findings_.add(
            error("S017",
                  fmt::format("{} has {} element{}", subject_of(field), size, size == 1 ? "" : "s"),
                  head_of(value),
                  fmt::format("at {} {}", few ? "least" : "most", bound)));
    }
    const Shape& element = shape(expected.element);
    for (const Json& item : value.elements) {
        check(item, element, field);
    }
}

void Walker::check_map(const Json& value, const Shape& expected, std::string_view /*field*/) {
    const Shape& element = shape(expected.element);
    for (const JsonMember& member : value.members) {
        const std::vector<std::string>& words = expected.words;
        const bool known =
            words.empty() || std::find(words.begin(), words.end(), member.key) != words.end();
        if (!known) {
            unknown_field(member,
                          expected,
                          {},
                          expected.title,
                          fmt::format("{} takes: {}", expected.title, fmt::join(words, ", ")));
            continue;
        }
        if (!matches(expected.rule, member.key)) {
            const bool pointer = expected.rule == TextRule::kPointer;
            findings_.add(error(
                "S019",
                fmt::format(
                    "{} is not a {}", quote_json(member.key), pointer ? "JSON pointer" : "name"),
                member.key_where,
                pointer ? "for example /clients/p1/config/acks"
                        : "small letters, digits and hyphens"));
        }
        check(member.value, element, member.key);
    }
}

void Walker::unknown_field(const JsonMember& member,
                           const Shape& owner,
                           const std::vector<Field>& fields,
                           const std::string& title,
                           const std::string& help) {
    if (findings_.full()) {
        return;
    }
    std::vector<std::string> names = owner.words;
    for (const Field& field : fields) {
        names.push_back(field.name);
    }
    Finding finding = error("S014",
                            fmt::format("unknown field \"{}\" in {}", member.key, owner.title),
                            member.key_where,
                            "no such field");
    const std::vector<std::string> others = field_names(owner);
    if (std::find(others.begin(), others.end(), member.key) != others.end()) {
        finding.message = fmt::format("\"{}\" has no place in {}", member.key, title);
        finding.label = "belongs to another form";
    } else if (const auto near = nearest_word(member.key, names)) {
        finding.label = fmt::format("did you mean \"{}\"?", *near);
        finding.suggestions.push_back({member.key, *near});
    } else if (is_comment(member.key)) {
        finding.label = "no comments here";
    }
    finding.help.push_back(help);
    findings_.add(std::move(finding));
}

void Walker::check_fields(const Json& value,
                          const Shape& owner,
                          const std::vector<Field>& fields,
                          const std::string& title,
                          const std::string& help) {
    for (const JsonMember& member : value.members) {
        const auto field = std::find_if(
            fields.begin(), fields.end(), [&](const Field& f) { return f.name == member.key; });
        if (field != fields.end()) {
            check(member.value, shape(field->shape), member.key);
        } else if (!owner.comments || !is_comment(member.key)) {
            unknown_field(member, owner, fields, title, help);
        }
    }
    for (const Field& field : fields) {
        if (field.required && value.find(field.name) == nullptr) {
            Finding finding = error("S012",
                                    fmt::format("{} needs \"{}\"", title, field.name),
                                    head_of(value),
                                    fmt::format("\"{}\" is missing", field.name));
            finding.help.push_back(fmt::format("\"{}\": {}", field.name, field.doc));
            findings_.add(std::move(finding));
        }
    }
}

void Walker::check_object(const Json& value, const Shape& expected, std::string_view /*field*/) {
    const std::string help =
        expected.one_key ? std::string("an action has one key, its verb") : help_line(expected);
    check_fields(value, expected, expected.fields, expected.title, help);
    const auto present = [&](const std::string& name) { return value.find(name) != nullptr; };
    const std::vector<std::string>& one_of = expected.one_of;
    if (!one_of.empty() && std::none_of(one_of.begin(), one_of.end(), present)) {
        findings_.add(error("S012",
                            fmt::format("{} needs {}", expected.title, fmt::join(one_of, " or ")),
                            head_of(value),
                            fmt::format("one of {}", quoted_list(one_of))));
    }
    const std::vector<std::string>& not_both = expected.not_both;
    if (std::count_if(not_both.begin(), not_both.end(), present) > 1) {
        findings_.add(error(
            "S015",
            fmt::format("{} takes one of {}, not several", expected.title, quoted_list(not_both)),
            head_of(value),
            "choose one"));
    }
    if (expected.one_key && value.members.size() != 1) {
        findings_.add(error(
            "S015",
            fmt::format("{} has one key, this one has {}", expected.title, value.members.size()),
            head_of(value),
            "several actions stand in a list: [ {...}, {...} ]"));
    }
}

void Walker::no_form(const Json& value, const Shape& expected) {
    for (const JsonMember& member : value.members) {
        for (const Form& form : expected.forms) {
            for (const Field& field : form.fields) {
                if (field.name == member.key && field.name != "note" && field.name != "config") {
                    findings_.add(
                        error("S012",
                              fmt::format("{} with \"{}\" needs \"{}\"",
                                          expected.title,
                                          member.key,
                                          form.fields.front().name),
                              member.key_where,
                              fmt::format("\"{}\" is missing", form.fields.front().name)));
                    return;
                }
            }
        }
    }
    std::vector<Field> marks;
    for (const Form& form : expected.forms) {
        marks.push_back(form.fields.front());
    }
    for (const JsonMember& member : value.members) {
        if (!is_comment(member.key)) {
            unknown_field(member, expected, marks, expected.title, help_line(expected));
            return;
        }
    }
    findings_.add(error("S012",
                        help_line(expected),
                        head_of(value),
                        fmt::format("nothing that makes this {}", expected.title)));
}

void Walker::check_forms(const Json& value, const Shape& expected, std::string_view /*field*/) {
    std::vector<const Form*> found;
    for (const Form& form : expected.forms) {
        if (value.find(form.fields.front().name) != nullptr) {
            found.push_back(&form);
        }
    }
    if (found.empty()) {
        no_form(value, expected);
        return;
    }
    if (found.size() > 1) {
        std::vector<std::string> marks;
        for (const Form* form : found) {
            marks.push_back(form->fields.front().name);
        }
        Finding finding =
            error("S015",
                  fmt::format("{} cannot have {} together", expected.title, quoted_list(marks)),
                  head_of(value),
                  "choose one");
        if (expected.name == "when") {
            finding.help.push_back("to wait for both: { \"all\": [ {...}, {...} ] }");
        }
        findings_.add(std::move(finding));
        return;
    }
    const Form& form = *found.front();
    check_fields(value, expected, form.fields, form.title, help_line(form));
    check_fields_min(value, expected, form);
}

/// Says so when the mark stands alone; a misspelt field was reported and is enough.
void Walker::check_fields_min(const Json& value, const Shape& expected, const Form& form) {
    std::size_t known = 0;
    for (const JsonMember& member : value.members) {
        const bool field = std::any_of(form.fields.begin(), form.fields.end(), [&](const Field& f) {
            return f.name == member.key;
        });
        if (!field && !(expected.comments && is_comment(member.key))) {
            return;
        }
        known += field ? 1U : 0U;
    }
    const bool required_there =
        std::all_of(form.fields.begin(), form.fields.end(), [&](const Field& f) {
            return !f.required || value.find(f.name) != nullptr;
        });
    if (required_there && known < form.fields_min) {
        findings_.add(error("S012",
                            fmt::format("{} says nothing about it", form.title),
                            head_of(value),
                            help_line(form)));
    }
}

void Walker::check_alternatives(const Json& value, const Shape& expected, std::string_view field) {
    for (const std::string& name : expected.alternatives) {
        const Shape& alternative = shape(name);
        if (accepts_kind(alternative, value.kind)) {
            check(value, alternative, field);
            return;
        }
    }
}

}  // namespace

void check_shape(const Json& value, const Shape& expected, Findings& findings) {
    Walker(findings).check(value, expected, "");
}

void check_format(const Json& file, Findings& findings) {
    check_shape(file, format_shapes().front(), findings);
}

}  // namespace klab::scenario
