/**
 * How a lock behaves, once for all: scenarios that the tests of lock-test run in virtual time, in every mode of the engine, and
 * the tests of lock-redis on a real Redis. Begin with {@link dev.baton.lock.scenario.Fleet}.
 */
@org.jspecify.annotations.NullMarked
package dev.baton.lock.scenario;
