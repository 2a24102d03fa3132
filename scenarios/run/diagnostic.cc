// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/diagnostic.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scenarios/run/json_tree.h"

namespace klab::scenario {

namespace {

constexpr std::size_t kHelpMax = 3;
constexpr std::size_t kLineShownMax = 160;  // characters of a source line in a rendering

std::string more_line(const std::string& code) {
    return fmt::format("more: klab explain {}", code);
}

/// At most three lines, the last of them the pointer to the explanation.
std::vector<std::string> complete_help(std::vector<std::string> help, const std::string& code) {
    if (help.size() > kHelpMax - 1) {
        help.resize(kHelpMax - 1);
    }
    help.push_back(more_line(code));
    return help;
}

Diagnostic to_diagnostic(const Finding& finding, const Sources& sources) {
    Diagnostic out;
    out.code = finding.code;
    out.severity = finding.severity;
    out.message = finding.message;
    out.label = finding.label;
    out.help = complete_help(finding.help, finding.code);
    out.suggestions = finding.suggestions;
    if (finding.where.source >= sources.size()) {
        return out;
    }
    const SourceText& source = sources[finding.where.source];
    const Position begin = source.position_of(finding.where.begin);
    const Position end = source.position_of(finding.where.end);
    out.file = source.name();
    out.line = begin.line;
    out.column = begin.column;
    out.source_line = std::string(source.line(begin.line));
    const auto width = static_cast<std::uint32_t>(count_characters(out.source_line));
    const std::uint32_t last = end.line == begin.line ? end.column : width + 1;
    out.end = std::max(last, begin.column + 1);
    return out;
}

/// The characters of a line, one string each, with everything that could disturb a terminal
/// (control characters, C1 controls) replaced by a dot.
std::vector<std::string> printable_characters(std::string_view line) {
    std::vector<std::string> out;
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0U) == 0x80U && !out.empty()) {
            out.back().push_back(c);
            continue;
        }
        const bool control = (byte < 0x20 && c != '\t') || byte == 0x7F;
        out.emplace_back(1, control ? '.' : c);
    }
    for (std::string& character : out) {
        const bool c1 = character.size() == 2 && static_cast<unsigned char>(character[0]) == 0xC2 &&
                        static_cast<unsigned char>(character[1]) < 0xA0;
        if (c1 || find_invalid_utf8(character)) {
            character = ".";
        }
    }
    return out;
}

/// The text with the same replacements, and on one line.
std::string printable(std::string_view text) {
    std::string out;
    for (const std::string& character : printable_characters(text)) {
        out += character == "\t" ? " " : character;
    }
    return out;
}

struct Excerpt {
    std::string line;
    std::string under;  // spaces (and tabs as in the line) and the marks
};

/// The source line and its marks; a line longer than a screen is cut around the marks.
Excerpt excerpt_of(const Diagnostic& diagnostic) {
    const std::vector<std::string> characters = printable_characters(diagnostic.source_line);
    const std::size_t column = diagnostic.column - 1;
    std::size_t from = 0;
    std::size_t to = characters.size();
    if (characters.size() > kLineShownMax) {
        from = column > kLineShownMax / 2 ? column - kLineShownMax / 2 : 0;
        to = std::min(characters.size(), from + kLineShownMax);
    }
    Excerpt out;
    out.line = from > 0 ? "..." : "";
    out.under = from > 0 ? "   " : "";
    for (std::size_t i = from; i < to; ++i) {
        out.line += characters[i];
        if (i < column) {
            out.under += characters[i] == "\t" ? "\t" : " ";
        }
    }
    out.line += to < characters.size() ? "..." : "";
    const std::size_t mark_end =
        std::max(column + 1, std::min<std::size_t>(diagnostic.end - 1, to));
    out.under.append(mark_end - column, '^');
    return out;
}

std::string_view word_of(Severity severity) {
    switch (severity) {
        case Severity::kError:
            return "error";
        case Severity::kWarning:
            return "warning";
    }
    return "error";
}

std::string json_of(const Diagnostic& diagnostic) {
    std::string suggestions;
    for (const Suggestion& suggestion : diagnostic.suggestions) {
        suggestions += fmt::format("{}{{\"replace\": {}, \"with\": {}}}",
                                   suggestions.empty() ? "" : ", ",
                                   quote_json(suggestion.replace),
                                   quote_json(suggestion.with));
    }
    return fmt::format(
        "{{\"file\": {}, \"line\": {}, \"column\": {}, \"end\": {}, \"code\": {}, "
        "\"severity\": {}, \"message\": {}, \"suggestions\": [{}], \"rendered\": {}}}",
        quote_json(diagnostic.file),
        diagnostic.line,
        diagnostic.column,
        diagnostic.end,
        quote_json(diagnostic.code),
        quote_json(word_of(diagnostic.severity)),
        quote_json(diagnostic.message),
        suggestions,
        quote_json(render(diagnostic)));
}

bool comes_before(const Finding& a, const Finding& b) {
    if (a.severity != b.severity) {
        return a.severity == Severity::kError;
    }
    return a.where < b.where;
}

}  // namespace

void Findings::add(Finding finding) {
    if (findings_.size() >= kFindingsMax ||
        std::find(findings_.begin(), findings_.end(), finding) != findings_.end()) {
        return;
    }
    errors_ += finding.severity == Severity::kError ? 1 : 0;
    findings_.push_back(std::move(finding));
}

bool Findings::touches(Span where) const {
    return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& finding) {
        const Span other = finding.where;
        return finding.severity == Severity::kError && other.source == where.source &&
               other.begin < where.end && where.begin < other.end;
    });
}

DiagnosticList finish(const Findings& findings, const Sources& sources) {
    std::vector<Finding> sorted = findings.all();
    std::stable_sort(sorted.begin(), sorted.end(), comes_before);
    DiagnosticList list;
    for (const Finding& finding : sorted) {
        std::size_t& count = finding.severity == Severity::kError ? list.errors : list.warnings;
        if (count < DiagnosticList::kShownMax) {
            list.shown.push_back(to_diagnostic(finding, sources));
        }
        ++count;
    }
    return list;
}

Diagnostic diagnostic_without_place(std::string code,
                                    std::string file,
                                    std::string message,
                                    std::vector<std::string> help) {
    Diagnostic out;
    out.help = complete_help(std::move(help), code);
    out.code = std::move(code);
    out.file = std::move(file);
    out.message = std::move(message);
    return out;
}

std::string render(const Diagnostic& diagnostic) {
    std::string out = fmt::format("{}[{}]: {}\n",
                                  word_of(diagnostic.severity),
                                  diagnostic.code,
                                  printable(diagnostic.message));
    if (diagnostic.line == 0) {
        if (!diagnostic.file.empty()) {
            out += fmt::format(" --> {}\n", printable(diagnostic.file));
        }
        for (const std::string& help : diagnostic.help) {
            out += fmt::format("  = {}\n", printable(help));
        }
        return out;
    }
    const std::string number = fmt::format("{}", diagnostic.line);
    const std::string gutter(number.size() + 1, ' ');
    const Excerpt excerpt = excerpt_of(diagnostic);
    out += fmt::format("{}--> {}:{}:{}\n",
                       std::string(number.size(), ' '),
                       printable(diagnostic.file),
                       diagnostic.line,
                       diagnostic.column);
    out += fmt::format("{}|\n{} |{}\n", gutter, number, excerpt.line);
    const std::string label = diagnostic.label.empty() ? "" : " " + printable(diagnostic.label);
    out += fmt::format("{}|{}{}\n{}|\n", gutter, excerpt.under, label, gutter);
    for (const std::string& help : diagnostic.help) {
        out += fmt::format("{}= {}\n", gutter, printable(help));
    }
    return out;
}

std::string render(const DiagnosticList& list) {
    std::string out;
    for (const Diagnostic& diagnostic : list.shown) {
        out += out.empty() ? "" : "\n";
        out += render(diagnostic);
    }
    const std::size_t all = list.errors + list.warnings;
    if (all > list.shown.size()) {
        out += fmt::format("\n... and {} more\n", all - list.shown.size());
    }
    return out;
}

std::string to_json(const DiagnosticList& list) {
    std::string out = "[";
    for (const Diagnostic& diagnostic : list.shown) {
        out += out.size() > 1 ? ",\n " : "\n ";
        out += json_of(diagnostic);
    }
    out += list.shown.empty() ? "]\n" : "\n]\n";
    return out;
}

}  // namespace klab::scenario
