// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/format_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/assert.h"

namespace klab::scenario {

namespace {

std::vector<Shape> all_shapes() {
    std::vector<Shape> all = format::file_shapes();
    for (std::vector<Shape> part :
         {format::cluster_shapes(), format::trigger_shapes(), format::action_shapes()}) {
        std::move(part.begin(), part.end(), std::back_inserter(all));
    }
    return all;
}

void add_names(const std::vector<Field>& fields, std::vector<std::string>& names) {
    for (const Field& field : fields) {
        if (std::find(names.begin(), names.end(), field.name) == names.end()) {
            names.push_back(field.name);
        }
    }
}

}  // namespace

const std::vector<Shape>& format_shapes() {
    static const std::vector<Shape> shapes = all_shapes();
    return shapes;
}

const Shape& shape(std::string_view name) {
    for (const Shape& candidate : format_shapes()) {
        if (candidate.name == name) {
            return candidate;
        }
    }
    KLAB_ASSERT(false, "no shape named {}", name);
    return format_shapes().front();
}

std::vector<std::string> field_names(const Shape& shape) {
    std::vector<std::string> names;
    add_names(shape.fields, names);
    for (const Form& form : shape.forms) {
        add_names(form.fields, names);
    }
    return names;
}

std::string help_line(const Form& form) {
    std::vector<std::string> names;
    add_names(form.fields, names);
    names.erase(names.begin());
    if (names.empty()) {
        return fmt::format("{} takes nothing else", form.title);
    }
    return fmt::format("{} takes: {}", form.title, fmt::join(names, ", "));
}

std::string help_line(const Shape& shape) {
    if (shape.kind == ShapeKind::kForms) {
        std::vector<std::string> marks;
        for (const Form& form : shape.forms) {
            marks.push_back(form.fields.front().name);
        }
        return fmt::format("{} begins with one of: {}", shape.title, fmt::join(marks, ", "));
    }
    return fmt::format("{} takes: {}", shape.title, fmt::join(field_names(shape), ", "));
}

}  // namespace klab::scenario
