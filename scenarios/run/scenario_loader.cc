// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/scenario_loader.h"

#include <utility>

#include <fmt/format.h>

#include "scenarios/run/format_check.h"
#include "scenarios/run/json_edit.h"
#include "scenarios/run/json_reader.h"
#include "scenarios/run/json_values.h"
#include "scenarios/run/name_table.h"
#include "scenarios/run/scenario_builder.h"
#include "scenarios/run/semantic_checks.h"

namespace klab::scenario {

namespace {

/// Values of all variants and questions together that are still tried; bounds the work on a
/// hostile file.
constexpr std::size_t kTriedValuesMax = 10'000'000;

std::size_t count_values(const Json& json) {
    std::size_t count = 1;
    for (const Json& element : json.elements) {
        count += count_values(element);
    }
    for (const JsonMember& member : json.members) {
        count += count_values(member.value);
    }
    return count;
}

class Loader {
  public:
    Loader(std::string name, const LoadOptions& options, const Vocabulary& words)
        : name_(std::move(name)), options_(options), words_(words) {}

    LoadedScenario load(std::string text);

  private:
    bool apply_options(Json& file);
    bool apply_variant(Json& file);
    bool apply_question(Json& file);
    bool apply_choices(Json& file);
    void put_member(Json& file, std::string_view key, Json value);
    std::optional<Scenario> build(const Json& file, Findings& findings);
    void try_changes(const Json& file);
    void try_change(const Json& file, const Json* set, const Json* expect);

    std::string name_;
    const LoadOptions& options_;
    const Vocabulary& words_;
    Findings findings_;
    LoadedScenario out_;
    std::optional<Diagnostic> without_place_;
};

void Loader::put_member(Json& file, std::string_view key, Json value) {
    if (Json* found = file.find(key)) {
        *found = std::move(value);
        return;
    }
    file.members.push_back({std::string(key), value.where, value});
}

bool Loader::apply_variant(Json& file) {
    const Json* variants = file.find("variants");
    const Json* variant = variants == nullptr ? nullptr : variants->find(*options_.variant);
    if (variant == nullptr) {
        std::vector<std::string> known;
        if (variants != nullptr) {
            for (const JsonMember& member : variants->members) {
                known.push_back(member.key);
            }
        }
        Finding finding =
            unknown_word("S040", "variant", *options_.variant, head_span(file), known);
        if (known.empty()) {
            finding.label = "the file has no variants";
        }
        findings_.add(std::move(finding));
        return false;
    }
    out_.variant = *options_.variant;
    out_.variant_title = read_lines(variant->find("title"));
    const std::vector<Edit> edits = edits_of(variant->find("set"));
    std::optional<Json> expect;
    if (const Json* given = variant->find("expect")) {
        expect = *given;
    }
    const bool applied = apply_edits(file, edits, findings_);
    if (expect) {
        put_member(file, "expect", std::move(*expect));
    }
    return applied;
}

bool Loader::apply_question(Json& file) {
    const Json* questions = file.find("questions");
    std::vector<std::string> known;
    std::optional<std::vector<Edit>> edits;
    if (questions != nullptr) {
        for (const Json& question : questions->elements) {
            const auto id = read_text(question.find("id"));
            if (id) {
                known.push_back(id->value);
            }
            if (id && id->value == *options_.question) {
                edits = edits_of(question.find("set"));
            }
        }
    }
    if (!edits) {
        findings_.add(unknown_word("S040", "question", *options_.question, head_span(file), known));
        return false;
    }
    const bool applied = apply_edits(file, *edits, findings_);
    Json none;
    none.kind = JsonKind::kList;
    none.where = file.where;
    put_member(file, "expect", std::move(none));
    return applied;
}

bool Loader::apply_choices(Json& file) {
    Result<std::string, Diagnostic> text = read_text_file(*options_.choices_path);
    if (!text) {
        without_place_ = text.error();
        return false;
    }
    const auto number = static_cast<std::uint32_t>(out_.sources.size());
    out_.sources.emplace_back(*options_.choices_path, std::move(*text));
    std::optional<Json> json = read_json(out_.sources.back(), number, findings_);
    if (!json) {
        return false;
    }
    const Json* list = json->is(JsonKind::kObject) ? json->find("overrides") : &*json;
    if (list == nullptr || !list->is(JsonKind::kList)) {
        findings_.add(make_finding("S041",
                                   "a file of choices is a list of overrides",
                                   head_span(*json),
                                   "[ { \"site\": ..., \"n\": ..., \"pick\": ... } ]"));
        return false;
    }
    Json all = *list;
    if (const Json* own = file.find("overrides")) {
        all.elements.insert(all.elements.begin(), own->elements.begin(), own->elements.end());
    }
    put_member(file, "overrides", std::move(all));
    return true;
}

bool Loader::apply_options(Json& file) {
    bool applied = true;
    if (options_.variant) {
        applied = apply_variant(file) && applied;
    }
    if (options_.question) {
        applied = apply_question(file) && applied;
    }
    std::vector<Edit> edits;
    for (const std::string& argument : options_.sets) {
        if (std::optional<Edit> edit = parse_edit_argument(argument, out_.sources, findings_)) {
            edits.push_back(std::move(*edit));
        } else {
            applied = false;
        }
    }
    applied = apply_edits(file, edits, findings_) && applied;
    if (options_.choices_path) {
        applied = apply_choices(file) && applied;
    }
    if (options_.seed) {
        Json seed;
        seed.kind = JsonKind::kInteger;
        seed.text = fmt::format("{}", *options_.seed);
        seed.integer = static_cast<std::int64_t>(*options_.seed & INT64_MAX);
        seed.where = head_span(file);
        put_member(file, "seed", std::move(seed));
    }
    return applied;
}

std::optional<Scenario> Loader::build(const Json& file, Findings& findings) {
    check_format(file, findings);
    if (!file.is(JsonKind::kObject) || findings.full()) {
        return std::nullopt;
    }
    Findings meaning;
    Scenario scenario = build_scenario(file, {out_.sources, meaning});
    check_scenario(scenario, words_, meaning);
    for (const Finding& finding : meaning.all()) {
        if (!findings.touches(finding.where)) {
            findings.add(finding);
        }
    }
    if (options_.seed) {
        scenario.seed = *options_.seed;
    }
    return scenario;
}

void Loader::try_change(const Json& file, const Json* set, const Json* expect) {
    Json changed = file;
    if (!apply_edits(changed, edits_of(set), findings_)) {
        return;
    }
    if (expect != nullptr) {
        put_member(changed, "expect", *expect);
    } else if (Json* own = changed.find("expect")) {
        own->elements.clear();
    }
    Findings tried;
    (void)build(changed, tried);
    for (const Finding& finding : tried.all()) {
        if (finding.severity == Severity::kError) {
            findings_.add(finding);
        }
    }
}

/// Every variant and every question with a `set`, as if it were run: their errors are the file's.
void Loader::try_changes(const Json& file) {
    if (findings_.has_errors()) {
        return;  // what is wrong in the file itself would only be repeated
    }
    const std::size_t size = count_values(file);
    std::size_t budget = kTriedValuesMax;
    const auto affordable = [&] {
        const bool yes = budget >= size;
        budget -= yes ? size : 0;
        return yes && !findings_.full();
    };
    if (const Json* variants = file.find("variants")) {
        for (const JsonMember& member : variants->members) {
            if (affordable()) {
                const Json* expect = member.value.find("expect");
                try_change(file,
                           member.value.find("set"),
                           expect != nullptr ? expect : file.find("expect"));
            }
        }
    }
    if (const Json* questions = file.find("questions")) {
        for (const Json& question : questions->elements) {
            if (question.find("set") != nullptr && affordable()) {
                try_change(file, question.find("set"), nullptr);
            }
        }
    }
}

LoadedScenario Loader::load(std::string text) {
    out_.sources.emplace_back(name_, std::move(text));
    std::optional<Json> file = read_json(out_.sources.front(), 0, findings_);
    if (file) {
        out_.json = std::move(*file);
        const bool plain = !options_.variant && !options_.question;
        const bool applied = !out_.json.is(JsonKind::kObject) || apply_options(out_.json);
        std::optional<Scenario> scenario = build(out_.json, findings_);
        if (plain && applied && scenario) {
            try_changes(out_.json);
        }
        if (applied && scenario && !findings_.has_errors()) {
            out_.scenario = std::move(scenario);
        }
    }
    out_.diagnostics = finish(findings_, out_.sources);
    if (without_place_) {
        out_.diagnostics.shown.insert(out_.diagnostics.shown.begin(), *without_place_);
        ++out_.diagnostics.errors;
        out_.scenario.reset();
    }
    return std::move(out_);
}

}  // namespace

LoadedScenario load_scenario(const std::string& path,
                             const LoadOptions& options,
                             const Vocabulary& words) {
    Result<std::string, Diagnostic> text = read_text_file(path);
    if (!text) {
        LoadedScenario out;
        out.diagnostics.shown.push_back(text.error());
        out.diagnostics.errors = 1;
        return out;
    }
    return load_scenario_text(path, std::move(*text), options, words);
}

LoadedScenario load_scenario_text(const std::string& name,
                                  std::string text,
                                  const LoadOptions& options,
                                  const Vocabulary& words) {
    return Loader(name, options, words).load(std::move(text));
}

}  // namespace klab::scenario
