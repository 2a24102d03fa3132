// SPDX-License-Identifier: Apache-2.0
//
// Interner: numbers for texts and lists, in order of first use.
#include "sim/trace/interner.h"

#include "sim/base/assert.h"

namespace klab::sim {

std::int64_t Interner::text(std::string_view text, bool& added) {
    const auto it = tables_->text_numbers.find(text);
    added = it == tables_->text_numbers.end();
    if (!added) {
        return it->second;
    }
    Tables& tables = tables_.write();
    const auto number = static_cast<std::int64_t>(tables.texts.size());
    tables.texts.emplace_back(text);
    tables.text_numbers.emplace(std::string(text), number);
    return number;
}

std::int64_t Interner::list(std::span<const std::int32_t> values, bool& added) {
    std::vector<std::int32_t> key(values.begin(), values.end());
    const auto it = tables_->list_numbers.find(key);
    added = it == tables_->list_numbers.end();
    if (!added) {
        return it->second;
    }
    Tables& tables = tables_.write();
    const auto number = static_cast<std::int64_t>(tables.lists.size());
    tables.lists.push_back(key);
    tables.list_numbers.emplace(std::move(key), number);
    return number;
}

std::int64_t Interner::find_text(std::string_view text) const {
    const auto it = tables_->text_numbers.find(text);
    return it == tables_->text_numbers.end() ? -1 : it->second;
}

const std::string& Interner::text_of(std::int64_t number) const {
    static const std::string kNone;
    if (number < 0) {
        return kNone;
    }
    KLAB_ASSERT(static_cast<std::size_t>(number) < tables_->texts.size(), "text {}", number);
    return tables_->texts[static_cast<std::size_t>(number)];
}

const std::vector<std::int32_t>& Interner::list_of(std::int64_t number) const {
    static const std::vector<std::int32_t> kNone;
    if (number < 0) {
        return kNone;
    }
    KLAB_ASSERT(static_cast<std::size_t>(number) < tables_->lists.size(), "list {}", number);
    return tables_->lists[static_cast<std::size_t>(number)];
}

}  // namespace klab::sim
