package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
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
                attribute -> attribute.and(LockAttribute.of(LockRequest.of("customer"))),
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
    void joinedAttributesHaveTheLocksOfBothAndTheTermsOfTheFirst() {
        LockAttribute customer = LockAttribute.of(LockRequest.of("customer").waitUnbounded())
                .key("#customer")
                .condition("false");
        LockAttribute both = FULL.and(customer);
        assertThat(both.locks())
                .containsExactly(FULL.locks().get(0), customer.locks().get(0));
        assertThat(both.request()).isEqualTo(LockRequest.of("order").and(LockRequest.of("customer")));
        assertThat(both.condition()).isEqualTo("#id > 0");
        assertThat(both.scope()).isEqualTo("customer+order");
        assertThat(both).asString().contains("key=order[#id, #line] customer[#customer]");
    }

    @Test
    void anotherRequestKeepsTheExpressionsOfTheSameLocks() {
        LockAttribute both =
                FULL.and(LockAttribute.of(LockRequest.of("customer")).key("#customer"));
        LockRequest renewed = both.request().renew(Renewal.NEVER);
        assertThat(both.request(renewed).locks()).isEqualTo(both.locks());
        assertThat(both.request(renewed).request()).isEqualTo(renewed);
        assertThat(FULL.request(LockRequest.of("report")).locks().get(0).key()).containsExactly("#id", "#line");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> both.request(LockRequest.of("report")))
                .withMessage(
                        "the expressions of 'order.global, customer.global' and a request for 'report.global' do not"
                                + " fit together; keep the locks of the request");
    }

    @Test
    void keyOfSeveralLocksIsAmbiguous() {
        LockRequest both = LockRequest.of("order").and(LockRequest.of("customer"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockAttribute.of(both).key("#id"))
                .withMessage(
                        "key [#id] of the locks 'order.global, customer.global' does not say which of them it is for;"
                                + " give each its key, and join them with and(..)");
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
