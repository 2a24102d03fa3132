// SPDX-License-Identifier: Apache-2.0
//
// See foreign_records.h.
#include "model/metadata/foreign_records.h"

#include "model/metadata/record_fields.h"

namespace klab::metadata {

std::optional<std::string_view> foreign_record_name(ByteView bytes) {
    constexpr std::uint32_t kFrameVersion = 1;
    FieldReader in(bytes);
    const std::uint32_t frame = in.get_uvarint();
    const std::uint32_t api_key = in.get_uvarint();
    if (!in.ok() || frame != kFrameVersion) {
        return std::nullopt;
    }
    switch (api_key) {
        case 7:
            return "FenceBrokerRecord";
        case 8:
            return "UnfenceBrokerRecord";
        case 10:
            return "DelegationTokenRecord";
        case 11:
            return "UserScramCredentialRecord";
        case 14:
            return "ClientQuotaRecord";
        case 18:
            return "AccessControlEntryRecord";
        case 19:
            return "RemoveAccessControlEntryRecord";
        case 21:
            return "ZkMigrationStateRecord";
        case 22:
            return "RemoveUserScramCredentialRecord";
        case 26:
            return "RemoveDelegationTokenRecord";
        case 27:
            return "RegisterControllerRecord";
        default:
            return std::nullopt;
    }
}

}  // namespace klab::metadata
