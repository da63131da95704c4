package dev.baton.lock.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the mutations that are found in a script. */
class LuaMutationsTests {

    @Test
    void comparisonIsReversedAndMovedAtItsBorder() {
        assertThat(sources("if a < b then f(1) end"))
                .contains("if a >= b then f(1) end", "if a <= b then f(1) end", "if a < b then do end end")
                .hasSize(3);
        assertThat(sources("return a == #b[1] + 2")).containsExactly("return a ~= #b[1] + 2");
    }

    @Test
    void eachOperandIsLeftOutOnce() {
        assertThat(sources("return a and f(b) and c"))
                .containsExactly("return f(b) and c", "return a and c", "return a and f(b)");
        assertThat(sources("return a and 1 or 0"))
                .containsExactly("return 0", "return a and 1", "return 1 or 0", "return a or 0");
    }

    @Test
    void conditionAndEachOfItsPartsIsNegated() {
        assertThat(sources("while a.x and (b or not c) do break end"))
                .contains(
                        "while not (a.x and (b or not c)) do break end",
                        "while not a.x and (b or not c) do break end",
                        "while a.x and (not b or not c) do break end",
                        "while a.x and (b or c) do break end");
        assertThat(sources("if a then elseif f() then end"))
                .containsExactly("if not a then elseif f() then end", "if a then elseif not f() then end");
        assertThat(sources("repeat local x = 1 until x")).containsExactly("repeat local x = 1 until not x");
    }

    @Test
    void writesAreDeleted() {
        assertThat(sources("local a = 1\na = f(a)\nb.c[#d + 1] = { e = a }"))
                .containsExactly(
                        "local a = 1\ndo end\nb.c[#d + 1] = { e = a }",
                        "local a = 1\nlocal _ = f(a)\nb.c[#d + 1] = { e = a }",
                        "local a = 1\na = f(a)\ndo end",
                        "local a = 1\na = f(a)\nb.c[#d + 1] = { e = nil }");
        assertThat(sources("redis.call('DEL', k)")).containsExactly("do end");
    }

    @Test
    void writingCommandWhoseReplyIsUsedIsNotSent() {
        assertThat(sources("local n = redis.pcall('PUBLISH', a, b)")).containsExactly("local n = 1");
        assertThat(sources("return redis.call('GET', k)")).isEmpty();
    }

    @Test
    void functionsAndLoopsAreSearched() {
        assertThat(sources("local function f(a, b)\n  for i, x in ipairs(a) do g(x) end\nend"))
                .containsExactly("local function f(a, b)\n  for i, x in ipairs(a) do do end end\nend");
        assertThat(sources("return pcall(function(...) return a > 1 end)")).hasSize(2);
    }

    @Test
    void textsAndCommentsAreNotSearched() {
        assertThat(sources("-- if a then\n--[[ x = 1\n]] local s = 'a < b' .. \"\\\" and\" .. [==[ y = 2 ]] ]==]"))
                .isEmpty();
    }

    @Test
    void idOfAMutantNamesItsCodeAndChangeAndNotItsLineNumber() {
        String code = "if a == 1 then\n  b = 1\nend\nif a == 1 then end";
        List<String> ids =
                LuaMutations.of("x.lua", code).stream().map(Mutant::id).toList();
        assertThat(ids)
                .containsExactly(
                        "x.lua | if a == 1 then | a == 1 -> a ~= 1",
                        "x.lua | b = 1 | delete",
                        "x.lua | if a == 1 then end | a == 1 -> a ~= 1");
        assertThat(LuaMutations.of("x.lua", "-- more\n\n" + code))
                .extracting(Mutant::id)
                .isEqualTo(ids);
        assertThat(LuaMutations.of("x.lua", code))
                .extracting(Mutant::place)
                .containsExactly("x.lua:1", "x.lua:2", "x.lua:4");
    }

    @Test
    void sameChangeOfTheSameLineIsNumbered() {
        assertThat(LuaMutations.of("x.lua", "f()\nf()"))
                .extracting(Mutant::id)
                .containsExactly("x.lua | f() | delete", "x.lua | f() | delete | 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"if a then", "a +", "end", "x = = 1", "local a = 'b", "f(", "a.b"})
    void invalidLuaIsRefused(String source) {
        assertThatIllegalArgumentException().isThrownBy(() -> LuaMutations.of("x.lua", source));
    }

    private static List<String> sources(String source) {
        return LuaMutations.of("x.lua", source).stream().map(Mutant::source).toList();
    }
}
