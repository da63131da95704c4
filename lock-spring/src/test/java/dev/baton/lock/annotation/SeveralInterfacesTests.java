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
        assertThat(scope(GateByTheOtherOrder.class)).isEqualTo("gates");
        assertThat(scope(InheritedGate.class)).isEqualTo("gates");
        assertThat(scope(Drawer.class)).isEqualTo("drawers");
    }

    @Test
    void interfaceThatTheClassNamesComesBeforeASuperclassThatDoesNot() {
        assertThat(scope(LiftedDoor.class)).isEqualTo("hatches");
    }

    @Test
    void superclassThatImplementsAnInterfaceComesBeforeIt() {
        assertThat(scope(SaferDoor.class)).isEqualTo("safes");
    }

    @Test
    void classComesBeforeThem() {
        assertThat(scope(OwnLocker.class)).isEqualTo("own");
    }

    @ParameterizedTest
    @ValueSource(classes = {Hatch.class, ForcedDoor.class, InheritedDoor.class})
    void unrelatedOnesThatDisagreeAreRefused(Class<?> type) {
        assertRefused(type, "method of the class, which takes precedence over both");
    }

    /** Also where the method has its own: the class adds to it what it leaves open. */
    @ParameterizedTest
    @ValueSource(classes = {Locker.class, LockerWithALockOfItsMethod.class})
    void unrelatedOnesWhoseTypesDisagreeAreRefused(Class<?> type) {
        assertRefused(type, "Annotate the class, which takes precedence over both");
    }

    private void assertRefused(Class<?> type, String remedy) {
        assertThatThrownBy(() -> scope(type))
                .isInstanceOfSatisfying(
                        LockDefinitionException.class,
                        ex -> assertThat(ex.getBeanClass()).isEqualTo(type))
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

    @DistributedLock("drawers")
    interface Sliding extends Storing {
        @Override
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

    public static class GateByTheOtherOrder implements Opening, OpeningAnew {
        @Override
        public void open() {}
    }

    public static class InheritedGate extends Plain implements Opening, OpeningAnew {}

    public static class Drawer implements Storing, Sliding {
        @Override
        public void open() {}
    }

    public static class LockerWithALockOfItsMethod implements Storing, Hiding {
        @Override
        @DistributedLock(expire = 7)
        public void open() {}
    }

    @DistributedLock("own")
    public static class OwnLocker implements Storing, Hiding {
        @Override
        public void open() {}
    }

    public static class Chest {
        @DistributedLock("chests")
        public void open() {}
    }

    public static class LiftedDoor extends Chest implements Lifting {
        @Override
        public void open() {}
    }

    public static class Safe implements Opening {
        @Override
        @DistributedLock("safes")
        public void open() {}
    }

    public static class SaferDoor extends Safe implements Opening {
        @Override
        public void open() {}
    }
}
