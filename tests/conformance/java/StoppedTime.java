// SPDX-License-Identifier: Apache-2.0
//
// A clock that stands still until it is set, so that what Kafka writes is the same every time.

import java.util.function.Supplier;

import org.apache.kafka.common.utils.Time;

final class StoppedTime implements Time {
    private long nowMs;

    StoppedTime(long nowMs) {
        this.nowMs = nowMs;
    }

    void set(long milliseconds) {
        nowMs = milliseconds;
    }

    @Override
    public long milliseconds() {
        return nowMs;
    }

    @Override
    public long nanoseconds() {
        return nowMs * 1_000_000;
    }

    @Override
    public void sleep(long milliseconds) {
        nowMs += milliseconds;
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) {
        throw new UnsupportedOperationException("nothing here waits");
    }
}
