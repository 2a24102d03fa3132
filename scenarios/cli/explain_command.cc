// SPDX-License-Identifier: Apache-2.0
//
// klab explain: what a word means, from the tables that the program itself works with: diagnostic
// codes, invariants, events, functions of expectations, Kafka's errors, settings, versions,
// features and mutants, and the glossary.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "model/check/check_table.h"
#include "model/types/explain.h"
#include "scenarios/cli/commands.h"
#include "scenarios/cli/engine_tables.h"
#include "scenarios/cli/glossary.h"
#include "scenarios/run/diagnostic_codes.h"
#include "scenarios/run/did_you_mean.h"
#include "scenarios/run/function_table.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

constexpr std::int32_t kWidth = 94;

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

std::string paragraph(std::string_view text) {
    std::string out;
    if (text.empty()) {
        return out;
    }
    for (const std::string& line : viz::wrap_words(text, kWidth)) {
        out += "  " + line + "\n";
    }
    return out;
}

std::string example(std::string_view heading, std::string_view text) {
    return text.empty() ? std::string() : fmt::format("  {}\n      {}\n", heading, text);
}

std::string about_code(std::string_view word) {
    const scenario::DiagnosticCode* code = scenario::find_diagnostic_code(word);
    if (code == nullptr) {
        return {};
    }
    return fmt::format("{}: {}\n", code->code, code->title) + paragraph(code->explanation) +
           example("wrong:", code->wrong) + example("right:", code->right);
}

std::string about_check(std::string_view word) {
    for (const check::CheckInfo& row : check::all_checks()) {
        if (lower(row.id) != lower(word)) {
            continue;
        }
        return fmt::format("{}: {} (what klab checks)\n", row.id, row.name) +
               paragraph(row.statement) + paragraph(fmt::format("May break: {}", row.may_break)) +
               paragraph(fmt::format("Source: {}", row.source));
    }
    return {};
}

std::string about_event(std::string_view word) {
    for (const sim::EventDef& row : joined_events().rows) {
        if (*row.name == '\0' || row.name != lower(word)) {
            continue;
        }
        std::string out = fmt::format("{}: event of the trace\n", row.name);
        out += paragraph(row.meaning);
        out += paragraph(fmt::format("Told as: {}", row.narration));
        for (const sim::FieldDef& field : row.fields) {
            out += fmt::format("    {:<18} {}\n", field.name, field.meaning);
        }
        out += paragraph(fmt::format("As a trigger: \"when\": {{ \"event\": \"{}\" }}", row.name));
        return out;
    }
    return {};
}

std::string about_function(std::string_view word) {
    const scenario::Function* function = scenario::find_function(word.substr(0, word.find('(')));
    if (function == nullptr) {
        return {};
    }
    std::string out = fmt::format("{}: gives {}, in expectations and questions\n",
                                  scenario::signature(*function),
                                  scenario::name_of(function->result));
    out += paragraph(function->doc);
    out += paragraph("For example: " + function->example);
    if (!function->supported) {
        out += paragraph("This version of klab knows the word but does not compute it.");
    }
    return out;
}

std::string about_term(std::string_view word) {
    for (const Term& term : glossary()) {
        for (const std::string_view name : names_of(term)) {
            if (lower(name) == lower(word)) {
                return fmt::format("{}: term\n", term.name) + paragraph(term.meaning);
            }
        }
    }
    return {};
}

/// Everything that the tables say about the word; empty when none has it.
std::string explanation(const std::string& word) {
    std::string out;
    std::optional<std::string> from_model = types::explain(word);
    if (!from_model) {
        std::string upper = word;
        std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
            return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        });
        from_model = types::explain(upper);  // not_enough_replicas
    }
    for (const std::string& part : {about_code(word),
                                    about_check(word),
                                    about_event(word),
                                    from_model.value_or(""),
                                    about_function(word),
                                    about_term(word)}) {
        if (!part.empty()) {
            out += (out.empty() ? "" : "\n") + part;
        }
    }
    return out;
}

std::vector<std::string> known_words() {
    std::vector<std::string> words = types::explainable_words();
    for (const scenario::DiagnosticCode& code : scenario::diagnostic_codes()) {
        words.emplace_back(code.code);
    }
    for (const check::CheckInfo& row : check::all_checks()) {
        words.emplace_back(row.id);
    }
    for (const sim::EventDef& row : joined_events().rows) {
        if (*row.name != '\0') {
            words.emplace_back(row.name);
        }
    }
    for (std::string& name : scenario::function_names()) {
        words.push_back(std::move(name));
    }
    for (const Term& term : glossary()) {
        for (const std::string_view name : names_of(term)) {
            words.emplace_back(name);
        }
    }
    return words;
}

void say_unknown(const std::string& word, Terminal& terminal) {
    const std::optional<std::string> nearest = scenario::nearest_word(word, known_words());
    terminal.message(fmt::format("klab: nothing known about \"{}\"{}\n",
                                 viz::to_printable(word),
                                 nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""));
    if (!nearest) {
        terminal.message(
            "  Words it knows: error codes (NOT_ENOUGH_REPLICAS), settings (acks), events\n"
            "  (isr.shrunk), invariants (P1), diagnostics (S014), functions (lost_acked), "
            "versions\n"
            "  (4.1, 3.6..4.1), features (log.truncation), mutants, terms (high watermark)\n");
    }
}

}  // namespace

ExitCode explain_command(const ExplainArguments& arguments, Terminal& terminal) {
    const std::string word = fmt::format("{}", fmt::join(arguments.words, " "));
    const std::string text = explanation(word);
    if (arguments.json) {
        terminal.data(fmt::format("{{\"klab_explain\":1,\"word\":{},\"known\":{},\"text\":{}}}\n",
                                  scenario::quote_json(word),
                                  !text.empty(),
                                  scenario::quote_json(text)));
    } else if (text.empty()) {
        say_unknown(word, terminal);
    } else {
        terminal.answer(text);
    }
    return text.empty() ? ExitCode::kWrongUse : ExitCode::kOk;
}

}  // namespace klab::cli
