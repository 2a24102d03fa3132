// SPDX-License-Identifier: Apache-2.0
//
// What klab says about a wrong scenario. A Finding is what a check reports while the texts are at
// hand; a Diagnostic is the finished form, complete in itself: position as people count, the source
// line, the mark under it, and at most three help lines.
//
// Owns: order, number and rendering of diagnostics (at most ten an input).
// Called by: every check of scenarios/run; printed by scenarios/cli only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/run/source_text.h"

namespace klab::scenario {

enum class Severity : std::uint8_t { kError, kWarning };

/// "Put `with` where `replace` stands": machine-readable did-you-mean.
struct Suggestion {
    std::string replace;
    std::string with;

    friend bool operator==(const Suggestion&, const Suggestion&) = default;
};

/// One problem, as found. `label` stands behind the ^^^^ marks.
struct Finding {
    std::string code;  ///< "S014"; its explanation is in diagnostic_codes.h
    Severity severity = Severity::kError;
    std::string message;
    Span where{};
    std::string label;
    std::vector<std::string> help;
    std::vector<Suggestion> suggestions;

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// One problem, finished. `line` 0 means the problem has no place in the text (a missing file).
struct Diagnostic {
    std::string code;
    Severity severity = Severity::kError;
    std::string message;
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t end = 0;  ///< column behind the last marked character, on the same line
    std::string source_line;
    std::string label;
    std::vector<std::string> help;  ///< at most three with the pointer to `klab explain`
    std::vector<Suggestion> suggestions;

    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Collects findings; ignores exact repetitions; keeps at most kFindingsMax, so that a hostile file
/// cannot fill memory with complaints.
class Findings {
  public:
    static constexpr std::size_t kFindingsMax = 1000;

    void add(Finding finding);

    [[nodiscard]] bool has_errors() const { return errors_ > 0; }

    /// True when nothing more will be kept, so that checks may stop looking.
    [[nodiscard]] bool full() const { return findings_.size() >= kFindingsMax; }

    [[nodiscard]] std::size_t error_count() const { return errors_; }

    [[nodiscard]] const std::vector<Finding>& all() const { return findings_; }

    /// True when an error is reported on a place that overlaps `where`: what is wrong already
    /// should not be complained about twice.
    [[nodiscard]] bool touches(Span where) const;

  private:
    std::vector<Finding> findings_;
    std::size_t errors_ = 0;
};

/// Diagnostics of one input, in the order of the text, errors before warnings; at most ten of each.
struct DiagnosticList {
    static constexpr std::size_t kShownMax = 10;

    std::vector<Diagnostic> shown;
    std::size_t errors = 0;    ///< all that were found, shown or not
    std::size_t warnings = 0;  ///< likewise

    [[nodiscard]] bool ok() const { return errors == 0; }

    friend bool operator==(const DiagnosticList&, const DiagnosticList&) = default;
};

[[nodiscard]] DiagnosticList finish(const Findings& findings, const Sources& sources);

/// A diagnostic without a place: the file is missing, a directory, too large.
[[nodiscard]] Diagnostic diagnostic_without_place(std::string code,
                                                  std::string file,
                                                  std::string message,
                                                  std::vector<std::string> help);

/// The text of command-line.md, section "Errors in a scenario", with a final line end.
[[nodiscard]] std::string render(const Diagnostic& diagnostic);

/// All of them with an empty line between, then how many more there are.
[[nodiscard]] std::string render(const DiagnosticList& list);

/// A JSON list of {file, line, column, end, code, severity, message, suggestions, rendered}.
[[nodiscard]] std::string to_json(const DiagnosticList& list);

}  // namespace klab::scenario
