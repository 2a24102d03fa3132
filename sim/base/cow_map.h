// SPDX-License-Identifier: Apache-2.0
//
// CowMap<K, V>: an ordered map made of shared leaves of at most 64 entries. Copying the map is one
// counter increment; the first write after a copy copies the list of leaves and one leaf, never all
// entries. Iteration is in key order, so it is deterministic.
//
// Complexity: find O(log n), write O(log n + leaf), insert O(number of leaves) in the worst case.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/cow.h"

namespace klab {

template <typename K, typename V>
class CowMap {
  public:
    using Entry = std::pair<K, V>;
    static constexpr std::size_t kLeafEntriesMax = 64;

    [[nodiscard]] std::uint64_t size() const { return root_->entries; }

    [[nodiscard]] bool empty() const { return root_->entries == 0; }

    /// The value at `key`, or nullptr. The pointer dies with the next write or copy-and-write.
    [[nodiscard]] const V* find(const K& key) const {
        const auto& leaves = root_->leaves;
        const std::size_t l = leaf_for(leaves, key);
        if (l == leaves.size()) {
            return nullptr;
        }
        const std::vector<Entry>& leaf = *leaves[l];
        const auto it = lower(leaf, key);
        return it != leaf.end() && !(key < it->first) ? &it->second : nullptr;
    }

    [[nodiscard]] bool contains(const K& key) const { return find(key) != nullptr; }

    /// The value at `key` for writing, or nullptr.
    [[nodiscard]] V* find_for_write(const K& key) {
        if (find(key) == nullptr) {
            return nullptr;
        }
        Root& root = root_.write();
        std::vector<Entry>& leaf = root.leaves[leaf_for(root.leaves, key)].write();
        return &lower(leaf, key)->second;
    }

    /// The value at `key` for writing, made by default construction when absent.
    [[nodiscard]] V& at_or_insert(const K& key) {
        if (V* value = find_for_write(key)) {
            return *value;
        }
        return insert_new(key, V{});
    }

    void insert_or_assign(const K& key, V value) {
        if (V* old = find_for_write(key)) {
            *old = std::move(value);
        } else {
            insert_new(key, std::move(value));
        }
    }

    /// Says whether there was something to erase.
    bool erase(const K& key) {
        if (find(key) == nullptr) {
            return false;
        }
        Root& root = root_.write();
        const std::size_t l = leaf_for(root.leaves, key);
        std::vector<Entry>& leaf = root.leaves[l].write();
        leaf.erase(lower(leaf, key));
        if (leaf.empty()) {
            root.leaves.erase(root.leaves.begin() + static_cast<std::ptrdiff_t>(l));
        }
        --root.entries;
        return true;
    }

    void clear() { root_ = Cow<Root>(); }

    /// Calls f(key, value) for each entry in key order.
    template <typename F>
    void for_each(F&& f) const {
        for (const auto& leaf : root_->leaves) {
            for (const Entry& entry : *leaf) {
                f(entry.first, entry.second);
            }
        }
    }

    /// The first entry with a key not below `key`, or nullptr.
    [[nodiscard]] const Entry* lower_bound(const K& key) const {
        const auto& leaves = root_->leaves;
        const std::size_t l = leaf_for(leaves, key);
        return l == leaves.size() ? nullptr : &*lower(*leaves[l], key);
    }

    /// The entry with the smallest key, or nullptr.
    [[nodiscard]] const Entry* first() const {
        return empty() ? nullptr : &root_->leaves.front()->front();
    }

    /// All keys in order; a copy, so that the map may be written while walking it.
    [[nodiscard]] std::vector<K> keys() const {
        std::vector<K> result;
        result.reserve(size());
        for_each([&](const K& key, const V&) { result.push_back(key); });
        return result;
    }

    friend bool operator==(const CowMap& a, const CowMap& b) {
        if (a.root_.shares_with(b.root_)) {
            return true;
        }
        return a.size() == b.size() && a.flat() == b.flat();
    }

  private:
    using Leaf = Cow<std::vector<Entry>>;

    struct Root {
        std::vector<Leaf> leaves;  // each non-empty; keys ascending within and across leaves
        std::uint64_t entries = 0;
    };

    template <typename L>
    static auto lower(L& leaf, const K& key) {
        return std::lower_bound(
            leaf.begin(), leaf.end(), key, [](const Entry& e, const K& k) { return e.first < k; });
    }

    /// The first leaf whose last key is not below `key`, or leaves.size().
    static std::size_t leaf_for(const std::vector<Leaf>& leaves, const K& key) {
        const auto it =
            std::lower_bound(leaves.begin(), leaves.end(), key, [](const Leaf& leaf, const K& k) {
                return leaf->back().first < k;
            });
        return static_cast<std::size_t>(it - leaves.begin());
    }

    V& insert_new(const K& key, V value) {
        Root& root = root_.write();
        ++root.entries;
        if (root.leaves.empty()) {
            root.leaves.emplace_back(std::vector<Entry>{Entry(key, std::move(value))});
            return root.leaves.front().write().front().second;
        }
        std::size_t l = std::min(leaf_for(root.leaves, key), root.leaves.size() - 1);
        if (root.leaves[l]->size() == kLeafEntriesMax) {
            split(root, l);
            if (root.leaves[l]->back().first < key) {
                ++l;
            }
        }
        std::vector<Entry>& leaf = root.leaves[l].write();
        return leaf.insert(lower(leaf, key), Entry(key, std::move(value)))->second;
    }

    static void split(Root& root, std::size_t l) {
        std::vector<Entry>& leaf = root.leaves[l].write();
        // Appending in key order is the common case: keep the left leaf nearly full then.
        const bool last = l + 1 == root.leaves.size();
        const auto middle =
            leaf.begin() + static_cast<std::ptrdiff_t>(last ? leaf.size() - 1 : leaf.size() / 2);
        std::vector<Entry> right(std::make_move_iterator(middle),
                                 std::make_move_iterator(leaf.end()));
        leaf.erase(middle, leaf.end());
        root.leaves.insert(root.leaves.begin() + static_cast<std::ptrdiff_t>(l) + 1,
                           Leaf(std::move(right)));
    }

    [[nodiscard]] std::vector<Entry> flat() const {
        std::vector<Entry> all;
        for (const auto& leaf : root_->leaves) {
            all.insert(all.end(), leaf->begin(), leaf->end());
        }
        return all;
    }

    Cow<Root> root_;
};

}  // namespace klab
