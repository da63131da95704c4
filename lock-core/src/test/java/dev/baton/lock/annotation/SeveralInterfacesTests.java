package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockDefinitionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A method that several interfaces declare: what they say of its lock counts if they agree, or if one is nearer. */
class SeveralInterfacesTests {

    private final AnnotationLockAttributeSource source = new AnnotationLockAttributeSource(text -> text);

    @Test
    void interfacesMayAgree() {
        assertThat(scope(Door.class)).isEqualTo("doors");
        assertThat(scope(Cabinet.class)).isEqualTo("cabinets");
    }

    @Test
    void methodOfTheClassComesBeforeThem() {
        assertThat(scope(SafeDoor.class)).isEqualTo("safes");
    }

    @Test
    void extendingInterfaceComesBeforeTheOneThatItExtends() {
        assertThat(scope(Gate.class)).isEqualTo("gates");
    }

    @ParameterizedTest
    @ValueSource(classes = {Hatch.class, ForcedDoor.class, InheritedDoor.class, Locker.class})
    void unrelatedOnesThatDisagreeAreRefused(Class<?> type) {
        assertThatThrownBy(() -> scope(type))
                .isInstanceOfSatisfying(
                        LockDefinitionException.class,
                        ex -> assertThat(ex.getBeanClass()).isEqualTo(type))
                .hasMessageContaining("say different things of its lock, of which one would be taken")
                .hasMessageContaining("Say it at the method of the class");
    }

    private @Nullable String scope(Class<?> type) {
        try {
            LockAttribute attribute = source.getLockAttribute(type.getMethod("open"), type);
            return attribute == null
                    ? null
                    : attribute.request().targets().get(0).scope();
        } catch (NoSuchMethodException ex) {
            throw new IllegalArgumentException(type + " has no open()", ex);
        }
    }

    interface Opening {
        @DistributedLock("doors")
        void open();
    }

    interface Unlocking {
        @DistributedLock("doors")
        void open();
    }

    interface Lifting {
        @DistributedLock("hatches")
        void open();
    }

    interface Forcing {
        @NoDistributedLock
        void open();
    }

    interface OpeningAnew extends Opening {
        @Override
        @DistributedLock("gates")
        void open();
    }

    @DistributedLock("cabinets")
    interface Storing {
        void open();
    }

    @DistributedLock("cabinets")
    interface Keeping {
        void open();
    }

    @DistributedLock("lockers")
    interface Hiding {
        void open();
    }

    public static class Plain {
        public void open() {}
    }

    public static class Door implements Opening, Unlocking {
        @Override
        public void open() {}
    }

    public static class Cabinet extends Plain implements Storing, Keeping {}

    public static class SafeDoor implements Opening, Lifting {
        @Override
        @DistributedLock("safes")
        public void open() {}
    }

    public static class Gate implements OpeningAnew {
        @Override
        public void open() {}
    }

    public static class Hatch implements Opening, Lifting {
        @Override
        public void open() {}
    }

    public static class ForcedDoor implements Opening, Forcing {
        @Override
        public void open() {}
    }

    public static class InheritedDoor extends Plain implements Opening, Lifting {}

    public static class Locker implements Storing, Hiding {
        @Override
        public void open() {}
    }
}
