package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/**
 * Tests in the class files that no class of Baton uses a monitor, in which a waiting virtual thread would pin its
 * carrier before Java 24.
 */
class MonitorTests {

    @Test
    void noClassUsesAMonitor() throws Exception {
        List<Path> classes = Libraries.classFiles();
        assertThat(classes).hasSizeGreaterThan(200);
        assertThat(classes.stream().flatMap(file -> monitors(read(file)).stream()))
                .isEmpty();
    }

    @Test
    void everyUseOfAMonitorIsFound() throws IOException {
        String name = "/" + Monitors.class.getName().replace('.', '/') + ".class";
        try (InputStream in = Monitors.class.getResourceAsStream(name)) {
            assertThat(monitors(in.readAllBytes()))
                    .extracting(found -> found.replaceFirst(".*\\.", ""))
                    .containsExactlyInAnyOrder(
                            "method is synchronized",
                            "block is synchronized",
                            "block calls notifyAll",
                            "waits calls wait");
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<String> monitors(byte[] bytes) {
        List<String> found = new ArrayList<>();
        ClassReader reader = new ClassReader(bytes);
        reader.accept(
                new MonitorFinder(reader.getClassName(), found), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return found;
    }

    private static final class MonitorFinder extends ClassVisitor {

        private static final Set<String> METHODS = Set.of("wait", "notify", "notifyAll");

        private final String type;
        private final List<String> found;

        MonitorFinder(String type, List<String> found) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.found = found;
        }

        @Override
        public MethodVisitor visitMethod(int access, String method, String form, String generic, String[] thrown) {
            String place = type + "." + method;
            if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                found.add(place + " is synchronized");
            }
            return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {
                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.MONITORENTER) {
                        found.add(place + " is synchronized");
                    }
                }

                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String form, boolean iface) {
                    if (owner.equals("java/lang/Object") && METHODS.contains(called)) {
                        found.add(place + " calls " + called);
                    }
                }
            };
        }
    }

    /** The uses that must be found. */
    static class Monitors {

        static synchronized void method() {}

        void block() {
            synchronized (this) {
                notifyAll();
            }
        }

        @SuppressWarnings("WaitNotInLoop")
        void waits() throws InterruptedException {
            wait(1);
        }
    }
}
