package dev.baton.lock.mutation;

/**
 * A script file with one change.
 *
 * @param id the id in the file of accepted survivors, which does not depend on other lines
 * @param file the path of the script file below all scripts
 * @param line the line of the change, from 1
 * @param code the line before the change
 * @param change the description of the change
 * @param source the whole changed file
 */
record Mutant(String id, String file, int line, String code, String change, String source) {

    String place() {
        return file + ":" + line;
    }

    @Override
    public String toString() {
        return place() + ": " + code + "\n      " + change;
    }
}
