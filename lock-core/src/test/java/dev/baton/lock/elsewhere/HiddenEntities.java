package dev.baton.lock.elsewhere;

/** Makes objects of a class that other packages cannot see. */
public final class HiddenEntities {

    private HiddenEntities() {}

    public static Object withId(String id) {
        return new HiddenEntity(id);
    }

    private record HiddenEntity(String id) {}
}
