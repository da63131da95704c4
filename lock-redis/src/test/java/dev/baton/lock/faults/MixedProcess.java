package dev.baton.lock.faults;

import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import dev.baton.lock.support.CohortMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Main class of another JVM, which runs its part of a mixed load until it is killed. Arguments: host, port, name,
 * threads, seed, maximum number of local passes, client. Prints {@code ready}, and then its events, one per line.
 */
final class MixedProcess {

    private MixedProcess() {}

    public static void main(String[] args) throws InterruptedException {
        CohortMode.set(Integer.parseInt(args[5]));
        BatonContender contender =
                BatonContender.start(new Backend(Client.valueOf(args[6]), 0), args[0], Integer.parseInt(args[1]));
        MixedRun.warmUp(contender);
        System.out.println("ready");
        List<MixedWorker> workers = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[3]); i++) {
            MixedWorker worker =
                    new MixedWorker(args[2], i, contender, Long.parseLong(args[4]) + i, MixedProcess::print);
            workers.add(worker);
            worker.start();
        }
        for (MixedWorker worker : workers) {
            worker.join();
        }
    }

    private static void print(HistoryEvent event) {
        System.out.println(event.toLine());
    }
}
