// SPDX-License-Identifier: Apache-2.0
//
// See contact_times.h.
#include "model/controller/contact_times.h"

namespace klab::controller {

namespace {

bool is_expired(Time last, Time now, Duration session) { return now - last > session; }

}  // namespace

std::optional<Time> ContactTimes::last(const BrokerIdAndEpoch& broker) const {
    const Time* found = times_.find(broker);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

bool ContactTimes::has_valid_session(const BrokerIdAndEpoch& broker,
                                     Time now,
                                     Duration session) const {
    const Time* found = times_.find(broker);
    return found != nullptr && !is_expired(*found, now, session);
}

std::optional<BrokerIdAndEpoch> ContactTimes::first_expired(Time now, Duration session) const {
    std::optional<BrokerIdAndEpoch> first;
    times_.for_each([&](const BrokerIdAndEpoch& broker, Time last) {
        if (!first && is_expired(last, now, session)) {
            first = broker;
        }
    });
    return first;
}

}  // namespace klab::controller
