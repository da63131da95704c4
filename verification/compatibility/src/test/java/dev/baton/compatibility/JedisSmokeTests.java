package dev.baton.compatibility;

class JedisSmokeTests extends SmokeTests {

    @Override
    String driver() {
        return "jedis";
    }
}
