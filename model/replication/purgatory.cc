// SPDX-License-Identifier: Apache-2.0
//
// See purgatory.h.
#include "model/replication/purgatory.h"

#include <utility>

namespace klab::replication {

std::uint64_t Purgatory::park(ParkedProduce produce) {
    const std::uint64_t number = next_++;
    produces_.insert_or_assign(number, std::move(produce));
    return number;
}

std::uint64_t Purgatory::park(ParkedFetch fetch) {
    const std::uint64_t number = next_++;
    fetches_.insert_or_assign(number, std::move(fetch));
    return number;
}

std::uint64_t Purgatory::park(ParkedDeletion deletion) {
    const std::uint64_t number = next_++;
    deletions_.insert_or_assign(number, std::move(deletion));
    return number;
}

}  // namespace klab::replication
