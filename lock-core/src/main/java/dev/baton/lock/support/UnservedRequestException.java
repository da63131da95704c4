package dev.baton.lock.support;

/** Thrown for a request that the store cannot serve with its settings. */
public final class UnservedRequestException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String setting;
    private final String problem;
    private final String remedy;

    /**
     * Creates the exception.
     *
     * @param setting the setting of the request that the store cannot serve, such as {@code mode}
     */
    UnservedRequestException(String setting, String problem, String remedy) {
        super(problem + "; " + remedy);
        this.setting = setting;
        this.problem = problem;
        this.remedy = remedy;
    }

    /** Returns the setting of the request that the store cannot serve: {@code mode}, for example. */
    public String setting() {
        return setting;
    }

    /** Returns what the store cannot do, without the remedy. */
    public String problem() {
        return problem;
    }

    /** Returns what to do. */
    public String remedy() {
        return remedy;
    }
}
