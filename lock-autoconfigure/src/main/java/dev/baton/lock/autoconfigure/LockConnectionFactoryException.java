package dev.baton.lock.autoconfigure;

/**
 * Thrown if no usable connection factory can be selected. There is none, there are several, none has the configured
 * name, or the store rejected the selected factory.
 */
final class LockConnectionFactoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    LockConnectionFactoryException(String description, String action) {
        super(description + " " + action);
        this.description = description;
        this.action = action;
    }

    String description() {
        return description;
    }

    String action() {
        return action;
    }
}
