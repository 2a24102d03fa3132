// SPDX-License-Identifier: Apache-2.0
//
// The check of XML. See xml_check.h.
#include "tests/viz/xml_check.h"

#include <set>
#include <vector>

#include <fmt/format.h>

#include "viz/printable.h"

namespace klab::viz {

namespace {

class XmlReader {
  public:
    explicit XmlReader(std::string_view text) : text_(text) {}

    std::string check() {
        while (error_.empty() && at_ < text_.size()) {
            if (text_[at_] == '<') {
                read_tag();
            } else {
                read_character();
            }
        }
        if (error_.empty() && !open_.empty()) {
            fail("element " + open_.back() + " is not closed");
        }
        if (error_.empty() && !has_root_) {
            fail("no element");
        }
        return error_;
    }

  private:
    void fail(const std::string& what) { error_ = fmt::format("byte {}: {}", at_, what); }

    bool skip(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) {
            return false;
        }
        at_ += word.size();
        return true;
    }

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
            ++at_;
        }
    }

    std::string read_name() {
        const std::size_t first = at_;
        while (at_ < text_.size() &&
               (std::string_view(" \n=<>/\"'&?").find(text_[at_]) == std::string_view::npos)) {
            ++at_;
        }
        return std::string(text_.substr(first, at_ - first));
    }

    void read_character() {
        const char c = text_[at_];
        if (c == '&') {
            for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
                if (skip(entity)) {
                    return;
                }
            }
            fail("unknown entity");
            return;
        }
        if (c == '>' || (c >= 0 && c < ' ' && c != '\n')) {
            fail("forbidden character");
            return;
        }
        ++at_;
    }

    void read_tag() {
        if (skip("<?")) {
            const std::size_t end = text_.find("?>", at_);
            if (end == std::string_view::npos || has_root_) {
                fail("misplaced processing instruction");
                return;
            }
            at_ = end + 2;
            return;
        }
        if (skip("</")) {
            const std::string name = read_name();
            if (open_.empty() || open_.back() != name || !skip(">")) {
                fail("closing tag " + name + " does not match");
                return;
            }
            open_.pop_back();
            return;
        }
        ++at_;
        read_opening_tag();
    }

    void read_opening_tag() {
        const std::string name = read_name();
        if (name.empty() || (open_.empty() && has_root_)) {
            fail("bad tag");
            return;
        }
        has_root_ = true;
        std::set<std::string> seen;
        while (true) {
            skip_space();
            if (skip("/>")) {
                return;
            }
            if (skip(">")) {
                open_.push_back(name);
                return;
            }
            read_attribute(seen);
            if (!error_.empty()) {
                return;
            }
        }
    }

    void read_attribute(std::set<std::string>& seen) {
        const std::string name = read_name();
        if (name.empty() || !seen.insert(name).second || !skip("=\"")) {
            fail("bad attribute " + name);
            return;
        }
        const std::size_t first = at_;
        while (error_.empty() && at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] == '<') {
                fail("< in attribute");
                return;
            }
            read_character();
        }
        const std::string value(text_.substr(first, at_ - first));
        if (name == "id" && !ids_.insert(value).second) {
            fail("id " + value + " twice");
            return;
        }
        if (!skip("\"")) {
            fail("attribute does not end");
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool has_root_ = false;
    std::vector<std::string> open_;
    std::set<std::string> ids_;
    std::string error_;
};

}  // namespace

std::string find_xml_error(std::string_view text) {
    std::string joined;
    for (const char c : text) {
        joined += c == '\n' ? ' ' : c;
    }
    if (to_printable(joined) != joined) {
        return "not valid UTF-8 or with control characters";
    }
    return XmlReader(text).check();
}

}  // namespace klab::viz
