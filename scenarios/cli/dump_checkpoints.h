// SPDX-License-Identifier: Apache-2.0
//
// The small files of a data directory: checkpoints, snapshots of producers, and the text files that
// say whose a directory is. Each is read whole, shown, and told as damage where Kafka would refuse
// it or never have written it so.
//
// Called by: dump_files.
#pragma once

#include "scenarios/cli/dump_item.h"

namespace klab::cli {

// Each returns false when the sink stopped it.

/// leader-epoch-checkpoint.
bool dump_epochs(const FileDump& dump);

/// recovery-point-offset-checkpoint and its like.
bool dump_offsets(const FileDump& dump);

/// What a log knows of its producers.
bool dump_snapshot(const FileDump& dump);

/// meta.properties, partition.metadata, quorum-state and the marker of a clean shutdown.
bool dump_text(const FileDump& dump);

}  // namespace klab::cli
