package dev.baton.sample.simulate;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One turn on the server, as seen by its holder. The times are {@link System#nanoTime()}, which all processes of a
 * machine read from the same clock.
 *
 * @param process the process that had it
 * @param asked when it was asked for
 * @param started when it was given
 * @param ended when it was about to be given back
 */
record Turn(int process, long asked, long started, long ended) {

    static void write(List<Turn> turns, Path file) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            out.writeInt(turns.size());
            for (Turn turn : turns) {
                out.writeInt(turn.process);
                out.writeLong(turn.asked);
                out.writeLong(turn.started);
                out.writeLong(turn.ended);
            }
        }
    }

    static List<Turn> read(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            int size = in.readInt();
            List<Turn> turns = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                turns.add(new Turn(in.readInt(), in.readLong(), in.readLong(), in.readLong()));
            }
            return turns;
        }
    }
}
