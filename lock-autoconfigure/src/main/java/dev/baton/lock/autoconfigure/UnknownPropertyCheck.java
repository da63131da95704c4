package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockNames;
import dev.baton.lock.interceptor.validation.SimilarNames;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ObjectUtils;

/**
 * Fails the start if a property below {@code baton} does not exist: a mistyped name would silently leave the default.
 *
 * <p>Checks files, command-line arguments, system properties and every other source that lists its names. Environment
 * variables only cause a warning, because all software of a machine or container sees them: Kubernetes sets
 * {@code BATON_PORT} for a service named baton.
 *
 * <p>Runs before all beans, whose failure might be due to the mistyped name.
 */
final class UnknownPropertyCheck implements BeanFactoryPostProcessor {

    private static final ConfigurationPropertyName ALL = ConfigurationPropertyName.of(LockProperties.PREFIX);

    private final Environment environment;
    private final KnownProperties known = new KnownProperties();
    private final PropertySuggestions suggestions = new PropertySuggestions(known);

    UnknownPropertyCheck(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        List<String> problems = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource variables) {
                new UnknownVariablesWarning(known).log(variables.getPropertyNames());
            } else if (source instanceof IterableConfigurationPropertySource names) {
                names.stream().filter(ALL::isAncestorOf).distinct().forEach(name -> check(name, names, problems));
            }
        }
        if (!problems.isEmpty()) {
            throw new UnknownPropertyException(
                    String.join("\n", problems),
                    "Correct the name, or remove the property. Every name below 'baton.' belongs to Baton: give a property of"
                            + " the application another prefix.");
        }
    }

    private void check(ConfigurationPropertyName name, ConfigurationPropertySource source, List<String> problems) {
        if (known.isValue(name)) {
            return;
        }
        ConfigurationProperty property = source.getConfigurationProperty(name);
        // a section of a YAML file that has no lines left is an empty value
        if (property == null || known.isGroup(name) && ObjectUtils.isEmpty(property.getValue())) {
            return;
        }
        String problem = "The configuration property '" + LockNames.printable(DurationBindHandler.asWritten(name)) + "'"
                + LockPropertyFailureAnalyzer.origin(property)
                + (known.isGroup(name) ? " takes no value, but has properties below it. " : " does not exist. ")
                + SimilarNames.suggest(suggestions.of(name));
        problems.add(problem.strip());
    }
}
