package dev.baton.lock.autoconfigure;

/** Thrown if a property below {@code baton} is set and does not exist. */
final class UnknownPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    UnknownPropertyException(String description, String action) {
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
