package dev.baton.lock.support;

/**
 * Who asks, within this process.
 *
 * @param id of a thread or a chosen owner; never the same for both
 * @param label for people
 * @param chosen whether the request names it, so that several threads may ask for it at the same time
 */
record Requester(String id, String label, boolean chosen) {

    /** Its id as the store knows it. */
    String owner(String instance) {
        return instance + ":" + id;
    }
}
