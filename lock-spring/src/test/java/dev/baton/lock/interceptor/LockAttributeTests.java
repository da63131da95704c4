package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WhenBusy;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LockAttributeTests {

    private static final LockAttribute FULL = LockAttribute.of(LockRequest.of("order"))
            .key("#id", "#line")
            .condition("#id > 0")
            .owner("#user")
            .onTimeout("lastReport");

    @Test
    void everySettingCountsInAComparison() {
        List<UnaryOperator<LockAttribute>> changes = List.of(
                attribute -> attribute.key("#id"),
                attribute -> attribute.condition(""),
                attribute -> attribute.owner(""),
                attribute -> attribute.onTimeout(""),
                attribute -> attribute.onTimeout("").whenBusy(WhenBusy.SKIP));

        assertThat(changes)
                .allSatisfy(change -> assertThat(change.apply(FULL))
                        .isNotEqualTo(FULL)
                        .isEqualTo(change.apply(FULL))
                        .hasSameHashCodeAs(change.apply(FULL)));
        assertThat(LockAttribute.of(LockRequest.of("order"))).isNotEqualTo(LockAttribute.of(LockRequest.of("report")));
    }

    @Test
    void textNamesTheRequestAndTheSettingsThatAreSet() {
        assertThat(LockAttribute.of(LockRequest.of("report"))).hasToString("LockAttribute[LockRequest[report.global]]");
        assertThat(FULL)
                .hasToString(
                        "LockAttribute[LockRequest[order.global], key=[#id, #line], condition=#id > 0, owner=#user,"
                                + " onTimeout=lastReport]");
    }

    @Test
    void oneThingIsGivenOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockAttribute.of(LockRequest.of("order", 7)).key("#id"))
                .withMessageStartingWith("key [#id] and a request for 'order.7' are both given");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LockAttribute.of(LockRequest.of("order").owner("me")).owner("#user"))
                .withMessageStartingWith("owner '#user' and a request of the owner 'me' are both given");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FULL.whenBusy(WhenBusy.SKIP))
                .withMessageStartingWith("whenBusy = SKIP and onTimeout = 'lastReport' are both given");
    }
}
