// SPDX-License-Identifier: Apache-2.0
//
// See records.h.
#include "model/metadata/records.h"

#include "sim/base/overloaded.h"

namespace klab::metadata {

std::string_view record_name(const MetadataRecord& record) {
    return std::visit(
        overloaded{
            [](const RegisterBrokerRecord&) { return "RegisterBrokerRecord"; },
            [](const UnregisterBrokerRecord&) { return "UnregisterBrokerRecord"; },
            [](const TopicRecord&) { return "TopicRecord"; },
            [](const PartitionRecord&) { return "PartitionRecord"; },
            [](const ConfigRecord&) { return "ConfigRecord"; },
            [](const PartitionChangeRecord&) { return "PartitionChangeRecord"; },
            [](const RemoveTopicRecord&) { return "RemoveTopicRecord"; },
            [](const FeatureLevelRecord&) { return "FeatureLevelRecord"; },
            [](const ProducerIdsRecord&) { return "ProducerIdsRecord"; },
            [](const BrokerRegistrationChangeRecord&) { return "BrokerRegistrationChangeRecord"; },
            [](const NoOpRecord&) { return "NoOpRecord"; },
            [](const BeginTransactionRecord&) { return "BeginTransactionRecord"; },
            [](const EndTransactionRecord&) { return "EndTransactionRecord"; },
            [](const AbortTransactionRecord&) { return "AbortTransactionRecord"; },
            [](const ClearElrRecord&) { return "ClearElrRecord"; },
        },
        record);
}

}  // namespace klab::metadata
