package dev.baton.compatibility;

class LettuceSmokeTests extends SmokeTests {

    @Override
    String driver() {
        return "lettuce";
    }
}
