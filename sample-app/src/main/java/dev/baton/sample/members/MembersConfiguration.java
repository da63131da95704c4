package dev.baton.sample.members;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The instances and what the page asks about them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MembersProperties.class)
@Import({Members.class, MemberCalls.class, FleetController.class})
public class MembersConfiguration {}
