package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockDefinitionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a method of several interfaces: their lock applies if they agree, or if one of them is nearer. */
class SeveralInterfacesTests {

    private final AnnotationLockAttributeSource source = new AnnotationLockAttributeSource(text -> text);

    @Test
    void interfacesMayAgree() {
        assertThat(scope(Door.class)).isEqualTo("doors");
        assertThat(scope(Cabinet.class)).isEqualTo("cabinets");
    }

    @Test
    void methodOfTheClassOverridesItsInterfaces() {
        assertThat(scope(SafeDoor.class)).isEqualTo("safes");
    }

    @Test
    void subinterfaceOverridesItsSuperinterface() {
        assertThat(scope(Gate.class)).isEqualTo("gates");
        assertThat(scope(GateByTheOtherOrder.class)).isEqualTo("gates");
        assertThat(scope(InheritedGate.class)).isEqualTo("gates");
        assertThat(scope(Drawer.class)).isEqualTo("drawers");
    }

    @Test
    void interfaceOfTheClassOverridesASuperclass() {
        assertThat(scope(LiftedDoor.class)).isEqualTo("hatches");
    }

    @Test
    void superclassOverridesItsInterface() {
        assertThat(scope(SaferDoor.class)).isEqualTo("safes");
    }

    @Test
    void classOverridesItsInterfaces() {
        assertThat(scope(OwnLocker.class)).isEqualTo("own");
    }

    @ParameterizedTest
    @ValueSource(classes = {Hatch.class, ForcedDoor.class, InheritedDoor.class})
    void unrelatedInterfacesThatDisagreeAreRefused(Class<?> type) {
        assertRefused(type, "method of the class, which takes precedence over both");
    }

    /** A lock of the method does not help, because the class fills its unset attributes. */
    @ParameterizedTest
    @ValueSource(classes = {Locker.class, LockerWithALockOfItsMethod.class})
    void unrelatedInterfacesWithDifferentTypeLocksAreRefused(Class<?> type) {
        assertRefused(type, "Annotate the class, which takes precedence over both");
    }

    private void assertRefused(Class<?> type, String remedy) {
        assertThatThrownBy(() -> scope(type))
                .isInstanceOfSatisfying(
                        LockDefinitionException.class,
                        ex -> assertThat(ex.beanClass()).isEqualTo(type))
                .hasMessageContaining("declare different locks for it, and only one of them would be used")
                .hasMessageContaining(remedy);
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

    interface Opener {
        @DistributedLock("doors")
        void open();
    }

    interface Unlocker {
        @DistributedLock("doors")
        void open();
    }

    interface Lifter {
        @DistributedLock("hatches")
        void open();
    }

    interface Forcer {
        @NoDistributedLock
        void open();
    }

    interface SecondOpener extends Opener {
        @Override
        @DistributedLock("gates")
        void open();
    }

    @DistributedLock("cabinets")
    interface Storage {
        void open();
    }

    @DistributedLock("cabinets")
    interface Keeper {
        void open();
    }

    @DistributedLock("drawers")
    interface Slider extends Storage {
        @Override
        void open();
    }

    @DistributedLock("lockers")
    interface Hider {
        void open();
    }

    public static class Plain {
        public void open() {}
    }

    public static class Door implements Opener, Unlocker {
        @Override
        public void open() {}
    }

    public static class Cabinet extends Plain implements Storage, Keeper {}

    public static class SafeDoor implements Opener, Lifter {
        @Override
        @DistributedLock("safes")
        public void open() {}
    }

    public static class Gate implements SecondOpener {
        @Override
        public void open() {}
    }

    public static class Hatch implements Opener, Lifter {
        @Override
        public void open() {}
    }

    public static class ForcedDoor implements Opener, Forcer {
        @Override
        public void open() {}
    }

    public static class InheritedDoor extends Plain implements Opener, Lifter {}

    public static class Locker implements Storage, Hider {
        @Override
        public void open() {}
    }

    public static class GateByTheOtherOrder implements Opener, SecondOpener {
        @Override
        public void open() {}
    }

    public static class InheritedGate extends Plain implements Opener, SecondOpener {}

    public static class Drawer implements Storage, Slider {
        @Override
        public void open() {}
    }

    public static class LockerWithALockOfItsMethod implements Storage, Hider {
        @Override
        @DistributedLock(expire = 7)
        public void open() {}
    }

    @DistributedLock("own")
    public static class OwnLocker implements Storage, Hider {
        @Override
        public void open() {}
    }

    public static class Chest {
        @DistributedLock("chests")
        public void open() {}
    }

    public static class LiftedDoor extends Chest implements Lifter {
        @Override
        public void open() {}
    }

    public static class Safe implements Opener {
        @Override
        @DistributedLock("safes")
        public void open() {}
    }

    public static class SaferDoor extends Safe implements Opener {
        @Override
        public void open() {}
    }
}
