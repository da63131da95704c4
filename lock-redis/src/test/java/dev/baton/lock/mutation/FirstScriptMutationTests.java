package dev.baton.lock.mutation;

class FirstScriptMutationTests extends ScriptMutations {

    FirstScriptMutationTests() {
        super(0);
    }
}
