package flow;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.*;
import java.net.*;
import java.security.*;
import java.security.cert.*;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.*;

/**
 * The proxy of flow for this JVM: HttpURLConnection, HttpClient and other clients that ask the JVM for
 * its proxy, its trust store or both.
 *
 * <p>HttpClient knows no user of a proxy unless its builder names one. So it gets a port in this JVM,
 * which adds the user.
 */
final class FlowProxy {
    final URI tape;
    final String authorization;

    /** Returns the proxy, or null without FLOW_TAPE. */
    static FlowProxy start() {
        String tape = System.getenv("FLOW_TAPE");
        if (tape == null) return null;
        try {
            trust(System.getenv("SSL_CERT_FILE"));
            ServerSocket port = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
            FlowProxy proxy = new FlowProxy(URI.create(tape));
            run(() -> {
                while (true) proxy.serve(port.accept());
            });
            use(port.getLocalPort());
            return proxy;
        } catch (IOException | GeneralSecurityException problem) {
            throw new IllegalStateException("flow: " + problem, problem);
        }
    }

    private FlowProxy(URI tape) {
        this.tape = tape;
        // One of several processes has a user of its own.
        String worker = System.getProperty("org.gradle.test.worker", "1");
        String fork = System.getProperty("surefire.forkNumber", worker);
        String[] user = tape.getUserInfo().split(":", 2);
        String name = fork.equals("1") ? user[0] : "flow-" + fork;
        authorization = "Basic " + Base64.getEncoder().encodeToString((name + ":" + user[1]).getBytes(ISO_8859_1));
    }

    private static void use(int port) {
        for (String scheme : new String[] {"http", "https"}) {
            System.setProperty(scheme + ".proxyHost", "127.0.0.1");
            System.setProperty(scheme + ".proxyPort", String.valueOf(port));
        }
        // The hosts of NO_PROXY and those in them; without this property they are the loopback ones.
        String direct = System.getenv().getOrDefault("NO_PROXY", "");
        System.setProperty("http.nonProxyHosts", direct.replaceAll("([^,]+)", "$1|*.$1").replace(',', '|'));
    }

    /** Adds the certificates of a file to those that the JVM trusts. */
    private static void trust(String file) throws IOException, GeneralSecurityException {
        if (file == null) return;
        TrustManagerFactory managers = managers(null);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (X509Certificate each : ((X509TrustManager) managers.getTrustManagers()[0]).getAcceptedIssuers())
            store.setCertificateEntry("jvm" + store.size(), each);
        try (InputStream stream = new FileInputStream(file)) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(stream))
                store.setCertificateEntry("flow" + store.size(), each);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers(store).getTrustManagers(), null);
        SSLContext.setDefault(context);
    }

    private static TrustManagerFactory managers(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        return managers;
    }

    private void serve(Socket client) {
        run(() -> {
            try (client; Socket server = new Socket(tape.getHost(), tape.getPort())) {
                server.getOutputStream().write(head(client.getInputStream()).getBytes(ISO_8859_1));
                run(() -> client.getInputStream().transferTo(server.getOutputStream()));
                server.getInputStream().transferTo(client.getOutputStream());
            }
        });
    }

    /** The head of a request with the user, and without a further request on its connection. */
    private String head(InputStream stream) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next; head.indexOf("\r\n\r\n") < 0 && (next = stream.read()) >= 0; ) head.append((char) next);
        String close = head.indexOf("CONNECT ") == 0 ? "" : "\r\nConnection: close";
        return head.toString()
                .replaceAll("(?i)\r\n(connection|upgrade|http2-settings|proxy-[a-z]+):[^\r]*", "")
                .replaceFirst("\r\n", close + "\r\nProxy-Authorization: " + authorization + "\r\n");
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void run(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException problem) {
                // The client or flow has left.
            }
        }, "flow");
        thread.setDaemon(true);
        thread.start();
    }
}
