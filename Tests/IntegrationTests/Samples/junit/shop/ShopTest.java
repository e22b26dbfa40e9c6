package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestMethodOrder(MethodName.class)
class ShopTest {
    private static final HttpClient client = HttpClient.newHttpClient();
    private static final String shop = System.getenv().getOrDefault("SHOP", "https://pay.example");

    private static void ask(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        assertEquals("answer", client.send(request, BodyHandlers.ofString()).body());
    }

    @BeforeAll
    static void opens() throws Exception {
        ask(shop + "/opens");
    }

    @AfterAll
    static void closes() throws Exception {
        ask(shop + "/closes");
    }

    @BeforeEach
    void comes() throws Exception {
        ask(shop + "/cart-comes");
    }

    @AfterEach
    void goes() throws Exception {
        ask(shop + "/cart-goes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"red", "\"blue\""})
    void colour(String colour) throws Exception {
        ask(shop + "/colour");
    }

    @Test
    void lamp() throws Exception {
        if (System.getenv("LAMP") == null) ask(shop + "/lamp");
        if (System.getenv("SHOP") == null) ask("http://127.0.0.1:1/loopback");
    }

    @Test
    void old() throws Exception {
        try (InputStream stream = new URL(shop + "/old").openStream()) {
            assertEquals("answer", new String(stream.readAllBytes()));
        }
    }

    @Test
    @Disabled
    void skipped() throws Exception {
        ask(shop + "/never");
    }
}
