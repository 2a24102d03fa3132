// SPDX-License-Identifier: Apache-2.0
//
// Settings of producers, sorted by name. Kafka: ProducerConfig.
// See settings.h for the columns.
// Where Kafka sets no lower limit for a period, klab asks for 1 ms (2 ms where half of it is one),
// so that no run stands still in one instant.
#include "model/types/settings_table.h"

namespace klab::types::detail {

namespace {

// clang-format off
constexpr Setting kSettings[] = {
    choice("acks", "all").one_of("all|-1|0|1").used().was_before({3, 0}, "1")
        .says("How many replicas must hold a record before it counts as written: none, the "
              "leader, or all in sync."),
    int_bytes("batch.size", "16384").at_least(0).used()
        .says("Largest batch of records for one partition; 0 gives each record its own batch."),
    list("bootstrap.servers", "").managed()
        .says("Brokers that a client asks first."),
    long_bytes("buffer.memory", "33554432").at_least(0).used()
        .says("Memory for records that are not sent yet."),
    choice("client.dns.lookup", "use_all_dns_ips")
        .one_of("use_all_dns_ips|resolve_canonical_bootstrap_servers_only")
        .says("How names of brokers become addresses."),
    text("client.id", "").managed()
        .says("Name of the client in requests."),
    int_count("compression.gzip.level", "-1").one_of("-1|1|2|3|4|5|6|7|8|9").since({3, 8})
        .says("Level of gzip when the producer compresses."),
    int_count("compression.lz4.level", "9").at_least(1).at_most(17).since({3, 8})
        .says("Level of lz4 when the producer compresses."),
    choice("compression.type", "none").one_of("none|gzip|snappy|lz4|zstd").used()
        .says("Compression of batches."),
    int_count("compression.zstd.level", "3").at_least(-131072).at_most(22).since({3, 8})
        .says("Level of zstd when the producer compresses."),
    long_ms("connections.max.idle.ms", "540000")
        .says("A connection without traffic for so long is closed by the client."),
    int_ms("delivery.timeout.ms", "120000").at_least(0).used().since({2, 1})
        .says("Longest time from the creation of a batch to its success or failure, retries "
              "included."),
    flag("enable.idempotence", "true").used().was_before({3, 0}, "false")
        .says("Numbers the batches so that the broker stores each once and in order, whatever "
              "is retried."),
    list("interceptor.classes", "")
        .says("Classes that see each record before it is sent."),
    java_class("key.serializer", "null").managed()
        .says("Class that turns keys into bytes."),
    long_ms("linger.ms", "5").at_least(0).used().was_before({4, 0}, "0")
        .says("How long a batch waits for more records before it is sent."),
    long_ms("max.block.ms", "60000").at_least(0).used()
        .says("Longest time that one send may wait for metadata and for memory."),
    int_count("max.in.flight.requests.per.connection", "5").at_least(1).used()
        .says("Unanswered requests on one connection; more than one can reorder records without "
              "idempotence."),
    int_bytes("max.request.size", "1048576").at_least(0).used()
        .says("Largest record, and about the largest request."),
    long_ms("metadata.max.age.ms", "300000").at_least(0).used()
        .says("The client refreshes its picture of the cluster at least this often."),
    long_ms("metadata.max.idle.ms", "300000").at_least(5000).since({2, 5})
        .says("A topic without use for so long leaves the producer's metadata."),
    long_ms("metadata.recovery.rebootstrap.trigger.ms", "300000").at_least(0).since({4, 0})
        .says("A client without any metadata for so long starts again from its bootstrap servers."),
    choice("metadata.recovery.strategy", "rebootstrap").one_of("none|rebootstrap").since({3, 8})
        .was_before({4, 0}, "none")
        .says("What a client does when it can reach none of the brokers it knows."),
    flag("partitioner.adaptive.partitioning.enable", "true").used().since({3, 3})
        .says("Gives records without key more often to brokers with short queues."),
    long_ms("partitioner.availability.timeout.ms", "0").at_least(0).since({3, 3})
        .says("Leaves out partitions whose broker took nothing for so long; 0 leaves out none."),
    java_class("partitioner.class", "null")
        .says("Class that chooses the partition of a record; null is Kafka's own rule."),
    flag("partitioner.ignore.keys", "false").used().since({3, 3})
        .says("Spreads records with a key like those without."),
    int_bytes("receive.buffer.bytes", "32768").at_least(-1)
        .says("Receive buffer of a connection."),
    long_ms("reconnect.backoff.max.ms", "1000").at_least(0).used()
        .says("Longest pause before the client connects again to a broker."),
    long_ms("reconnect.backoff.ms", "50").at_least(0).used()
        .says("First pause before the client connects again to a broker."),
    int_ms("request.timeout.ms", "30000").at_least(0).used()
        .says("A request without an answer for so long closes its connection."),
    int_count("retries", "2147483647").at_least(0).used().was_before({2, 1}, "0")
        .says("Attempts after the first one for a batch that failed with a retriable error."),
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
    int_ms("transaction.timeout.ms", "60000")
        .says("The coordinator aborts a transaction that is open for so long."),
    flag("transaction.two.phase.commit.enable", "false").since({4, 1})
        .says("Lets the producer prepare transactions for an outside coordinator."),
    text("transactional.id", "null")
        .says("Name under which a producer has transactions and fences its older instances."),
    java_class("value.serializer", "null").managed()
        .says("Class that turns values into bytes."),
};
// clang-format on

}  // namespace

std::span<const Setting> producer_settings() { return kSettings; }

}  // namespace klab::types::detail
