package dev.baton.lock.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/**
 * Records the calls between Baton's classes. A task is loaded a second time, with all classes of Baton that it uses,
 * and each of their methods reports its call. Calls within one class, and between a type and its nested types, are not
 * recorded.
 */
public final class CallRecorder extends ClassLoader {

    private static final String OURS = "dev.baton.lock.";
    private static final StackWalker STACK = StackWalker.getInstance();
    private static final List<String> CALLS = new CopyOnWriteArrayList<>();

    private CallRecorder() {
        super(CallRecorder.class.getClassLoader());
    }

    /**
     * Runs a task, which needs a constructor without parameters. Returns its calls as {@code Caller -> Callee}, in
     * order.
     */
    public static synchronized List<String> callsOf(Class<? extends Runnable> task) throws Exception {
        CALLS.clear();
        Class<?> recorded = new CallRecorder().loadClass(task.getName());
        var constructor = recorded.getDeclaredConstructor();
        constructor.setAccessible(true);
        ((Runnable) constructor.newInstance()).run();
        return List.copyOf(CALLS);
    }

    /** Forgets the calls so far, because the recorded part of the task starts now. */
    public static void begin() {
        CALLS.clear();
    }

    /** Called by each method of Baton. */
    public static void called() {
        List<String> types = STACK.walk(frames -> frames.skip(1)
                .map(StackWalker.StackFrame::getClassName)
                .filter(name -> name.startsWith(OURS))
                .map(CallRecorder::simpleName)
                .limit(2)
                .toList());
        if (types.size() == 2 && !types.get(0).equals(types.get(1))) {
            CALLS.add(types.get(1) + " -> " + types.get(0));
        }
    }

    private static String simpleName(String name) {
        String simple = name.substring(name.lastIndexOf('.') + 1);
        int nested = simple.indexOf('$');
        return nested < 0 ? simple : simple.substring(0, nested);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || name.equals(CallRecorder.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = getParent().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            ClassReader reader = new ClassReader(in.readAllBytes());
            ClassWriter writer = new ClassWriter(reader, 0);
            reader.accept(new CallReporter(writer), 0);
            byte[] bytes = writer.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Makes each method report its call first. */
    private static final class CallReporter extends ClassVisitor {

        CallReporter(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, type, signature, exceptions);
            return name.startsWith("<")
                    ? method
                    : new MethodVisitor(Opcodes.ASM9, method) {
                        @Override
                        public void visitCode() {
                            super.visitCode();
                            String recorder = CallRecorder.class.getName().replace('.', '/');
                            visitMethodInsn(Opcodes.INVOKESTATIC, recorder, "called", "()V", false);
                        }
                    };
        }
    }
}
