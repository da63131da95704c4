package dev.baton.lock.board;

import dev.baton.lock.LockStoreException;
import dev.baton.lock.actuate.StoreProblem;
import java.security.Principal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Serves the board over HTTP. The routes are functional: no controller advice wraps their responses, and no generator
 * of API documentation lists them. Bodies are bytes, so that the application's converters do not change them.
 */
public final class BoardRoutes {

    private final LockBoard board;
    private final BoardPage page = new BoardPage();

    public BoardRoutes(LockBoard board) {
        this.board = board;
    }

    /**
     * Returns the routes below a path.
     *
     * @param path the path, which begins with a slash and does not end with one
     */
    public RouterFunction<ServerResponse> under(String path) {
        return RouterFunctions.route()
                .GET(path, request -> page())
                .GET(path + "/", request -> page())
                .GET(path + "/api/locks", request -> json(HttpStatus.OK, board.json()))
                .POST(path + "/api/force-release", this::forceRelease)
                .build();
    }

    private ServerResponse page() {
        return secure(HttpStatus.OK)
                .contentType(MediaType.parseMediaType("text/html;charset=UTF-8"))
                .header("Content-Security-Policy", page.policy())
                .body(page.html());
    }

    private ServerResponse forceRelease(ServerRequest request) {
        String refusal = BoardGuard.refusal(request.headers().asHttpHeaders());
        if (refusal != null) {
            return json(HttpStatus.FORBIDDEN, BoardJson.message("Refused: " + refusal + "."));
        }
        String id = request.param("id").orElse("");
        Long token = number(request.param("token").orElse(""));
        if (id.isEmpty() || token == null) {
            return json(HttpStatus.BAD_REQUEST, BoardJson.message("Parameters 'id' and 'token' are needed."));
        }
        String user = request.principal().map(Principal::getName).orElse(null);
        try {
            return answer(board.forceRelease(id, token, user));
        } catch (LockStoreException ex) {
            return json(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    BoardJson.message("Unknown whether the lock was released: " + StoreProblem.of(ex)));
        }
    }

    private static ServerResponse answer(LockBoard.Outcome outcome) {
        return switch (outcome) {
            case RELEASED -> json(HttpStatus.OK, BoardJson.message("Released; its holder is notified."));
            case FREE -> json(HttpStatus.OK, BoardJson.message("The lock was already free."));
            case CHANGED ->
                json(
                        HttpStatus.CONFLICT,
                        BoardJson.message(
                                "Not released: the lock now has another holder than the one shown. Look again."));
            case UNKNOWN ->
                json(HttpStatus.NOT_FOUND, BoardJson.message("This process no longer knows that lock. Look again."));
            case FORBIDDEN ->
                json(
                        HttpStatus.FORBIDDEN,
                        BoardJson.message("Refused: baton.board.force-release is not true in this application."));
        };
    }

    private static @Nullable Long number(String text) {
        try {
            return Long.valueOf(text.strip().toLowerCase(Locale.ROOT));
        } catch (NumberFormatException ex) {
            return null;
        }
    }

    private static ServerResponse json(HttpStatus status, byte[] body) {
        return secure(status).contentType(MediaType.APPLICATION_JSON).body(body);
    }

    private static ServerResponse.BodyBuilder secure(HttpStatus status) {
        return ServerResponse.status(status)
                .cacheControl(CacheControl.noStore())
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Resource-Policy", "same-origin");
    }
}
