// plant: lock-core/src/test/java/dev/baton/lock/OddNameTest.java
// gate: checkstyle, names of test classes | OddNameTest\.java:.*RegexpOnFilename
package dev.baton.lock;

class OddNameTest {}
