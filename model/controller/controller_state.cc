// SPDX-License-Identifier: Apache-2.0
//
// See controller_state.h.
#include "model/controller/controller_state.h"

#include "model/controller/topic_names.h"
#include "sim/base/assert.h"

namespace klab::controller {

using metadata::MetadataDelta;
using metadata::PartitionRef;

namespace {

const metadata::PartitionRegistration* registration(const std::optional<PartitionRef>& partition) {
    return partition ? &partition->read() : nullptr;
}

void forget_name(ControllerState& state, const std::string& name) {
    const std::string unified = unify_collision_chars(name);
    if (std::set<std::string>* names = state.colliding_names.find_for_write(unified)) {
        names->erase(name);
        if (names->empty()) {
            state.colliding_names.erase(unified);
        }
    }
}

}  // namespace

Result<MetadataDelta, metadata::ReplayError> ControllerState::replay(
    types::Offset offset, const metadata::MetadataRecord& record) {
    MetadataDelta delta;
    if (const auto error = metadata::apply(image, delta, offset, record)) {
        return Error{*error};
    }
    if (const auto* registered = std::get_if<metadata::RegisterBrokerRecord>(&record)) {
        register_record_offsets.insert_or_assign(registered->broker_id, offset);
        // A registration begins a new life, so what is known of the old one goes.
        heartbeats.remove(registered->broker_id);
    }
    follow(delta);
    return delta;
}

void ControllerState::follow(const MetadataDelta& delta) {
    for (const auto& [id, change] : delta.partitions) {
        partitions.update(id, registration(change.before), registration(change.after));
    }
    for (const auto& [id, name] : delta.created_topics) {
        if (has_collision_chars(name)) {
            colliding_names.at_or_insert(unify_collision_chars(name)).insert(name);
        }
    }
    for (const auto& [id, name] : delta.deleted_topics) {
        forget_name(*this, name);
    }
    for (const auto& [id, change] : delta.brokers) {
        if (change.after) {
            heartbeats.register_broker(id, (*change.after)->fenced);
        } else {
            heartbeats.remove(id);
            register_record_offsets.erase(id);
        }
    }
}

void ControllerState::adopt(const metadata::MetadataImage& loaded,
                            const CowMap<types::BrokerId, types::Offset>& registered_at) {
    *this = ControllerState{};
    image = loaded;
    register_record_offsets = registered_at;
    follow(metadata::everything_new(image));
}

void ControllerState::activate(Time now) {
    heartbeats.clear();
    contacts.clear();
    image.brokers.for_each(
        [&](types::BrokerId id, const Cow<metadata::BrokerRegistration>& broker) {
            heartbeats.register_broker(id, broker->fenced);
            if (!broker->fenced) {
                contacts.touch({id, broker->epoch}, now);
            }
        });
}

bool ControllerState::is_active(types::BrokerId broker) const {
    const metadata::BrokerRegistration* found = image.broker(broker);
    return found != nullptr && found->is_active();
}

bool ControllerState::has_replica_online(const metadata::PartitionRegistration& partition,
                                         types::BrokerId broker) const {
    const metadata::BrokerRegistration* found = image.broker(broker);
    return found != nullptr && found->has_online_dir(partition.directory_of(broker));
}

std::int16_t ControllerView::metadata_level() const {
    const std::optional<std::int16_t> level = state.image.metadata_level();
    KLAB_ASSERT(level.has_value(), "the metadata log has no metadata.version");
    return *level;
}

}  // namespace klab::controller
