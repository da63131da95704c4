package dev.baton.lock.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Reads the version of Baton from the manifest of its jar. Pure functions. */
final class BatonVersion {

    /** The version of classes outside a jar, as in an IDE, or in a jar without a version. */
    static final String UNKNOWN = "development";

    private BatonVersion() {}

    /** Returns the version of Baton, or {@value #UNKNOWN} if the manifest has none. */
    static String get() {
        return of(BatonVersion.class);
    }

    /** Returns the {@code Implementation-Version} of the jar of a class, or {@value #UNKNOWN} if there is none. */
    static String of(Class<?> type) {
        Package home = type.getPackage();
        @Nullable String version = home == null ? null : home.getImplementationVersion();
        return version == null || version.isBlank() ? UNKNOWN : version;
    }
}
