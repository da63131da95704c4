package dev.baton.sample.simulate;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A simulation that is started and watched over HTTP. */
@Configuration(proxyBeanMethods = false)
@Import({SimulationJobs.class, SimulationController.class})
public class SimulationWeb {}
