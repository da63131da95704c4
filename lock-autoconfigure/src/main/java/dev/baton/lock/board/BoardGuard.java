package dev.baton.lock.board;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Whether a request that changes something comes from the board's own page, as far as headers tell. A page of another origin
 * can send no header of its own without asking first; and if the application allows it that, the browser still says where the
 * page is from.
 */
final class BoardGuard {

    /** Which the page sends with what changes something. */
    static final String HEADER = "X-Baton-Board";

    private BoardGuard() {}

    /** Null: it does. Otherwise why it is refused. */
    static @Nullable String refusal(HttpHeaders headers) {
        if (headers.getFirst(HEADER) == null) {
            return "the header " + HEADER + " is missing; this is for the board's own page";
        }
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") ? null : "the request is from another origin (" + site + ")";
        }
        // browsers leave Sec-Fetch-Site out over plain http, but never the origin of a POST; without either it is no
        // browser
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
