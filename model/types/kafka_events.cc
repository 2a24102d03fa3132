// SPDX-License-Identifier: Apache-2.0
//
// Kafka's rows of the event table.
#include "model/types/kafka_events.h"

#include <iterator>
#include <string_view>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/log_event_rows.h"
#include "model/types/timer_kinds.h"
#include "sim/trace/kernel_events.h"

namespace klab::types::events {

namespace {

using enum sim::EventLevel;
using enum sim::FieldType;
using sim::EventDef;
using sim::FieldDef;

const FieldDef kPartition{"partition", kNameIndex, "topic-partition"};

std::string_view error_symbol(std::int64_t code) { return name(static_cast<ErrorCode>(code)); }

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<EventDef> replication_rows() {
    return {
        {"leader.started",
         kTransition,
         "A broker acts as leader of a partition in a new epoch.",
         "{node} leads {partition} in epoch {leader_epoch}",
         {kPartition,
          {"leader_epoch", kInteger, "its epoch"},
          {"partition_epoch", kInteger, "version of the partition's metadata"},
          {"start_offset", kInteger, "log end offset when the epoch began here"},
          {"isr", kList, "in-sync replicas as told"},
          {"high_watermark", kInteger, "kept from its time as follower"}}},
        {"follower.started",
         kTransition,
         "A broker follows a leader in a new epoch.",
         "{node} follows {leader} for {partition} in epoch {leader_epoch}",
         {kPartition,
          {"leader", kInteger, "broker id of the leader, -1 without one"},
          {"leader_epoch", kInteger, "its epoch"},
          {"partition_epoch", kInteger, "version of the partition's metadata"},
          {"log_end_offset", kInteger, "own log end"},
          {"high_watermark", kInteger, "own high watermark"}}},
        {"replica.stopped",
         kTransition,
         "A broker does not host a partition any more.",
         "{node} stops hosting {partition}",
         {kPartition}},
        {"hw.advanced",
         kTransition,
         "A replica raised its high watermark.",
         "{node}: HW of {partition} rises from {from} to {to}",
         {kPartition,
          {"from", kInteger, "before"},
          {"to", kInteger, "after"},
          {"as_leader", kBoolean, "computed as leader (1) or learned as follower (0)"},
          {"log_end_offset", kInteger, "own log end"},
          {"leader_epoch", kInteger, "epoch of the replica"},
          {"isr_size", kInteger, "committed ISR of the leader, -1 on a follower"}}},
        {"hw.moved_back",
         kTransition,
         "A follower's high watermark went back (truncation, or a new leader that knows less).",
         "{node}: HW of {partition} goes back from {from} to {to}",
         {kPartition, {"from", kInteger, "before"}, {"to", kInteger, "after"}}},
        {"follower.fetched",
         kMessage,
         "The leader took note of a follower's fetch.",
         "{node} notes: {follower} has {partition} up to {offset}",
         {kPartition,
          {"follower", kInteger, "broker id"},
          {"offset", kInteger, "its fetch offset, that is its log end offset"},
          {"leader_epoch", kInteger, "epoch of the leader"},
          {"leader_end_offset", kInteger, "log end of the leader then"},
          {"follower_epoch", kInteger, "broker epoch in the fetch, -1 if none"}}},
        {"isr.proposed",
         kTransition,
         "A leader asks the controller for another ISR.",
         "{node} proposes ISR {isr} for {partition} ({change} {replica})",
         {kPartition,
          {"isr", kList, "proposed"},
          {"leader_epoch", kInteger, "epoch of the leader"},
          {"partition_epoch", kInteger, "metadata version it starts from"},
          {"change", kText, "expand or shrink"},
          {"replica", kInteger, "replica that joins, or first that leaves"},
          {"replica_end_offset", kInteger, "its log end as the leader knows, -1 unknown"},
          {"high_watermark", kInteger, "of the leader"},
          {"epoch_start_offset", kInteger, "where the leader's epoch began"}}},
        {"isr.expanded",
         kTransition,
         "A larger ISR is in force at the leader.",
         "ISR of {partition} is now {isr}",
         {kPartition,
          {"isr", kList, "in force"},
          {"partition_epoch", kInteger, "its version"},
          {"leader_epoch", kInteger, "epoch of the leader"}}},
        {"isr.shrunk",
         kTransition,
         "A smaller ISR is in force at the leader.",
         "ISR of {partition} is now {isr}",
         {kPartition,
          {"isr", kList, "in force"},
          {"partition_epoch", kInteger, "its version"},
          {"leader_epoch", kInteger, "epoch of the leader"}}},
        {"isr.refused",
         kTransition,
         "The controller refused a proposed ISR.",
         "the ISR that {node} proposed for {partition} is refused: {error}",
         {kPartition, {"error", kSymbol, "error code", &error_symbol}}},
        {"fetch.diverged",
         kTransition,
         "A leader told a follower where their logs part.",
         "{node} tells {follower}: {partition} diverges after epoch {epoch}, offset {end_offset}",
         {kPartition,
          {"follower", kInteger, "broker id, -1 a consumer"},
          {"epoch", kInteger, "largest common epoch at the leader, -1 none"},
          {"end_offset", kInteger, "its end there, -1 none"}}},
        {"fetch.failed",
         kTransition,
         "A follower's fetch of a partition got an error.",
         "{node} cannot fetch {partition} from {leader}: {error}",
         {kPartition,
          {"leader", kInteger, "broker id"},
          {"error", kSymbol, "error code", &error_symbol}}},
        {"produce.refused",
         kTransition,
         "A broker refused a batch; nothing was written.",
         "{node} refuses a batch for {partition}: {error}",
         {kPartition,
          {"error", kSymbol, "error code", &error_symbol},
          {"acks", kInteger, "acks of the request"},
          {"isr_size", kInteger, "committed ISR, -1 if not leader"}}},
        {"produce.waiting",
         kTransition,
         "An acks=all batch is written and waits for the ISR.",
         "{node}: a batch of {partition} waits for HW {required_offset}",
         {kPartition, {"required_offset", kInteger, "HW it waits for"}}},
        {"produce.completed",
         kTransition,
         "A broker answers a batch it has written.",
         "{node} answers a batch of {partition} at {base_offset}: {error}",
         {kPartition,
          {"base_offset", kInteger, "of the batch"},
          {"last_offset", kInteger, "of the batch"},
          {"error", kSymbol, "error code", &error_symbol},
          {"acks", kInteger, "acks of the request"},
          {"isr_size", kInteger, "maximal ISR at the time of the answer"}}},
        {"duplicate.recognized",
         kTransition,
         "A broker knows a batch already and does not write it again.",
         "{node}: batch {base_sequence} of producer {producer_id} is in {partition} already",
         {kPartition,
          {"producer_id", kInteger, "producer"},
          {"base_sequence", kInteger, "first sequence of the batch"},
          {"base_offset", kInteger, "where it was written"}}},
    };
}

std::vector<EventDef> broker_rows() {
    return {
        {"broker.state_changed",
         kTransition,
         "A broker went to another state of its life.",
         "{node} is now {to}",
         {{"from", kText, "before"},
          {"to",
           kText,
           "NOT_RUNNING, STARTING, RECOVERY, RUNNING, PENDING_CONTROLLED_SHUTDOWN or "
           "SHUTTING_DOWN"}}},
        {"metadata.published",
         kMessage,
         "A broker applied the metadata log up to an offset.",
         "{node} has applied metadata up to {offset}",
         {{"offset", kInteger, "last applied offset of the metadata log"}}},
        {"checkpoint.written",
         kMessage,
         "A broker wrote its high watermarks to disk.",
         "{node} writes its high watermark checkpoint",
         {{"partitions", kInteger, "entries"}}},
    };
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<EventDef> controller_rows() {
    return {
        {"metadata.appended",
         kMessage,
         "The controller wrote records to the metadata log.",
         "the controller writes metadata {base_offset}..{last_offset}",
         {{"base_offset", kInteger, "first record"},
          {"last_offset", kInteger, "last record"},
          {"epoch", kInteger, "quorum epoch"}}},
        {"metadata.committed",
         kMessage,
         "Metadata records are committed.",
         "metadata is committed up to {offset}",
         {{"offset", kInteger, "last committed offset"}}},
        {"broker.registered",
         kTransition,
         "The controller registered a broker, fenced at first.",
         "{broker} is registered with epoch {broker_epoch}",
         {{"broker", kInteger, "broker id"},
          {"broker_epoch", kInteger, "offset of its registration"},
          {"clean", kBoolean, "its last shutdown was clean"}}},
        {"broker.unfenced",
         kTransition,
         "The controller lets a broker take part.",
         "{broker} is unfenced",
         {{"broker", kInteger, "broker id"}, {"broker_epoch", kInteger, "its epoch"}}},
        {"broker.fenced",
         kTransition,
         "The controller shuts a broker out.",
         "{broker} is fenced: {reason}",
         {{"broker", kInteger, "broker id"},
          {"broker_epoch", kInteger, "its epoch"},
          {"reason", kText, "session timeout, request of the broker, new incarnation or shutdown"},
          {"last_contact", kDuration, "time since its last heartbeat, -1 unknown"}}},
        {"broker.shutting_down",
         kTransition,
         "The controller moves leadership away from a broker that wants to stop.",
         "{broker} is in controlled shutdown",
         {{"broker", kInteger, "broker id"}, {"broker_epoch", kInteger, "its epoch"}}},
        {"topic.created",
         kTransition,
         "A topic exists.",
         "topic {topic} is created",
         {{"topic", kText, "name"},
          {"partitions", kInteger, "how many"},
          {"replicas", kInteger, "replication factor"}}},
        {"topic.deleted",
         kTransition,
         "A topic is gone.",
         "topic {topic} is deleted",
         {{"topic", kText, "name"}}},
        {"partition.changed",
         kTransition,
         "The committed metadata of a partition changed.",
         "{partition}: leader {leader}, epoch {leader_epoch}, ISR {isr}",
         {kPartition,
          {"leader", kInteger, "broker id, -1 none"},
          {"leader_epoch", kInteger, "LE"},
          {"partition_epoch", kInteger, "PE"},
          {"isr", kList, "in-sync replicas"},
          {"replicas", kList, "assignment"},
          {"unclean", kBoolean, "the leader was elected from outside the ISR"},
          {"offset", kInteger, "offset of the record in the metadata log"}}},
        {"candidate.judged",
         kTransition,
         "The controller looked at a replica during an election.",
         "{partition}: {broker} alive {alive}, in ISR {in_isr}, place {order}",
         {kPartition,
          {"broker", kInteger, "broker id"},
          {"alive", kBoolean, "registered, unfenced, not shutting down"},
          {"in_isr", kBoolean, "member of the ISR"},
          {"order", kInteger, "place in the assignment, from 1"},
          {"chosen", kBoolean, "becomes leader"},
          {"why", kText, "reason"}}},
        {"leader.elected",
         kTransition,
         "The controller named a leader.",
         "{leader} is elected leader of {partition}, epoch {leader_epoch}",
         {kPartition,
          {"leader", kInteger, "broker id"},
          {"leader_epoch", kInteger, "new LE"},
          {"previous", kInteger, "broker id of the old leader, -1 none"},
          {"isr", kList, "ISR after the election"},
          {"unclean", kBoolean, "from outside the ISR"}}},
        {"leader.lost",
         kTransition,
         "No replica may lead; the partition is offline.",
         "{partition} has no leader: nobody in ISR {isr} is alive",
         {kPartition,
          {"leader_epoch", kInteger, "new LE"},
          {"previous", kInteger, "broker id of the old leader"},
          {"isr", kList, "ISR that waits"}}},
        {"alter_partition.refused",
         kTransition,
         "The controller refused an ISR proposal.",
         "the controller refuses the ISR of {broker} for {partition}: {error}",
         {kPartition,
          {"broker", kInteger, "who asked"},
          {"error", kSymbol, "error code", &error_symbol}}},
        {"config.changed",
         kTransition,
         "A dynamic setting changed.",
         "{name} of {target} is now {value}",
         {{"target", kText, "topic:t, broker:1 or cluster"},
          {"name", kText, "setting"},
          {"value", kText, "new value, empty when removed"}}},
    };
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<EventDef> client_rows() {
    return {
        {"record.sent",
         kTransition,
         "An application called send().",
         "{node} sends record {record} to {partition}",
         {{"record", kInteger, "number of the record at this producer, from 0"},
          kPartition,
          {"key", kText, "key, -1 without"}}},
        {"record.acked",
         kTransition,
         "A producer's send succeeded.",
         "record {record} of {node} is acknowledged at {partition} offset {offset}",
         {{"record", kInteger, "number of the record"},
          kPartition,
          {"offset", kInteger, "where; -1 with acks=0"},
          {"acks", kInteger, "acks setting, -1 all"}}},
        {"record.failed",
         kTransition,
         "A producer's send failed for good; it may or may not be in the log.",
         "record {record} of {node} fails: {error}",
         {{"record", kInteger, "number of the record"},
          kPartition,
          {"error", kSymbol, "error code", &error_symbol},
          {"acks", kInteger, "acks setting"}}},
        {"batch.retried",
         kTransition,
         "A producer will send a batch again.",
         "{node} sends a batch of {partition} again: {error}",
         {kPartition,
          {"first_record", kInteger, "number of its first record"},
          {"attempt", kInteger, "attempts so far"},
          {"error", kSymbol, "error code", &error_symbol}}},
        {"client.failed",
         kTransition,
         "A client got an error.",
         "{node} gets {error} from {api}",
         {{"error", kSymbol, "error code", &error_symbol},
          {"api", kSymbol, "request that failed", &api_name},
          kPartition}},
        {"producer.id_obtained",
         kTransition,
         "An idempotent producer has its id.",
         "{node} is producer {producer_id}, epoch {producer_epoch}",
         {{"producer_id", kInteger, "id"}, {"producer_epoch", kInteger, "epoch"}}},
        {"leader.learned",
         kTransition,
         "A client learned who leads a partition.",
         "{node} learns that {leader} leads {partition}",
         {kPartition,
          {"leader", kInteger, "broker id, -1 none"},
          {"leader_epoch", kInteger, "LE"}}},
        {"record.polled",
         kTransition,
         "A consumer returned a record to its application.",
         "{node} reads {partition} offset {offset}: record {record} of {producer}",
         {kPartition,
          {"offset", kInteger, "where"},
          {"leader_epoch", kInteger, "epoch of the batch"},
          {"producer", kNode, "client that wrote it, -1 unknown"},
          {"record", kInteger, "its number, -1 unknown"},
          {"high_watermark", kInteger, "HW in the answer that brought it"}}},
        {"record.processed",
         kTransition,
         "An application finished its work on a record.",
         "{node} has processed {partition} offset {offset}",
         {kPartition,
          {"offset", kInteger, "where"},
          {"producer", kNode, "client that wrote it, -1 unknown"},
          {"record", kInteger, "its number, -1 unknown"}}},
        {"position.reset",
         kTransition,
         "A consumer's position was set from outside its reading.",
         "{node} continues {partition} at {offset}: {reason}",
         {kPartition,
          {"from", kInteger, "position before, -1 none"},
          {"offset", kInteger, "new position"},
          {"reason", kText, "initial, out of range or truncation"}}},
        {"client.stopped", kTransition, "A client closed.", "{node} closes", {}},
        {"admin.answered",
         kTransition,
         "An operator's request is answered.",
         "{api} of {name}: {error}",
         {{"api", kSymbol, "request", &api_name},
          {"name", kText, "topic, partition or setting"},
          {"error", kSymbol, "error code", &error_symbol}}},
    };
}

std::vector<EventDef> reassignment_rows() {
    return {
        {"reassignment.started",
         kTransition,
         "A partition is to move to other brokers.",
         "{partition} moves: adding {adding}, removing {removing}",
         {kPartition,
          {"replicas", kList, "assignment while it lasts: the target first"},
          {"adding", kList, "must join the ISR"},
          {"removing", kList, "leave in the end"}}},
        {"reassignment.ended",
         kTransition,
         "A partition has moved, or the move was taken back.",
         "{partition} is on {replicas}",
         {kPartition,
          {"replicas", kList, "assignment"},
          {"taken_back", kBoolean, "an operator took it back"}}},
    };
}

void add(std::vector<EventDef>& all, std::vector<EventDef> rows) {
    all.insert(
        all.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

}  // namespace

std::vector<EventDef> kafka_rows() {
    std::vector<EventDef> all;
    add(all, log_rows());
    add(all, replication_rows());
    add(all, broker_rows());
    add(all, controller_rows());
    add(all, client_rows());
    add(all, disk_rows());
    add(all, segment_rows());
    add(all, cleaner_rows());
    add(all, directory_rows());
    add(all, deletion_rows());
    add(all, reassignment_rows());
    return all;
}

sim::EventTable make_event_table() {
    sim::EventTable table;
    table.rows = sim::events::kernel_rows(&api_name, &timer_symbol);
    add(table.rows, kafka_rows());
    return table;
}

}  // namespace klab::types::events
