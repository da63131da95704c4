package dev.baton.lock.board;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Checks whether a state-changing request comes from the board's own page, as far as its headers show. A page of
 * another origin cannot send a custom header without a preflight request. If the application permits that header, the
 * browser still sends the origin of the page.
 */
final class BoardGuard {

    /** The header that the page sends with every state-changing request. */
    static final String HEADER = "X-Baton-Board";

    private BoardGuard() {}

    /** Returns why the request is refused, or {@code null} if it comes from the board's own page. */
    static @Nullable String refusal(HttpHeaders headers) {
        if (headers.getFirst(HEADER) == null) {
            return "the header " + HEADER + " is missing; this is for the board's own page";
        }
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") ? null : "the request is from another origin (" + site + ")";
        }
        // browsers omit Sec-Fetch-Site over plain http, but always send the origin of a POST: without either header,
        // the client is not a browser
        String origin = headers.getFirst(HttpHeaders.ORIGIN);
        if (origin == null || isOf(origin, headers.getFirst(HttpHeaders.HOST))) {
            return null;
        }
        return "the request is from another origin (" + origin + ")";
    }

    private static boolean isOf(String origin, @Nullable String host) {
        try {
            String authority = new URI(origin).getAuthority();
            return authority != null
                    && host != null
                    && authority.toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
        } catch (URISyntaxException ex) {
            return false;
        }
    }
}
