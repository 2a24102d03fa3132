// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "viz/text_canvas.h"

namespace klab::cli {

namespace {

constexpr std::int32_t kWidthDefault = 100;
constexpr std::int32_t kWidthMin = 60;
constexpr std::int32_t kWidthMax = 160;

bool environment_forbids_colour() {
    const char* no_colour = std::getenv("NO_COLOR");
    const char* kind = std::getenv("TERM");
    return (no_colour != nullptr && *no_colour != '\0') ||
           (kind != nullptr && std::string_view(kind) == "dumb");
}

std::string_view escape_of(Tone tone) {
    switch (tone) {
        case Tone::kPlain:
            return "";
        case Tone::kBold:
            return "\x1b[1m";
        case Tone::kGood:
            return "\x1b[32m";
        case Tone::kBad:
            return "\x1b[31m";
        case Tone::kNotice:
            return "\x1b[36m";
        case Tone::kFaint:
            return "\x1b[2m";
    }
    return "";
}

/// Keeps line ends, which the ASCII stand-ins of viz do not know.
std::string ascii_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        out += viz::to_ascii(text.substr(0, end));
        if (end == std::string_view::npos) {
            break;
        }
        out += '\n';
        text.remove_prefix(end + 1);
    }
    return out;
}

}  // namespace

Terminal::Terminal()
    : out_is_terminal_(isatty(STDOUT_FILENO) == 1), err_is_terminal_(isatty(STDERR_FILENO) == 1) {
    set_colour(ColourMode::kAuto);
}

void Terminal::set_colour(ColourMode mode) {
    switch (mode) {
        case ColourMode::kAuto:
            colour_ = out_is_terminal_ && !environment_forbids_colour();
            return;
        case ColourMode::kAlways:
            colour_ = true;
            return;
        case ColourMode::kNever:
            colour_ = false;
            return;
    }
}

std::int32_t Terminal::width() const {
    winsize size{};
    if (out_is_terminal_ && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return std::clamp<std::int32_t>(size.ws_col, kWidthMin, kWidthMax);
    }
    return kWidthDefault;
}

std::string Terminal::tinted(Tone tone, std::string_view text) const {
    if (!colour_ || tone == Tone::kPlain || text.empty()) {
        return std::string(text);
    }
    return fmt::format("{}{}\x1b[0m", escape_of(tone), text);
}

void Terminal::write_out(std::string_view bytes) {
    if (error_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
        error_ = errno;
    }
}

void Terminal::answer(std::string_view text) {
    if (ascii_) {
        write_out(ascii_lines(text));
    } else {
        write_out(text);
    }
}

void Terminal::data(std::string_view bytes) { write_out(bytes); }

void Terminal::message(std::string_view text) {
    if (err_is_terminal_ && out_is_terminal_) {
        std::fflush(stdout);  // the two share a screen: keep the order
    }
    const std::string plain = ascii_ ? ascii_lines(text) : std::string(text);
    std::fwrite(plain.data(), 1, plain.size(), stderr);
    std::fflush(stderr);
}

bool Terminal::flush() {
    if (std::fflush(stdout) != 0 && error_ == 0) {
        error_ = errno;
    }
    if (error_ != 0) {
        message(fmt::format("klab: the answer could not be written: {}\n", std::strerror(error_)));
    }
    return error_ == 0;
}

}  // namespace klab::cli
