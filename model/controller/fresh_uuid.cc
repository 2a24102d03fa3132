// SPDX-License-Identifier: Apache-2.0
//
// See fresh_uuid.h.
#include "model/controller/fresh_uuid.h"

namespace klab::controller {

types::Uuid fresh_uuid(sim::Context& ctx, FreshIdKind kind) {
    const sim::FreshId bits = ctx.fresh_id(static_cast<std::uint32_t>(kind));
    types::Uuid id;
    id.high = (bits.high & ~std::uint64_t{0xF000}) | 0x4000;                     // version 4
    id.low = (bits.low & ~(std::uint64_t{3} << 62)) | (std::uint64_t{1} << 63);  // variant
    if (id.text().starts_with('-')) {
        // Command lines would read such an id as an option; Kafka draws again.
        id.high ^= std::uint64_t{1} << 63;
    }
    return id;
}

}  // namespace klab::controller
