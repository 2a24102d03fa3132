// SPDX-License-Identifier: Apache-2.0
//
// Where the program writes: answers to stdout, progress and messages to stderr. Knows whether there
// is a terminal, whether colour is wanted, and whether signs outside ASCII are. A write that fails
// (broken pipe, full disk) is remembered and said once, at the end.
//
// Owns: stdout and stderr of the process. Called by: every command.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace klab::cli {

enum class ColourMode : std::uint8_t { kAuto, kAlways, kNever };

/// What a piece of text is; the terminal decides how it looks.
enum class Tone : std::uint8_t { kPlain, kBold, kGood, kBad, kNotice, kFaint };

class Terminal {
  public:
    Terminal();

    void set_colour(ColourMode mode);

    void set_ascii(bool ascii) { ascii_ = ascii; }

    [[nodiscard]] bool ascii() const { return ascii_; }

    /// Columns of the terminal; 100 when there is none.
    [[nodiscard]] std::int32_t width() const;

    /// Is stderr a terminal, so that a progress bar makes sense?
    [[nodiscard]] bool shows_progress() const { return err_is_terminal_; }

    /// The text with the escape sequences of its tone, for stdout; plain without colour.
    [[nodiscard]] std::string tinted(Tone tone, std::string_view text) const;

    /// An answer for people: with --ascii, signs outside ASCII are replaced.
    void answer(std::string_view text);

    /// An answer for programs, byte for byte.
    void data(std::string_view bytes);

    /// Has a write failed? What is answered from then on goes nowhere.
    [[nodiscard]] bool failed() const { return error_ != 0; }

    /// A message: "klab: ..." with a line end is the habit of the callers.
    void message(std::string_view text);

    /// Everything written, also to the disk behind stdout? Says on stderr why not, once.
    [[nodiscard]] bool flush();

  private:
    void write_out(std::string_view bytes);

    bool out_is_terminal_ = false;
    bool err_is_terminal_ = false;
    bool colour_ = false;
    bool ascii_ = false;
    std::int32_t error_ = 0;  ///< errno of the first write that failed
};

}  // namespace klab::cli
