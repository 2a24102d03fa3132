// SPDX-License-Identifier: Apache-2.0
//
// Actions in the format table: faults of nodes, network and disks, acts of clients, admin actions.
#include <algorithm>
#include <utility>

#include "scenarios/run/format_table.h"

namespace klab::scenario::format {

namespace {

Shape object_shape(std::string name, std::string title, std::vector<Field> fields) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kObject;
    out.fields = std::move(fields);
    return out;
}

Shape alternatives_shape(std::string name, std::string title, std::vector<std::string> of) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kAlternatives;
    out.alternatives = std::move(of);
    return out;
}

Shape choice_shape(std::string name, std::string title, std::vector<std::string> words) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kChoice;
    out.words = std::move(words);
    return out;
}

Shape action_shape() {
    Shape out = object_shape(
        "action",
        "an action",
        {
            {"crash", "crash", "The process dies; what it wrote stays in the page cache."},
            {"power_off", "power-off", "The machine dies; what was not flushed is lost."},
            {"restart", "target", "A crashed or stopped node comes back."},
            {"stop", "target", "A clean shutdown."},
            {"pause", "pause", "The process stands still; its sockets fill."},
            {"slow_cpu", "slow-cpu", "Everything the node does takes longer."},
            {"skew_clock", "skew", "Its wall clock jumps."},
            {"partition", "groups", "Cuts every link between the groups, both ways."},
            {"cut", "cut", "Cuts one direction."},
            {"heal", "ends-or-all", "Ends partitions and cuts."},
            {"drop", "link", "The next matching message is lost, and all behind it."},
            {"duplicate", "link", "The next matching message arrives twice."},
            {"hold", "link", "The next matching message waits, and all behind it."},
            {"release", "ends-or-all", "What is held goes on."},
            {"reset", "link", "The connection closes at the next matching message."},
            {"delay", "delay", "The next matching message takes longer."},
            {"slow_link", "slow-link", "Every message takes longer."},
            {"disk_full", "full-disk", "No write succeeds."},
            {"disk_read_only", "at-disk", "The file system turns read-only."},
            {"disk_gone", "at-disk", "The whole device is lost."},
            {"bit_rot", "bit-rot", "One bit on the disk changes."},
            {"lose_entry", "on-disk", "A directory loses an entry."},
            {"disk_error", "disk-error", "Reads or writes fail."},
            {"disk_slow", "disk-slow", "Every access takes longer."},
            {"wipe", "target", "Everything on the disk of a stopped node is erased."},
            {"start", "name", "A client starts."},
            {"leave", "name", "A consumer leaves its group."},
            {"create_topic", "topic", "Creates a topic."},
            {"alter_topic", "alter-topic", "Changes the number of partitions."},
            {"delete_topic", "string", "Deletes a topic."},
            {"alter_config", "alter-config", "Changes settings of a topic or a node."},
            {"reassign", "reassign", "Moves a partition to other brokers."},
            {"unregister", "target", "Takes a broker out of the cluster's metadata."},
            {"elect", "elect", "Asks for an election."},
            {"delete_records", "delete-records", "Deletes records before an offset."},
            {"reset_offsets", "reset-offsets", "Moves the committed offsets of a group."},
            {"describe", "string", "Asks a topic's or the cluster's state."},
            {"add_voter", "target", "Adds a controller to the quorum."},
            {"remove_voter", "target", "Removes a controller from the quorum."},
            {"say", "text", "A sentence for whoever watches."},
            {"end", "yes", "The run ends."},
        });
    out.one_key = true;
    return out;
}

std::vector<Shape> node_action_parts() {
    Shape factor;
    factor.name = "factor";
    factor.title = "a factor";
    factor.kind = ShapeKind::kInteger;
    factor.minimum = 2;
    return {
        alternatives_shape(
            "power-off", "the nodes to power off", {"target", "targets", "power-off-how"}),
        alternatives_shape("crash", "the node to crash", {"target", "crash-how"}),
        object_shape("crash-how",
                     "a crash",
                     {{"node", "target", "Which process.", true},
                      {"torn",
                       "boolean",
                       "Half of the write under way is kept: the first after the event that "
                       "triggers.",
                       false,
                       "false"}}),
        object_shape("power-off-how",
                     "a power-off",
                     {{"nodes", "targets", "All of them, in one instant.", true},
                      {"keep", "keep", "What stays of unflushed data.", false, "\"synced\""},
                      {"torn", "boolean", "The last page is half written.", false, "false"}}),
        choice_shape("keep", "what stays", {"synced", "random", "all"}),
        object_shape(
            "pause",
            "a pause",
            {{"node", "target", "Which process.", true}, {"for", "duration", "How long.", true}}),
        object_shape("slow-cpu",
                     "a slow cpu",
                     {{"node", "target", "Which machine.", true},
                      {"for", "duration", "How long.", true},
                      {"factor", "factor", "How many times slower.", true}}),
        factor,
        object_shape("skew",
                     "a jump of a clock",
                     {{"node", "target", "Whose wall clock.", true},
                      {"by", "shift", "How far, with a sign to go back.", true}}),
    };
}

/// The fields that one action takes; nothing that it would pass over in silence.
std::vector<Field> take_fields(const std::vector<Field>& all,
                               const std::vector<std::string>& names,
                               const std::vector<std::string>& required) {
    const auto has = [](const std::vector<std::string>& list, const std::string& name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    std::vector<Field> fields;
    for (const Field& field : all) {
        if (has(names, field.name)) {
            fields.push_back(field);
            fields.back().required = has(required, field.name);
        }
    }
    return fields;
}

std::vector<Field> link_fields(const std::vector<std::string>& names,
                               const std::vector<std::string>& required = {}) {
    const std::vector<Field> all = {
        {"from", "target", "Sender."},
        {"to", "target", "Receiver."},
        {"api", "string", "Only this request, by Kafka's name: Fetch, Produce, ..."},
        {"reply", "boolean", "The reply instead of the request.", false, "false"},
        {"by", "duration", "How much longer."},
        {"next", "positive", "How many of them."},
        {"for", "duration", "For how long."},
    };
    return take_fields(all, names, required);
}

std::vector<Shape> link_parts() {
    Shape groups;
    groups.name = "groups";
    groups.title = "a list of groups of nodes";
    groups.kind = ShapeKind::kList;
    groups.element = "targets";
    groups.items_min = 2;
    return {
        groups,
        object_shape("link",
                     "messages on a link",
                     link_fields({"from", "to", "api", "reply", "next", "for"})),
        object_shape("delay",
                     "a delay",
                     link_fields({"from", "to", "api", "reply", "by", "next", "for"}, {"by"})),
        object_shape("cut", "a cut", link_fields({"from", "to", "for"}, {"from", "to"})),
        object_shape("slow-link", "a slow link", link_fields({"from", "to", "by", "for"}, {"by"})),
        object_shape("ends", "a link", link_fields({"from", "to"})),
        alternatives_shape("ends-or-all", "a link or \"all\"", {"all-word", "ends"}),
        choice_shape("all-word", "all", {"all"})};
}

std::vector<Field> disk_fields(const std::vector<std::string>& names,
                               std::vector<std::string> required = {}) {
    const std::vector<Field> all = {
        {"node", "target", "Whose disk."},
        {"path", "string", "A file or directory; without it any."},
        {"on", "read-or-write", "Reads or writes."},
        {"by", "duration", "How much longer."},
        {"for", "duration", "For how long."},
        {"next", "positive", "How many accesses."},
        {"above", "positive", "Only while its files hold so many bytes or more."},
        {"byte", "not-negative", "At this byte of the file; without it any."},
    };
    required.emplace_back("node");
    return take_fields(all, names, required);
}

std::vector<Shape> disk_parts() {
    return {object_shape("at-disk", "a disk fault", disk_fields({"node", "path", "for", "next"})),
            object_shape(
                "full-disk", "a full disk", disk_fields({"node", "path", "above", "for", "next"})),
            object_shape("on-disk", "damage on a disk", disk_fields({"node", "path"})),
            object_shape("bit-rot", "bit rot", disk_fields({"node", "path", "byte"})),
            object_shape("disk-error",
                         "a disk error",
                         disk_fields({"node", "path", "on", "for", "next"}, {"on"})),
            object_shape("disk-slow",
                         "a slow disk",
                         disk_fields({"node", "path", "on", "by", "for", "next"}, {"by"})),
            choice_shape("read-or-write", "a kind of access", {"read", "write"})};
}

std::vector<Shape> admin_parts() {
    Shape alter;
    alter.name = "alter-config";
    alter.title = "a change of settings";
    alter.kind = ShapeKind::kForms;
    const Field config = {"config", "config", "The new values, under their Kafka names.", true};
    Shape before;
    before.name = "offset-or-end";
    before.title = "an offset, or -1";
    before.kind = ShapeKind::kInteger;
    before.minimum = -1;
    alter.forms = {
        {"a change with \"topic\"", {{"topic", "string", "Of this topic.", true}, config}, 2},
        {"a change with \"node\"", {{"node", "target", "Of this broker.", true}, config}, 2},
    };
    return {
        object_shape("alter-topic",
                     "a change of a topic",
                     {{"topic", "string", "Which topic.", true},
                      {"partitions", "positive", "The new number of partitions.", true},
                      {"assignment", "assignment", "Broker ids of the new partitions."}}),
        alter,
        object_shape("reassign",
                     "a reassignment",
                     {{"partition", "partition-name", "Which partition.", true},
                      {"replicas",
                       "integers",
                       "Its new broker ids, the preferred leader first. Without them a move under "
                       "way is taken back."}}),
        object_shape("elect",
                     "an election",
                     {{"partition", "partition-name", "Which partition.", true},
                      {"type", "election-type", "preferred or unclean.", true}}),
        choice_shape("election-type", "a type of election", {"preferred", "unclean"}),
        object_shape("delete-records",
                     "a deletion of records",
                     {{"partition", "partition-name", "Which partition.", true},
                      {"before",
                       "offset-or-end",
                       "The first offset that stays; -1 deletes all that is committed.",
                       true}}),
        before,
        object_shape("reset-offsets",
                     "a reset of offsets",
                     {{"group", "string", "Which group.", true},
                      {"to", "string", "earliest, latest or an offset.", true}}),
    };
}

}  // namespace

std::vector<Shape> action_shapes() {
    std::vector<Shape> out = {action_shape()};
    for (const std::vector<Shape>& part :
         {node_action_parts(), link_parts(), disk_parts(), admin_parts()}) {
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

}  // namespace klab::scenario::format
