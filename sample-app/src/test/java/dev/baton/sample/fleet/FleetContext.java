package dev.baton.sample.fleet;

import dev.baton.sample.embedded.EmbeddedRedisInitializer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

/** The whole application on a port of its own, shared by all tests, with servers that wait for the test. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "fleet.report-time=300ms")
@ContextConfiguration(initializers = EmbeddedRedisInitializer.class)
@Import({GatedServerAgent.class, FleetClient.class})
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface FleetContext {}
