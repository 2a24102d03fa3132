// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/diagnostic_codes.h"

#include <string>

namespace klab::scenario {

namespace {

std::vector<DiagnosticCode> text_codes() {
    return {
        {"S001",
         "The file cannot be read",
         "There is no file with that name, or it may not be opened. Names are relative to the "
         "folder in which klab was started.",
         "",
         ""},
        {"S002",
         "Not a file",
         "The name belongs to a folder or a device. klab run takes a folder "
         "and plays every scenario in it; commands that look at one run take one file.",
         "",
         ""},
        {"S003",
         "Too large",
         "A scenario is a page or two of text. Files over 64 MB and files with more than a million "
         "values are refused before they can fill the memory.",
         "",
         ""},
        {"S004",
         "Not UTF-8",
         "JSON is written in UTF-8. The mark shows the first byte that cannot be part of it; the "
         "file was probably saved in another encoding.",
         "",
         ""},
        {"S005",
         "Not JSON",
         "A scenario is strict JSON, so that every tool can read it: keys and texts in double "
         "quotes, no comma before a closing bracket, no comments. For remarks use \"note\" or a "
         "key that begins with //.",
         "{ 'at': \"2s\", }",
         "{ \"at\": \"2s\" }"},
        {"S006",
         "Ends too early",
         "The file stops in the middle of a value: a bracket or a "
         "quotation mark is still open. Perhaps the file was not saved completely.",
         "",
         ""},
        {"S007",
         "Nested too deep",
         "Brackets may stand 64 deep. No scenario needs more than ten.",
         "",
         ""},
        {"S008",
         "A key stands twice",
         "One object has the same key twice. JSON readers disagree about which of them counts, so "
         "klab takes neither.",
         "{ \"seed\": 1, \"seed\": 2 }",
         "{ \"seed\": 2 }"},
        {"S009",
         "A number does not fit",
         "Whole numbers go from -9223372036854775808 to "
         "9223372036854775807, decimals up to about 1e308.",
         "",
         ""},
        {"S011",
         "Another format version",
         "\"klab\": 1 says for which format the file is written. This klab reads format 1; a newer "
         "file needs a newer klab.",
         "\"klab\": 2",
         "\"klab\": 1"},
        {"S012",
         "Something is missing",
         "A field that must be there is not. The help line says "
         "what it is for.",
         "{ \"id\": \"x\", \"do\": {...} }",
         "{ \"id\": \"x\", \"when\": {...}, \"do\": {...} }"},
        {"S013",
         "Wrong kind of value",
         "A text stands where a number belongs, a list where an object belongs, and so on.",
         "\"brokers\": \"3\"",
         "\"brokers\": 3"},
        {"S014",
         "Unknown field",
         "Format 1 has no field with that name in that place. Unknown fields are errors, because a "
         "misspelt one would change what the scenario does without a word. Remarks go into "
         "\"note\", or under a key that begins with //, which the file, cluster, topics, clients, "
         "steps, expectations, questions and variants may have.",
         "{ \"client\": \"p1\", \"akced\": 10 }",
         "{ \"client\": \"p1\", \"acked\": 10 }"},
        {"S015",
         "Things that exclude each other",
         "Two fields that cannot stand together, such as two forms of a trigger in one object, or "
         "two verbs in one action. To wait for two things, put both triggers into \"all\"; to do "
         "two things, write a list of actions.",
         "{ \"at\": \"2s\", \"client\": \"p1\", \"acked\": 3 }",
         "{ \"all\": [ { \"at\": \"2s\" }, { \"client\": \"p1\", \"acked\": 3 } ] }"},
        {"S016",
         "Not a time",
         "A time is a text with a number and a unit: us, ms, s, min or h. Bare numbers are "
         "refused: half of all readers would take 20 for seconds. (Kafka's own settings keep "
         "Kafka's own units, mostly milliseconds, and are written as bare numbers.)",
         "\"every\": 20",
         "\"every\": \"20ms\""},
        {"S017",
         "Out of range",
         "The number, or the length of the list, is smaller or larger than "
         "what makes sense there.",
         "\"brokers\": 0",
         "\"brokers\": 1"},
        {"S018",
         "Unknown word",
         "The field takes one of a few words, and this is none of them.",
         "\"at\": \"allways\"",
         "\"at\": \"always\""},
        {"S019",
         "Wrong form of text",
         "Names are small letters, digits and hyphens and begin with a letter; a partition is "
         "topic-number; a replica is topic-number@node; a pointer begins with a slash.",
         "\"id\": \"Crash Leader\"",
         "\"id\": \"crash-leader\""},
    };
}

std::vector<DiagnosticCode> name_codes() {
    return {
        {"S020",
         "Unknown node",
         "Brokers are called b1 to bN, controllers k1 to kN, clients as the file calls them. The "
         "numbers come from \"brokers\" and \"controllers\" of the cluster.",
         "\"crash\": \"b4\" (with three brokers)",
         "\"crash\": \"b3\""},
        {"S021",
         "No such partition or replica",
         "Partitions are counted from 0, so a topic with one partition has t-0 only. A replica "
         "exists only on the brokers that the assignment names.",
         "leader(t-3)",
         "leader(t-0)"},
        {"S022",
         "Unknown topic",
         "Topics are those under \"topics\" and those that a step creates.",
         "",
         ""},
        {"S023",
         "Unknown client or group",
         "Clients and groups are those under \"clients\".",
         "",
         ""},
        {"S024",
         "Unknown step",
         "\"after\", \"pause_before\", between() and fired_at() name a step "
         "by its id.",
         "",
         ""},
        {"S025",
         "A name is taken",
         "Names of topics, clients, steps and questions are unique in a file, and clients cannot "
         "have names of nodes (b1, k1).",
         "",
         ""},
        {"S026",
         "Wrong role",
         "The thing exists but cannot do that: a consumer acknowledges nothing, a producer "
         "processes nothing, a client has no disk to wipe.",
         "{ \"client\": \"c1\", \"acked\": 3 }",
         "{ \"client\": \"c1\", \"processed\": 3 }"},
        {"S027",
         "Neither a node nor a role",
         "An action is aimed at a node by its name, or at a role that is looked up when the step "
         "fires: leader(t-0), follower(t-0,1), controller(), coordinator(group).",
         "\"crash\": \"leader of t-0\"",
         "\"crash\": \"leader(t-0)\""},
        {"S028",
         "Wrong assignment",
         "\"assignment\" gives for each partition the ids of its brokers, the preferred leader "
         "first. Each id is a broker of the cluster, none stands twice, and all partitions have "
         "equally many.",
         "[[1, 2, 4]] (with three brokers)",
         "[[1, 2, 3]]"},
        {"S029",
         "More replicas than brokers",
         "A broker holds at most one replica of a partition, "
         "so Kafka refuses to create such a topic.",
         "",
         ""},
        {"S030",
         "A step that can never fire",
         "What the trigger waits for cannot happen: more acknowledgements than records, a time "
         "after the end of the run, a replica set the partition does not have, steps that wait "
         "for each other. The step would be dead text.",
         "{ \"client\": \"p1\", \"acked\": 20 } (p1 sends 12)",
         "{ \"client\": \"p1\", \"acked\": 12 }"},
        {"S031",
         "min.insync.replicas above the number of replicas",
         "The ISR can never be that large, so the leader refuses every record sent with acks=all "
         "with NOT_ENOUGH_REPLICAS. Kafka allows the setting; klab warns.",
         "",
         ""},
        {"S032",
         "Unknown setting",
         "Settings have Kafka's own names, and the chosen Kafka version must have them. Look a "
         "name up with klab explain.",
         "\"min.insync.replica\": 2",
         "\"min.insync.replicas\": 2"},
        {"S033",
         "A setting with a wrong value",
         "The value is of the wrong kind, out of Kafka's range, contradicts another setting "
         "(Kafka's client would throw ConfigException), or belongs to a setting that klab sets "
         "itself. As a warning: Kafka has the setting, klab does not act on it.",
         "\"acks\": \"2\"",
         "\"acks\": \"all\""},
        {"S034",
         "Unknown Kafka version",
         "klab has rules for the versions it lists, by their "
         "major and minor number.",
         "\"kafka\": \"4.0.1\"",
         "\"kafka\": \"4.0\""},
        {"S035",
         "Unknown protocol rule",
         "\"features\" switches single rules of the version on or "
         "off; klab explain lists them with their values.",
         "",
         ""},
        {"S036",
         "Unknown mutant",
         "\"mutant\" switches on one deliberately wrong rule, to show or "
         "test what it protects against.",
         "",
         ""},
        {"S037",
         "Unknown event or field",
         "Events and their fields are those of the trace: a line of a trace can be pasted into a "
         "trigger. docs/trace-format.md lists them.",
         "\"event\": \"isr.shrinked\"",
         "\"event\": \"isr.shrunk\""},
        {"S038",
         "Unknown name of Kafka",
         "An error, a request or an invariant by a name that does "
         "not exist.",
         "\"error\": \"NOT_ENOUGH_REPLICA\"",
         "\"error\": \"NOT_ENOUGH_REPLICAS\""},
    };
}

std::vector<DiagnosticCode> other_codes() {
    return {
        {"S039",
         "A pointer that leads nowhere",
         "\"set\" and --set change the file by JSON pointers. An element of a list goes by its "
         "id, its name or its index, \"-\" is the place behind the last.",
         "/clients/p9/config/acks",
         "/clients/p1/config/acks"},
        {"S040",
         "Unknown variant or question",
         "The file has none of that name; klab list shows "
         "its variants.",
         "",
         ""},
        {"S041",
         "Wrong change on the command line",
         "--set takes POINTER=VALUE, where the value is JSON or plain text; --choices takes a "
         "file with a list of overrides.",
         "--set acks=all",
         "--set /clients/p1/config/acks=all"},
        {"S042",
         "Not an expression",
         "\"that\" and \"from_run\" hold an expression: numbers, times, names, lists and "
         "functions, "
         "with + - * and one comparison. Equality is written ==, minus stands between spaces.",
         "lost_acked(p1) = 3",
         "lost_acked(p1) == 3"},
        {"S043",
         "Unknown function",
         "klab explain lists the functions that expressions can use.",
         "lost_ack(p1) == 3",
         "lost_acked(p1) == 3"},
        {"S044",
         "Types that do not fit",
         "Integers are compared with integers, times with times, nodes with nodes; \"that\" must "
         "be a condition, so it is usually a comparison.",
         "unavailable(t-0) < 5",
         "unavailable(t-0) < 5s"},
        {"S045",
         "Wrong number of arguments",
         "The label shows what the function takes; arguments "
         "in square brackets may be left out.",
         "leader()",
         "leader(t-0)"},
        {"S050",
         "Not supported by this version of klab",
         "The word belongs to format 1, but this version of the model cannot play it yet. klab "
         "refuses the file instead of playing something else.",
         "",
         ""},
    };
}

std::vector<DiagnosticCode> all_codes() {
    std::vector<DiagnosticCode> all = text_codes();
    for (const std::vector<DiagnosticCode>& part : {name_codes(), other_codes()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

}  // namespace

const std::vector<DiagnosticCode>& diagnostic_codes() {
    static const std::vector<DiagnosticCode> codes = all_codes();
    return codes;
}

const DiagnosticCode* find_diagnostic_code(std::string_view code) {
    std::string upper(code);
    if (!upper.empty() && upper.front() == 's') {
        upper.front() = 'S';
    }
    for (const DiagnosticCode& row : diagnostic_codes()) {
        if (row.code == upper) {
            return &row;
        }
    }
    return nullptr;
}

}  // namespace klab::scenario
