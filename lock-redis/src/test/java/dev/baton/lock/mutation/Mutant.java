package dev.baton.lock.mutation;

/**
 * A script file with one change.
 *
 * @param id what it is called in the file of accepted survivors: stays the same while other lines change
 * @param file the name of the script file
 * @param line where the change is, from 1
 * @param code the line before the change
 * @param change what is changed in it
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
