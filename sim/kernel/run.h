// SPDX-License-Identifier: Apache-2.0
//
// Run<Model, Director>: what is forked. The director holds armed triggers, invariants and oracles
// as values beside the world; it sees the events of a step as soon as the step returns, and what it
// does then happens at that same instant, ahead of everything in the queue (the instant rule).
//
// A Director declares
//     KindSet wanted() const;                                     kinds it wants to see
//     void observe(World<Model>&, std::span<const Event>);        may act on the world
//     bool finished() const;                                      the run is over
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/kernel/world.h"

namespace klab::sim {

template <typename Model, typename Director>
class Run {
  public:
    Run(World<Model> world, Director director)
        : world_(std::move(world)), director_(std::move(director)) {
        world_.kernel().subscribe(director_.wanted());
        deliver();
    }

    /// One turn of the queue and all that the director does about it. False when the run is over.
    bool step() {
        if (director_.finished() || !world_.step()) {
            return false;
        }
        deliver();
        return !director_.finished();
    }

    [[nodiscard]] World<Model>& world() { return world_; }

    [[nodiscard]] const World<Model>& world() const { return world_; }

    [[nodiscard]] Director& director() { return director_; }

    [[nodiscard]] const Director& director() const { return director_; }

    /// Hands pending events to the director (after acting on the world from outside).
    void deliver() {
        std::vector<Event> events;
        while (world_.kernel().has_events()) {
            world_.kernel().take_events(events);
            director_.observe(world_, events);
        }
    }

  private:
    World<Model> world_;
    Director director_;
};

}  // namespace klab::sim
