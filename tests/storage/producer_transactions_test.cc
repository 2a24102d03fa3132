// SPDX-License-Identifier: Apache-2.0
//
// Which transactions are open, which are late and where the stable part of a log ends: rows P23,
// P25, P26 and P29 of Kafka's own cases (ProducerStateManagerTest).
#include "tests/storage/producer_driver.h"

namespace klab::storage {
namespace {

using types::Offset;
using types::ProducerEpoch;
using types::ProducerId;

using ProducerTransactionRows = ProducerDriver;

constexpr std::optional<AppendError> kOk = std::nullopt;

TEST_F(ProducerTransactionRows, P23_UnstableUntilReplicatedUndecidedUntilEnded) {
    EXPECT_EQ(undecided(), -1);
    ASSERT_EQ(data(99, 0, true, 1), kOk);
    EXPECT_EQ(undecided(), 99);
    EXPECT_EQ(unstable(), 99);
    ASSERT_EQ(data(105, 0, true, 2), kOk);
    EXPECT_EQ(undecided(), 99);
    EXPECT_EQ(unstable(), 99);
    ASSERT_EQ(marker(ControlType::kCommit, 109, 1), kOk);
    EXPECT_EQ(undecided(), 105);
    EXPECT_EQ(unstable(), 99);
    high_watermark(100);
    EXPECT_EQ(unstable(), 99);
    high_watermark(110);
    EXPECT_EQ(unstable(), 105);
    ASSERT_EQ(marker(ControlType::kAbort, 112, 2), kOk);
    EXPECT_EQ(undecided(), -1);
    EXPECT_EQ(unstable(), 105);
    high_watermark(113);
    EXPECT_EQ(unstable(), -1);
}

TEST_F(ProducerTransactionRows, P25_StableOffsetOfATransactionThatEnds) {
    constexpr std::int64_t kStart = 992342;
    ASSERT_EQ(data(kStart, 0, true, 1), kOk);
    ASSERT_EQ(data(kStart + 25, 0, true, 2), kOk);
    ASSERT_EQ(data(kStart + 57, 0, true, 3), kOk);
    const auto end = [&](std::int64_t producer, std::int64_t first, std::int64_t at) {
        const CompletedTransaction over{ProducerId(producer), Offset(first), Offset(at), false};
        const std::int64_t stable = states_.last_stable_offset(over).value();
        states_.complete(over);
        high_watermark(at + 1);
        return stable;
    };
    EXPECT_EQ(end(1, kStart, kStart + 72), kStart + 25);
    EXPECT_EQ(unstable(), kStart + 25);
    EXPECT_EQ(end(3, kStart + 57, kStart + 92), kStart + 25);
    EXPECT_EQ(unstable(), kStart + 25);
    EXPECT_EQ(end(2, kStart + 25, kStart + 170), kStart + 171);
    EXPECT_EQ(unstable(), -1);
}

TEST_F(ProducerTransactionRows, P26_EmptyTransactionsChangeNothing) {
    std::int32_t sequence = 0;
    const auto add_data = [&](ProducerAppend& append, std::int64_t first, std::int64_t last) {
        const auto count = static_cast<std::int32_t>(last - first + 1);
        const auto refusal = append.add_batch({ProducerEpoch(0),
                                               sequence,
                                               sequence + count - 1,
                                               Offset(first),
                                               Offset(last),
                                               now_ms_,
                                               true});
        EXPECT_EQ(refusal, kOk);
        sequence += count;
    };
    std::vector<CompletedTransaction> completed;
    const auto add_end = [&](ProducerAppend& append, ControlType type, std::int64_t at) {
        EXPECT_EQ(append.add_marker({ProducerEpoch(0), {type, 0}, Offset(at), now_ms_}), kOk);
        if (append.completed()) {
            completed.push_back(*append.completed());
        }
    };
    ProducerAppend first = states_.prepare(ProducerId(1), AppendOrigin::kClient);
    add_data(first, 16, 20);
    states_.apply(first);
    high_watermark(21);
    EXPECT_EQ(unstable(), 16);

    ProducerAppend second = states_.prepare(ProducerId(1), AppendOrigin::kClient);
    add_end(second, ControlType::kCommit, 21);
    add_end(second, ControlType::kCommit, 22);
    add_end(second, ControlType::kAbort, 23);
    add_data(second, 24, 27);
    add_end(second, ControlType::kAbort, 28);
    add_end(second, ControlType::kAbort, 29);
    add_data(second, 30, 31);
    EXPECT_EQ(completed,
              (std::vector<CompletedTransaction>{{ProducerId(1), Offset(16), Offset(21), false},
                                                 {ProducerId(1), Offset(24), Offset(28), true}}));
    ASSERT_EQ(second.started().size(), 2U);
    EXPECT_EQ(second.started()[0], Offset(24));
    EXPECT_EQ(second.started()[1], Offset(30));
    states_.apply(second);
    for (const CompletedTransaction& one : completed) {
        states_.complete(one);
    }
    high_watermark(32);
    EXPECT_EQ(unstable(), 30);
}

class LateTransactionRows : public ProducerDriver {
  protected:
    static constexpr std::int64_t kTimeoutMs = 300'000;
    static constexpr std::int64_t kLateMs = kTimeoutMs + 5 * 60 * 1000;

    [[nodiscard]] bool is_late() const { return states_.has_late_transaction(now_ms_, kTimeoutMs); }
};

TEST_F(LateTransactionRows, P29_OldestTransactionIsLate) {
    ASSERT_EQ(data(100, 0, true, 39, 2), kOk);
    EXPECT_FALSE(is_late());
    now_ms_ += 500;
    ASSERT_EQ(data(150, 0, true, 57, 9), kOk);
    now_ms_ += kLateMs - 500;
    EXPECT_FALSE(is_late());
    now_ms_ += 1;
    EXPECT_TRUE(is_late());
    now_ms_ += 500;
    ASSERT_EQ(marker(ControlType::kCommit, 200, 39, 2), kOk);
    EXPECT_TRUE(is_late()) << "the second one too by now";
    ASSERT_EQ(marker(ControlType::kCommit, 250, 57, 9), kOk);
    EXPECT_FALSE(is_late());
}

TEST_F(LateTransactionRows, P29_StillLateAfterAReload) {
    ASSERT_EQ(data(100, 0, true, 39, 2), kOk);
    snapshot();
    now_ms_ += kLateMs + 1;
    restart();
    reload(0, 101);
    EXPECT_TRUE(is_late());
}

TEST_F(LateTransactionRows, P29_NotLateOnceItIsCutOff) {
    ASSERT_EQ(data(100, 0, true, 39, 2), kOk);
    now_ms_ += kLateMs + 1;
    ASSERT_TRUE(is_late());
    reload(0, 80);
    EXPECT_FALSE(is_late());
}

TEST_F(LateTransactionRows, P29_NotLateWhenEverythingStartsAnew) {
    ASSERT_EQ(data(100, 0, true, 39, 2), kOk);
    now_ms_ += kLateMs + 1;
    ASSERT_TRUE(is_late());
    states_.clear();
    EXPECT_FALSE(is_late());
}

}  // namespace
}  // namespace klab::storage
