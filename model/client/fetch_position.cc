// SPDX-License-Identifier: Apache-2.0
//
// The transition table of a fetch position.
#include "model/client/fetch_position.h"

#include "sim/base/assert.h"

namespace klab::client {

bool is_valid_transition(FetchState from, FetchState to) {
    switch (from) {
        case FetchState::kInitializing:
            return to != FetchState::kInitializing;
        case FetchState::kFetching:
            return to != FetchState::kInitializing;
        case FetchState::kAwaitReset:
            return to == FetchState::kFetching || to == FetchState::kAwaitReset;
        case FetchState::kAwaitValidation:
            return to != FetchState::kInitializing;
    }
    return false;
}

void FetchPosition::transition_to(FetchState next) {
    KLAB_ASSERT(is_valid_transition(state, next),
                "{}: fetch state {} to {}",
                partition.text(),
                static_cast<int>(state),
                static_cast<int>(next));
    state = next;
}

}  // namespace klab::client
