package dev.baton.lock.support;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A self-signed certificate of this machine's loopback address, made by the JDK's keytool.
 *
 * @param certificate PEM file
 * @param key PEM file, not encrypted
 */
record Certificate(Path certificate, Path key) {

    private static final String ALIAS = "redis";
    private static final String PASSWORD = "changeit";

    static Certificate create(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        Path store = directory.resolve("redis.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString()))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool: " + Files.readString(directory.resolve("keytool.log")));
        }
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            made.load(in, PASSWORD.toCharArray());
        }
        return new Certificate(
                pem(
                        directory.resolve("redis.crt"),
                        "CERTIFICATE",
                        made.getCertificate(ALIAS).getEncoded()),
                pem(
                        directory.resolve("redis.key"),
                        "PRIVATE KEY",
                        made.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        byte[] newline = "\n".getBytes(StandardCharsets.US_ASCII);
        String text = Base64.getMimeEncoder(64, newline).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
