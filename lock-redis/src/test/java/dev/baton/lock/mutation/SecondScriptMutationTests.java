package dev.baton.lock.mutation;

class SecondScriptMutationTests extends ScriptMutations {

    SecondScriptMutationTests() {
        super(1);
    }
}
