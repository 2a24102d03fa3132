// SPDX-License-Identifier: Apache-2.0
//
// Foreign text made safe, and measured.
#include "viz/printable.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace klab::viz {
namespace {

TEST(Printable, ReplacesWhatAttacksTheTerminalOrTheReader) {
    // Why: titles and record values come from files of strangers.
    EXPECT_EQ(to_printable("a\x1b[31mb"), "a\uFFFD[31mb");
    EXPECT_EQ(to_printable(std::string("a\0b", 3)), "a\uFFFDb");
    EXPECT_EQ(to_printable("x\u202Ey"), "x\uFFFDy");
    EXPECT_EQ(to_printable("x\u200By"), "x\uFFFDy");
    EXPECT_EQ(to_printable("one\ntwo\tthree"), "one two three");
    EXPECT_EQ(to_printable("\x7f"), "\uFFFD");
}

TEST(Printable, ReplacesBrokenUtf8ByteByByte) {
    // Why: overlong forms, surrogates and cut sequences must not reach XML.
    EXPECT_EQ(to_printable("\xC0\xAF"), "\uFFFD\uFFFD");
    EXPECT_EQ(to_printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(to_printable("a\xE2\x82"), "a\uFFFD\uFFFD");
    EXPECT_EQ(to_printable("\xF5\x80\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(to_printable("\xEF\xBF\xBF"), "\uFFFD");
    EXPECT_EQ(to_printable("\u00e9\u20ac\U0001F600"), "\u00e9\u20ac\U0001F600");
}

TEST(Printable, CountsColumnsNotBytes) {
    // Why: columns of the terminal pictures must line up under any title.
    EXPECT_EQ(display_columns("abc"), 3);
    EXPECT_EQ(display_columns("\u4e2d\u6587"), 4);
    EXPECT_EQ(display_columns("e\u0301"), 1);
    EXPECT_EQ(elide("abcdef", 4), "abc\u2026");
    EXPECT_EQ(elide("abcd", 4), "abcd");
    EXPECT_EQ(elide("abcd", 0), "");
    EXPECT_EQ(elide("\u4e2d\u6587\u4e2d", 4), "\u4e2d\u2026");
}

TEST(Printable, WrapsAtSpacesAndBreaksLongWords) {
    // Why: sentences in narrow columns must lose nothing.
    EXPECT_EQ(wrap_words("one two three", 7), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrap_words("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
    EXPECT_EQ(wrap_words("", 5), (std::vector<std::string>{""}));
    EXPECT_EQ(wrap_words("ab cdefgh", 4), (std::vector<std::string>{"ab", "cdef", "gh"}));
}

TEST(Printable, EscapesForDotAndXml) {
    // Why: a quote or a backslash in a name must not end the string it stands in.
    EXPECT_EQ(to_dot_string("a\"b\\N<x>&"), "\"a\\\"b\\\\N&lt;x&gt;&amp;\"");
    EXPECT_EQ(to_dot_string("end\\"), "\"end\\\\\"");
    EXPECT_EQ(to_xml_text("a\"b<x>&'"), "a&quot;b&lt;x&gt;&amp;'");
    EXPECT_EQ(to_identifier("e12"), "e12");
    EXPECT_EQ(to_identifier("1 <\"b"), "x1___b");
    EXPECT_EQ(to_identifier(""), "x");
}

TEST(Printable, TimesAreShort) {
    // Why: the unit must fit the size, and no value may be rounded up to another one.
    EXPECT_EQ(to_short_text(nanoseconds(0)), "0 ms");
    EXPECT_EQ(to_short_text(nanoseconds(12)), "12 ns");
    EXPECT_EQ(to_short_text(microseconds(740)), "740 us");
    EXPECT_EQ(to_short_text(microseconds(2'350)), "2.35 ms");
    EXPECT_EQ(to_short_text(microseconds(2'050)), "2.05 ms");
    EXPECT_EQ(to_short_text(microseconds(2'500)), "2.5 ms");
    EXPECT_EQ(to_short_text(milliseconds(9'640)), "9640 ms");
    EXPECT_EQ(to_short_text(milliseconds(9'000)), "9 s");
    EXPECT_EQ(to_short_text(milliseconds(12'340)), "12.34 s");
    EXPECT_EQ(to_short_text(milliseconds(-3)), "-3 ms");
    EXPECT_EQ(to_short_clock(Time{9'830'000'000}), "00:09.830");
    EXPECT_EQ(to_short_clock(Time{9'830'500'000}), "00:09.830500");
}

RC_GTEST_PROP(PrintableProperties, AnyBytesBecomeStableText, (const std::string& bytes)) {
    // Why: the writers rely on making text printable twice changing nothing.
    const std::string once = to_printable(bytes);
    RC_ASSERT(to_printable(once) == once);
    RC_ASSERT(once.find('\n') == std::string::npos);
    for (const std::int32_t columns : {0, 1, 2, 5, 40}) {
        RC_ASSERT(display_columns(elide(bytes, columns)) <= columns);
    }
    for (const std::string& line : wrap_words(bytes, 6)) {
        RC_ASSERT(display_columns(line) <= 6);
    }
}

}  // namespace
}  // namespace klab::viz
