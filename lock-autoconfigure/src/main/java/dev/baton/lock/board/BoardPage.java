package dev.baton.lock.board;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page of the board: one response that contains its style and its script, with a policy that lets the browser run
 * nothing else. Immutable.
 */
final class BoardPage {

    private final byte[] html;
    private final String policy;

    BoardPage() {
        String style = resource("board.css");
        String script = resource("board.js");
        this.html = resource("board.html")
                .replace("/* board.css */", style)
                .replace("/* board.js */", script)
                .getBytes(StandardCharsets.UTF_8);
        this.policy = "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style)
                + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    byte[] html() {
        return html.clone();
    }

    /** Returns the value of the header {@code Content-Security-Policy}. */
    String policy() {
        return policy;
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("SHA-256, which every Java platform has, is missing", ex);
        }
    }

    /** Reads a resource with the line ends that the browser sees, so that the hashes match. */
    private static String resource(String name) {
        try (InputStream in = BoardPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing beside " + BoardPage.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
