package dev.baton.lock.autoconfigure;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The names below {@code baton} that have a meaning, whether or not the auto-configuration that reads them is active.
 *
 * <p>The names are those that Boot's binder looks up for the {@code @ConfigurationProperties} classes. So no second list
 * of names has to be kept.
 */
final class KnownProperties {

    /** All classes of properties below {@code baton}. */
    static final List<Class<?>> CLASSES = List.of(
            LockProperties.class,
            LockLogProperties.class,
            LockCacheProperties.class,
            LockMetricsProperties.class,
            LockObservationProperties.class,
            LockBoardProperties.class);

    /** Stands for the key of an entry in a map: {@code baton.scopes.any.expire}. */
    private static final String ANY = "any";

    /** A source that has no property, but may have one below any name. So the binder looks up every name. */
    private static final ConfigurationPropertySource NOTHING = name -> null;

    private final Set<ConfigurationPropertyName> values = new LinkedHashSet<>();
    private final Set<ConfigurationPropertyName> groups = new LinkedHashSet<>();
    private final Set<ConfigurationPropertyName> maps = new LinkedHashSet<>();

    KnownProperties() {
        for (Class<?> type : CLASSES) {
            String prefix = MergedAnnotations.from(type)
                    .get(ConfigurationProperties.class)
                    .getString("prefix");
            lookUp(ConfigurationPropertyName.of(prefix), ResolvableType.forClass(type));
        }
    }

    private void lookUp(ConfigurationPropertyName prefix, ResolvableType type) {
        new Binder(NOTHING).bind(prefix, Bindable.of(type), new BindHandler() {
            @Override
            public <T> Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
                add(name, target.getType());
                return target;
            }
        });
    }

    private void add(ConfigurationPropertyName name, ResolvableType type) {
        if (values.stream().anyMatch(value -> value.isAncestorOf(name))) {
            // the binder tries the constructor of a value class, too, but the text of the value is what is documented
            return;
        }
        if (Map.class.isAssignableFrom(type.toClass())) {
            maps.add(name);
            groups.add(name);
            lookUp(name.append(ANY), type.asMap().getGeneric(1));
        } else if (type.toClass().isRecord()) {
            groups.add(name);
        } else {
            values.add(name);
        }
    }

    /** Returns all names, with {@code any} for the key of an entry in a map. */
    Stream<ConfigurationPropertyName> values() {
        return values.stream();
    }

    /** Returns whether a property of this name has a meaning. */
    boolean isValue(ConfigurationPropertyName name) {
        return values.contains(general(name));
    }

    /** Returns whether the name has no value of its own, but names that have one are below it. */
    boolean isGroup(ConfigurationPropertyName name) {
        return groups.contains(general(name));
    }

    /** Returns the name with {@code any} for the key of an entry in a map. */
    ConfigurationPropertyName general(ConfigurationPropertyName name) {
        ConfigurationPropertyName map = mapAbove(name);
        if (map == null) {
            return name;
        }
        int key = map.getNumberOfElements();
        ConfigurationPropertyName entry = map.append(ANY);
        return name.getNumberOfElements() == key + 1 ? entry : entry.append(name.subName(key + 1));
    }

    /** Returns the map that has an entry of this name or above it, or {@code null} if the name is in no map. */
    @Nullable
    ConfigurationPropertyName mapAbove(ConfigurationPropertyName name) {
        return maps.stream().filter(map -> map.isAncestorOf(name)).findFirst().orElse(null);
    }
}
