// SPDX-License-Identifier: Apache-2.0
//
// The text of quorum-state, as Kafka writes and reads it.
#include "model/raft/quorum_state_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace klab::raft {
namespace {

ElectionState leading() {
    ElectionState state;
    state.epoch = types::QuorumEpoch(4);
    state.leader = types::BrokerId(3001);
    state.voters = {types::BrokerId(3001)};
    return state;
}

TEST(QuorumStateFile, WritesDataVersionZero) {
    EXPECT_EQ(to_quorum_state_text(leading()),
              R"({"clusterId":"","leaderId":3001,"leaderEpoch":4,"votedId":-1,)"
              R"("appliedOffset":0,"currentVoters":[{"voterId":3001}],"data_version":0})");
}

TEST(QuorumStateFile, ReadsDataVersionOne) {
    const auto state =
        parse_quorum_state(R"({"leaderId":-1,"leaderEpoch":7,"votedId":2,)"
                           R"("votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1})");
    ASSERT_TRUE(state);
    EXPECT_EQ(state->epoch, types::QuorumEpoch(7));
    EXPECT_EQ(state->leader, std::nullopt);
    EXPECT_EQ(state->voted_for, types::BrokerId(2));
}

TEST(QuorumStateFile, RefusesWhatItCannotTrust) {
    for (const char* text : {"",
                             "[]",
                             "{}",
                             "{\"leaderId\":1",
                             R"({"leaderId":1,"leaderEpoch":1,"votedId":-1})",
                             R"({"leaderId":1,"leaderEpoch":1,"votedId":-1,"data_version":2})",
                             R"({"leaderId":1,"leaderEpoch":-1,"votedId":-1,"data_version":0})",
                             R"({"leaderId":1,"leaderEpoch":"1","votedId":-1,"data_version":0})",
                             R"({"leaderId":1,"leaderEpoch":99999999999,"votedId":-1,)"
                             R"("data_version":0})"}) {
        EXPECT_FALSE(parse_quorum_state(text)) << text;
    }
}

RC_GTEST_PROP(QuorumStateFile, ReadsWhatItWrote, ()) {
    ElectionState state = leading();
    state.epoch = types::QuorumEpoch(*rc::gen::inRange(0, 2'000'000'000));
    if (*rc::gen::arbitrary<bool>()) {
        state.leader.reset();
        state.voted_for = types::BrokerId(*rc::gen::inRange(0, 5'000));
    }
    RC_ASSERT(parse_quorum_state(to_quorum_state_text(state)) == state);
}

RC_GTEST_PROP(QuorumStateFile, NeverTrustsATornText, ()) {
    const std::string text = to_quorum_state_text(leading());
    const auto size = *rc::gen::inRange<std::size_t>(0, text.size());
    RC_ASSERT(!parse_quorum_state(std::string_view(text).substr(0, size)));
}

}  // namespace
}  // namespace klab::raft
