// SPDX-License-Identifier: Apache-2.0
//
// Background work without threads: what is due at once is done by the caller, what is due later or
// again and again is left undone.

import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.server.util.Scheduler;

final class AtOnceScheduler implements Scheduler {
    @Override
    public void startup() { }

    @Override
    public void shutdown() { }

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
        Task scheduled = new Task(task);
        if (delayMs <= 0 && periodMs < 0) {
            scheduled.run();
        }
        return scheduled;
    }

    @Override
    public void resizeThreadPool(int size) { }

    private static final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
        Task(Runnable work) {
            super(work, null);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
