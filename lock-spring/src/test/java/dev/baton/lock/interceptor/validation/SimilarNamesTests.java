package dev.baton.lock.interceptor.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarNamesTests {

    private static final List<String> KNOWN =
            List.of("wait-time", "expire", "name", "mode", "id", "customer", "order_line", "orderLines");

    @ParameterizedTest
    @CsvSource({
        "wait-tme, wait-time",
        "waitTmie, wait-time",
        "WAIT_TIME, wait-time",
        "expires, expire",
        "expier, expire",
        "expure, expire",
        "nmae, name",
        "names, name",
        "custmer, customer",
        "kustomer, customer",
        "orderline, order_line",
        "orderLin, order_line",
        "ids, id",
    })
    void nameWithAFewOtherCharactersIsNear(String typed, String meant) {
        assertThat(SimilarNames.of(typed, KNOWN)).containsExactly(meant);
    }

    @ParameterizedTest
    @CsvSource({"code", "nane", "i", "ip", "nothing", "customerNumber", "''"})
    void otherNameIsNotNear(String typed) {
        assertThat(SimilarNames.of(typed, KNOWN)).isEmpty();
    }

    @Test
    void atMostThreeOfTheNearestAreNamedInOrder() {
        assertThat(SimilarNames.of("node", List.of("nodes", "nod", "onde", "anode", "n")))
                .containsExactly("anode", "nod", "nodes");
        assertThat(SimilarNames.of("ab1", List.of("ab", "ab12", "ab1"))).containsExactly("ab1");
    }

    @Test
    void suggestionIsAQuestionWithASpaceBehind() {
        assertThat(SimilarNames.suggest(List.of())).isEmpty();
        assertThat(SimilarNames.suggest(List.of("a"))).isEqualTo("Did you mean 'a'? ");
        assertThat(SimilarNames.suggest(List.of("a", "@'b.c'"))).isEqualTo("Did you mean 'a' or \"@'b.c'\"? ");
    }
}
