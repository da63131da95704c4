package dev.baton.lock.autoconfigure;

/** It is not clear which Redis the locks are kept in: no connection factory, several, or none of the configured name. */
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
