// SPDX-License-Identifier: Apache-2.0
//
// One directory: its names now, and what the platter says about those that changed since it was
// last synced.
//
// Names that a rename joined stay joined until they are durable: a power failure keeps both halves
// or neither, as journaling file systems do. Independent changes survive independently.
//
// Owns: names. Called by: FileTree.
// Simplified: real journals commit in order; here any subset of independent changes may survive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/cow_map.h"
#include "sim/disk/disk_types.h"
#include "sim/disk/inode.h"

namespace klab::sim {

using DirectoryId = Id<struct DirectoryIdTag, std::uint64_t>;

/// What a name leads to.
using Target = std::variant<FileId, DirectoryId>;

class Directory {
  public:
    /// What a commit changed on the platter: targets that had a durable name, and that have one
    /// now.
    struct Committed {
        std::vector<Target> before;
        std::vector<Target> after;
    };

    /// The target of `name`, or nullptr.
    [[nodiscard]] const Target* find(const std::string& name) const { return current_.find(name); }

    [[nodiscard]] std::vector<std::string> names() const { return current_.keys(); }

    /// Targets of all names now, and of names that only the platter still has, in order of name.
    [[nodiscard]] std::vector<Target> current_targets() const;
    [[nodiscard]] std::vector<Target> replaced_targets() const;

    [[nodiscard]] bool has_changes() const { return !replaced_.empty(); }

    [[nodiscard]] bool has_change(const std::string& name) const {
        return replaced_.contains(name);
    }

    void put(const std::string& name, Target target);

    /// Requires: the name exists.
    void erase(const std::string& name);

    /// Moves a name; a target at `to` loses it. Requires: `from` exists.
    void rename(const std::string& from, const std::string& to);

    /// Makes all changes durable.
    Committed commit();

    /// Makes the change of one name durable, and those that renames joined with it.
    Committed commit(const std::string& name);

    /// The power fails: each group of changes joined by renames stays or goes; what stays is
    /// durable. Choices are asked for in the order of names.
    void power_off(PowerOffKeep keep, PowerOffChoices& choices);

    Naming naming;

    friend bool operator==(const Directory&, const Directory&) = default;

  private:
    /// Remembers what the platter says before a name changes.
    void remember(const std::string& name);
    /// Forgets it again when the name is back to what the platter says.
    void forget_if_same(const std::string& name);
    void set_current(const std::string& name, const std::optional<Target>& target);
    void add_committed(const std::string& name, Committed& committed) const;
    /// Changed names in groups that renames joined; groups in order of their first name.
    [[nodiscard]] std::vector<std::vector<std::string>> groups() const;

    CowMap<std::string, Target> current_;
    CowMap<std::string, std::optional<Target>> replaced_;  // changed names: target on the platter
    std::vector<std::pair<std::string, std::string>> renames_;  // not durable; sorted, unique
};

}  // namespace klab::sim
