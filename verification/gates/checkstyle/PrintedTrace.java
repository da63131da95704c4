// plant: lock-core/src/main/java/dev/baton/lock/support/PrintedTrace.java
// gate: checkstyle, printStackTrace | PrintedTrace\.java:.*RegexpSinglelineJava.*Log the exception
package dev.baton.lock.support;

/** Prints an exception where no log has it. */
final class PrintedTrace {

    void print(Exception ex) {
        ex.printStackTrace();
    }
}
