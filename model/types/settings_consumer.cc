// SPDX-License-Identifier: Apache-2.0
//
// Settings of consumers, sorted by name. Kafka: ConsumerConfig.
// See settings.h for the columns.
// Where Kafka sets no lower limit for a period, klab asks for 1 ms (2 ms where half of it is one),
// so that no run stands still in one instant.
#include "model/types/settings_table.h"

namespace klab::types::detail {

namespace {

// clang-format off
constexpr Setting kSettings[] = {
    flag("allow.auto.create.topics", "true").since({2, 3})
        .says("Lets a subscription create its topic."),
    int_ms("auto.commit.interval.ms", "5000").at_least(0)
        .says("Time between two automatic commits."),
    choice("auto.offset.reset", "latest").one_of("earliest|latest|none").used()
        .says("Where to start without a position, or with one outside the log."),
    list("bootstrap.servers", "").managed()
        .says("Brokers that a client asks first."),
    flag("check.crcs", "true").used()
        .says("Verifies the checksum of every batch."),
    choice("client.dns.lookup", "use_all_dns_ips")
        .one_of("use_all_dns_ips|resolve_canonical_bootstrap_servers_only")
        .says("How names of brokers become addresses."),
    text("client.id", "").managed()
        .says("Name of the client in requests."),
    text("client.rack", "").since({2, 4})
        .says("The rack of the client, for reading from a near replica."),
    long_ms("connections.max.idle.ms", "540000")
        .says("A connection without traffic for so long is closed by the client."),
    int_ms("default.api.timeout.ms", "60000").at_least(0).used()
        .says("Longest time of a call that waits."),
    flag("enable.auto.commit", "true")
        .says("Commits the position of the consumer from time to time."),
    flag("exclude.internal.topics", "true")
        .says("Keeps internal topics out of subscriptions by regular expression."),
    int_bytes("fetch.max.bytes", "52428800").at_least(0).used()
        .says("Most bytes of one fetch response; a larger first batch is sent all the same."),
    int_ms("fetch.max.wait.ms", "500").at_least(0).used()
        .says("Longest time a broker holds back a fetch with too few bytes."),
    int_bytes("fetch.min.bytes", "1").at_least(0).used()
        .says("A fetch with fewer bytes is held back."),
    text("group.id", "null")
        .says("Group of the consumer."),
    text("group.instance.id", "null").since({2, 3})
        .says("Name of a static member."),
    choice("group.protocol", "classic").one_of("classic|consumer").since({3, 7})
        .says("Protocol of group membership."),
    text("group.remote.assignor", "null").since({3, 7})
        .says("Assignor of the broker that the member asks for."),
    int_ms("heartbeat.interval.ms", "3000")
        .says("Time between two heartbeats to the group coordinator."),
    list("interceptor.classes", "")
        .says("Classes that see each record before the application does."),
    choice("isolation.level", "read_uncommitted").one_of("read_uncommitted|read_committed").used()
        .says("Whether records of open and aborted transactions are returned."),
    java_class("key.deserializer", "null").managed()
        .says("Class that turns bytes into keys."),
    int_bytes("max.partition.fetch.bytes", "1048576").at_least(0).used()
        .says("Most bytes of one partition in a fetch; a larger first batch is sent all the same."),
    int_ms("max.poll.interval.ms", "300000").at_least(1)
        .says("A member that does not poll for so long leaves its group."),
    int_count("max.poll.records", "500").at_least(1).used()
        .says("Most records that one poll returns."),
    long_ms("metadata.max.age.ms", "300000").at_least(0).used()
        .says("The client refreshes its picture of the cluster at least this often."),
    long_ms("metadata.recovery.rebootstrap.trigger.ms", "300000").at_least(0).since({4, 0})
        .says("A client without any metadata for so long starts again from its bootstrap servers."),
    choice("metadata.recovery.strategy", "rebootstrap").one_of("none|rebootstrap").since({3, 8})
        .was_before({4, 0}, "none")
        .says("What a client does when it can reach none of the brokers it knows."),
    list("partition.assignment.strategy", "range,cooperative-sticky").was_before({3, 0}, "range")
        .says("Assignors of the classic protocol, best first."),
    int_bytes("receive.buffer.bytes", "65536").at_least(-1)
        .says("Receive buffer of a connection."),
    long_ms("reconnect.backoff.max.ms", "1000").at_least(0).used()
        .says("Longest pause before the client connects again to a broker."),
    long_ms("reconnect.backoff.ms", "50").at_least(0).used()
        .says("First pause before the client connects again to a broker."),
    int_ms("request.timeout.ms", "30000").at_least(0).used()
        .says("A request without an answer for so long closes its connection."),
    long_ms("retry.backoff.max.ms", "1000").at_least(0).used().since({3, 7})
        .says("Longest pause before a failed request is repeated."),
    long_ms("retry.backoff.ms", "100").at_least(0).used()
        .says("First pause before a failed request is repeated; before 3.7 every pause."),
    int_bytes("send.buffer.bytes", "131072").at_least(-1)
        .says("Send buffer of a connection."),
    int_ms("session.timeout.ms", "45000").was_before({3, 0}, "10000")
        .says("A member silent for so long is removed from its group."),
    choice("share.acknowledgement.mode", "implicit").one_of("implicit|explicit").since({4, 1})
        .says("How a share consumer acknowledges."),
    long_ms("socket.connection.setup.timeout.max.ms", "30000").at_least(1).used().since({2, 7})
        .says("Longest time limit for the setup of a connection."),
    long_ms("socket.connection.setup.timeout.ms", "10000").at_least(1).used().since({2, 7})
        .says("First time limit for the setup of a connection."),
    java_class("value.deserializer", "null").managed()
        .says("Class that turns bytes into values."),
};
// clang-format on

}  // namespace

std::span<const Setting> consumer_settings() { return kSettings; }

}  // namespace klab::types::detail
