// SPDX-License-Identifier: Apache-2.0
//
// Settings of admin clients, sorted by name. Kafka: AdminClientConfig.
// See settings.h for the columns.
// Where Kafka sets no lower limit for a period, klab asks for 1 ms (2 ms where half of it is one),
// so that no run stands still in one instant.
#include "model/types/settings_table.h"

namespace klab::types::detail {

namespace {

// clang-format off
constexpr Setting kSettings[] = {
    list("bootstrap.controllers", "").managed().since({3, 7})
        .says("Controllers that the client asks first."),
    list("bootstrap.servers", "").managed()
        .says("Brokers that a client asks first."),
    choice("client.dns.lookup", "use_all_dns_ips")
        .one_of("use_all_dns_ips|resolve_canonical_bootstrap_servers_only")
        .says("How names of brokers become addresses."),
    text("client.id", "").managed()
        .says("Name of the client in requests."),
    long_ms("connections.max.idle.ms", "300000")
        .says("A connection without traffic for so long is closed by the client."),
    int_ms("default.api.timeout.ms", "60000").at_least(0).used()
        .says("Longest time of one call."),
    long_ms("metadata.max.age.ms", "300000").at_least(0).used()
        .says("The client refreshes its picture of the cluster at least this often."),
    long_ms("metadata.recovery.rebootstrap.trigger.ms", "300000").at_least(0).since({4, 0})
        .says("A client without any metadata for so long starts again from its bootstrap servers."),
    choice("metadata.recovery.strategy", "rebootstrap").one_of("none|rebootstrap").since({3, 8})
        .was_before({4, 0}, "none")
        .says("What a client does when it can reach none of the brokers it knows."),
    int_bytes("receive.buffer.bytes", "65536").at_least(-1)
        .says("Receive buffer of a connection."),
    long_ms("reconnect.backoff.max.ms", "1000").at_least(0).used()
        .says("Longest pause before the client connects again to a broker."),
    long_ms("reconnect.backoff.ms", "50").at_least(0).used()
        .says("First pause before the client connects again to a broker."),
    int_ms("request.timeout.ms", "30000").at_least(0).used()
        .says("A request without an answer for so long closes its connection."),
    int_count("retries", "2147483647").at_least(0).used()
        .says("Attempts after the first one for a call that failed with a retriable error."),
    long_ms("retry.backoff.max.ms", "1000").at_least(0).used().since({3, 7})
        .says("Longest pause before a failed request is repeated."),
    long_ms("retry.backoff.ms", "100").at_least(0).used()
        .says("First pause before a failed request is repeated; before 3.7 every pause."),
    int_bytes("send.buffer.bytes", "131072").at_least(-1)
        .says("Send buffer of a connection."),
    long_ms("socket.connection.setup.timeout.max.ms", "30000").at_least(1).used().since({2, 7})
        .says("Longest time limit for the setup of a connection."),
    long_ms("socket.connection.setup.timeout.ms", "10000").at_least(1).used().since({2, 7})
        .says("First time limit for the setup of a connection."),
};
// clang-format on

}  // namespace

std::span<const Setting> admin_settings() { return kSettings; }

}  // namespace klab::types::detail
