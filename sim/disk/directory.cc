// SPDX-License-Identifier: Apache-2.0
//
// Names of one directory, now and on the platter.
#include "sim/disk/directory.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "sim/base/assert.h"

namespace klab::sim {

namespace {

/// Sets of names that were joined; the least member stands for the set.
class NameSets {
  public:
    [[nodiscard]] std::string find(const std::string& name) const {
        std::string at = name;
        for (auto it = parent_.find(at); it != parent_.end(); it = parent_.find(at)) {
            at = it->second;
        }
        return at;
    }

    void join(const std::string& a, const std::string& b) {
        const std::string x = find(a);
        const std::string y = find(b);
        if (x != y) {
            parent_[std::max(x, y)] = std::min(x, y);
        }
    }

  private:
    std::map<std::string, std::string> parent_;
};

}  // namespace

std::vector<Target> Directory::current_targets() const {
    std::vector<Target> targets;
    current_.for_each([&](const std::string&, const Target& t) { targets.push_back(t); });
    return targets;
}

std::vector<Target> Directory::replaced_targets() const {
    std::vector<Target> targets;
    replaced_.for_each([&](const std::string&, const std::optional<Target>& target) {
        if (target.has_value()) {
            targets.push_back(*target);
        }
    });
    return targets;
}

void Directory::remember(const std::string& name) {
    if (replaced_.contains(name)) {
        return;
    }
    const Target* now = current_.find(name);
    replaced_.insert_or_assign(name, now == nullptr ? std::nullopt : std::optional<Target>(*now));
}

void Directory::forget_if_same(const std::string& name) {
    const std::optional<Target>* durable = replaced_.find(name);
    const Target* now = current_.find(name);
    const bool same = now == nullptr ? !durable->has_value() : *durable == *now;
    if (same) {
        replaced_.erase(name);
    }
}

void Directory::put(const std::string& name, Target target) {
    remember(name);
    current_.insert_or_assign(name, target);
    forget_if_same(name);
}

void Directory::erase(const std::string& name) {
    remember(name);
    const bool erased = current_.erase(name);
    KLAB_ASSERT(erased, "no name {}", name);
    forget_if_same(name);
}

void Directory::rename(const std::string& from, const std::string& to) {
    const Target* found = current_.find(from);
    KLAB_ASSERT(found != nullptr, "no name {}", from);
    const Target target = *found;
    erase(from);
    put(to, target);
    const std::pair<std::string, std::string> joined(std::min(from, to), std::max(from, to));
    const auto it = std::lower_bound(renames_.begin(), renames_.end(), joined);
    if (it == renames_.end() || *it != joined) {
        renames_.insert(it, joined);
    }
}

void Directory::set_current(const std::string& name, const std::optional<Target>& target) {
    if (target.has_value()) {
        current_.insert_or_assign(name, *target);
    } else {
        current_.erase(name);
    }
}

void Directory::add_committed(const std::string& name, Committed& committed) const {
    const std::optional<Target>* durable = replaced_.find(name);
    if (durable->has_value()) {
        committed.before.push_back(**durable);
    }
    if (const Target* now = current_.find(name)) {
        committed.after.push_back(*now);
    }
}

Directory::Committed Directory::commit() {
    Committed committed;
    replaced_.for_each([&](const std::string& name, const std::optional<Target>&) {
        add_committed(name, committed);
    });
    replaced_.clear();
    renames_.clear();
    return committed;
}

Directory::Committed Directory::commit(const std::string& name) {
    Committed committed;
    for (const std::vector<std::string>& group : groups()) {
        if (std::find(group.begin(), group.end(), name) == group.end()) {
            continue;
        }
        for (const std::string& member : group) {
            add_committed(member, committed);
            replaced_.erase(member);
        }
    }
    return committed;
}

std::vector<std::vector<std::string>> Directory::groups() const {
    NameSets sets;
    for (const auto& [a, b] : renames_) {
        sets.join(a, b);
    }
    std::map<std::string, std::size_t> index_of;
    std::vector<std::vector<std::string>> groups;
    for (const std::string& name : replaced_.keys()) {
        const auto [it, is_new] = index_of.emplace(sets.find(name), groups.size());
        if (is_new) {
            groups.emplace_back();
        }
        groups[it->second].push_back(name);
    }
    return groups;
}

}  // namespace klab::sim
