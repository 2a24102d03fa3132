// SPDX-License-Identifier: Apache-2.0
//
// See log_event_rows.h.
#include "model/types/log_event_rows.h"

#include <string_view>

#include "model/types/error_code.h"

namespace klab::types::events {

namespace {

using enum sim::EventLevel;
using enum sim::FieldType;
using sim::EventDef;
using sim::FieldDef;

const FieldDef kPartition{"partition", kNameIndex, "topic-partition"};

std::string_view error_symbol(std::int64_t code) { return name(static_cast<ErrorCode>(code)); }

}  // namespace

std::vector<EventDef> log_rows() {
    return {
        {"log.appended",
         kTransition,
         "A batch was written to a replica's log.",
         "{node} appends {partition} offsets {base_offset}..{last_offset} in epoch {leader_epoch}",
         {kPartition,
          {"base_offset", kInteger, "first offset of the batch"},
          {"last_offset", kInteger, "last offset of the batch"},
          {"leader_epoch", kInteger, "partition leader epoch stamped on the batch"},
          {"as_leader", kBoolean, "written by a produce (1) or copied by a fetch (0)"},
          {"crc", kInteger, "CRC-32C of the batch: names its content"},
          {"producer_id", kInteger, "producer id, -1 without idempotence"},
          {"base_sequence", kInteger, "first sequence, -1 without idempotence"}}},
        {"log.truncated",
         kTransition,
         "A replica cut the end of its log.",
         "{node} cuts {partition} from {from} to {to}: {reason}",
         {kPartition,
          {"from", kInteger, "log end offset before"},
          {"to", kInteger, "log end offset after"},
          {"hw_before", kInteger, "high watermark before the cut"},
          {"reason", kText, "why"}}},
        {"log.recovered",
         kTransition,
         "A log was opened from the bytes on disk.",
         "{node} recovers {partition}: log end offset {log_end_offset}, {bytes_dropped} bytes "
         "dropped",
         {kPartition,
          {"log_end_offset", kInteger, "after recovery"},
          {"high_watermark", kInteger, "from the checkpoint, clamped"},
          {"bytes_dropped", kBytes, "cut at the end because they were not a valid batch"},
          {"clean", kBoolean, "a clean-shutdown marker was found"}}},
    };
}

std::vector<EventDef> disk_rows() {
    return {
        {"log_dir.failed",
         kTransition,
         "A log directory went offline after an input/output error. If it was the last, or that "
         "of the metadata log, the process halts.",
         "{node}: its log directory {directory} failed with {error}, {remaining} go on",
         {{"directory", kText, "log.dirs or metadata.log.dir"},
          {"error", kText, "what the disk said"},
          {"remaining", kInteger, "log directories that go on; 0: the process halts"}}},
    };
}

std::vector<EventDef> directory_rows() {
    return {
        {"replica.went_offline",
         kTransition,
         "A replica is no longer served: its log directory failed.",
         "{node} loses {partition} with {directory}",
         {kPartition, {"directory", kText, "one of log.dirs"}}},
        {"log_dir.reported",
         kTransition,
         "The controller has noted that log directories of a broker failed.",
         "broker {broker} has {remaining} log directories left",
         {{"broker", kInteger, "broker id"},
          {"broker_epoch", kInteger, "its registration"},
          {"remaining", kInteger, "log directories still online"}}},
        {"log.renamed",
         kTransition,
         "A log was put aside: it is to be deleted, or the metadata do not place it here.",
         "{node} renames {partition} to {to}",
         {kPartition, {"to", kText, "name of the directory, with -delete or -stray"}}},
        {"log.deleted",
         kTransition,
         "The files of a log that was put aside are gone.",
         "{node} deletes {name}",
         {kPartition, {"name", kText, "name of the directory"}}},
    };
}

std::vector<EventDef> segment_rows() {
    return {
        {"log.rolled",
         kTransition,
         "The active segment of a log was closed and a new one begun.",
         "{node} rolls {partition}: segment {base_offset}",
         {kPartition,
          {"base_offset", kInteger, "of the new active segment"},
          {"closed_bytes", kBytes, "of the closed one"}}},
        {"log.flushed",
         kMessage,
         "Closed segments were made durable in the background.",
         "{node} has flushed {partition} up to {recovery_point}",
         {kPartition, {"recovery_point", kInteger, "below it all is durable"}}},
        {"log.segment_deleted",
         kTransition,
         "An old segment was deleted; its files go after file.delete.delay.ms.",
         "{node} deletes segment {base_offset} of {partition}: {reason}",
         {kPartition,
          {"base_offset", kInteger, "of the segment"},
          {"bytes", kBytes, "of its batches"},
          {"reason", kText, "below the log start, retention.bytes or retention.ms"}}},
        {"log.start_raised",
         kTransition,
         "The first offset that can be read moved up.",
         "{node}: log start of {partition} rises from {from} to {to}: {reason}",
         {kPartition,
          {"from", kInteger, "before"},
          {"to", kInteger, "after"},
          {"reason",
           kText,
           "segment deletion, client delete records request or leader offset increment"}}},
        {"index.compared",
         kDetail,
         "A lookup compared an entry of an offset index.",
         "{node} compares entry {index} of segment {segment} of {partition}: ({offset}, "
         "{position})",
         {kPartition,
          {"segment", kInteger, "base offset of the segment"},
          {"index", kInteger, "number of the entry"},
          {"offset", kInteger, "last offset of the batch it points to"},
          {"position", kBytes, "where that batch begins"}}},
        {"batch.read",
         kDetail,
         "A lookup read the header of a batch.",
         "{node} reads the batch {base_offset}..{last_offset} of {partition}",
         {kPartition,
          {"segment", kInteger, "base offset of the segment"},
          {"position", kBytes, "where the batch begins"},
          {"base_offset", kInteger, "its first offset"},
          {"last_offset", kInteger, "its last offset"}}},
    };
}

std::vector<EventDef> cleaner_rows() {
    return {
        {"cleaner.started",
         kTransition,
         "A cleaner thread chose a log and begins to clean it.",
         "{node} begins to clean {partition} from {first_dirty} up to {first_uncleanable}",
         {kPartition,
          {"first_dirty", kInteger, "where the dirty part begins"},
          {"first_uncleanable", kInteger, "where it ends for this time"},
          {"clean_bytes", kBytes, "of segments below the dirty part"},
          {"cleanable_bytes", kBytes, "of the dirty part"}}},
        {"log.compacted",
         kTransition,
         "Segments gave way to one cleaned segment.",
         "{node} puts a cleaned segment {base_offset} in the place of {segments} of {partition}: "
         "{bytes_before} bytes become {bytes_after}",
         {kPartition,
          {"base_offset", kInteger, "of the new segment"},
          {"end", kInteger, "base of the segment behind it: below there may be gaps"},
          {"segments", kInteger, "how many there were"},
          {"bytes_before", kBytes, "of their batches"},
          {"bytes_after", kBytes, "of the batches of the new one"}}},
        {"log.cleaned",
         kTransition,
         "A cleaning of a log is done.",
         "{node} has cleaned {partition} from {from} to {to}: {records_kept} of {records_read} "
         "records stay",
         {kPartition,
          {"from", kInteger, "first dirty offset before"},
          {"to", kInteger, "first dirty offset now"},
          {"records_read", kInteger, "in the segments that were copied"},
          {"records_kept", kInteger, "of those"}}},
        {"cleaner.aborted",
         kTransition,
         "A cleaning was given up; what it had not swapped in is gone.",
         "{node} gives up cleaning {partition}: {reason}",
         {kPartition, {"reason", kText, "why"}}},
        {"cleaner.failed",
         kTransition,
         "A log could not be cleaned. The cleaner leaves it alone from now on, or ends.",
         "{node} cannot clean {partition}: {reason}",
         {kPartition,
          {"reason", kText, "what was wrong"},
          {"thread_ends", kBoolean, "the cleaner thread ends with it (before KIP-346)"}}},
    };
}

std::vector<EventDef> deletion_rows() {
    return {
        {"delete_records.completed",
         kTransition,
         "A request to delete records is over for one partition.",
         "{node} ends a deletion of records of {partition}: {error}, low watermark {low_watermark}",
         {kPartition,
          {"before", kInteger, "the first offset that stays, -1 after an error"},
          {"low_watermark", kInteger, "smallest log start of the live replicas, -1 unknown"},
          {"error", kSymbol, "error code", &error_symbol}}},
    };
}

}  // namespace klab::types::events
