package flow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.*;

/** Gives each test of JUnit its own scope on the tape of flow. Without FLOW_TAPE it does nothing. */
public final class FlowTape implements BeforeEachCallback, AfterEachCallback, InvocationInterceptor {
    private static final AtomicReference<String> open = new AtomicReference<>();
    private static final FlowProxy proxy = FlowProxy.start();

    @Override
    public void beforeEach(ExtensionContext test) throws IOException {
        begin(name(test));
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        end(name(test));
    }

    @Override
    public void interceptBeforeAllMethod(
            Invocation<Void> method, ReflectiveInvocationContext<Method> of, ExtensionContext test)
            throws Throwable {
        scope(method, of);
    }

    @Override
    public void interceptAfterAllMethod(
            Invocation<Void> method, ReflectiveInvocationContext<Method> of, ExtensionContext test)
            throws Throwable {
        scope(method, of);
    }

    /** Runs what a class sets up in a scope of its own, so that no choice of tests moves its requests. */
    private static void scope(Invocation<Void> method, ReflectiveInvocationContext<Method> of) throws Throwable {
        String name = of.getTargetClass().getName() + "@" + of.getExecutable().getName();
        begin(name);
        try {
            method.proceed();
        } finally {
            end(name);
        }
    }

    /** The class and the method, with the display name of one of several invocations. */
    private static String name(ExtensionContext test) {
        String name = test.getRequiredTestClass().getName() + "." + test.getRequiredTestMethod().getName();
        boolean isOneOfSeveral = test.getParent().flatMap(ExtensionContext::getTestMethod).isPresent();
        return isOneOfSeveral ? name + " " + test.getDisplayName() : name;
    }

    private static void begin(String test) throws IOException {
        if (proxy == null) return;
        String other = open.compareAndExchange(null, test);
        if (other != null)
            throw failure("flow: '" + other + "' has not ended, and tests at the same time cannot be told apart");
        try {
            say("begin", test);
        } catch (Throwable problem) {
            open.set(null);
            throw problem;
        }
    }

    /** Ends a test if it has begun. */
    private static void end(String test) throws IOException {
        if (!test.equals(open.get())) return;
        open.set(null);
        say("end", test);
    }

    private static void say(String verb, String test) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                proxy.tape.resolve("/" + verb).toURL().openConnection(Proxy.NO_PROXY);
        connection.setReadTimeout(60_000);
        connection.setDoOutput(true);
        connection.setRequestProperty("Proxy-Authorization", proxy.authorization);
        connection.setRequestProperty("Content-Type", "application/json");
        int status;
        try {
            connection.getOutputStream().write(("{\"test\": " + quoted(test) + "}").getBytes(UTF_8));
            status = connection.getResponseCode();
        } catch (IOException problem) {
            throw failure("flow: " + problem.getMessage());
        }
        if (status == 204) return;
        InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream();
        String text = stream == null ? "" : new String(stream.readAllBytes(), UTF_8);
        throw failure(status == 409 ? text : "flow: " + status + " " + text);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char each : text.toCharArray())
            quoted.append(each < 32 || each == '"' || each == '\\' ? String.format("\\u%04x", (int) each) : each);
        return quoted.append('"').toString();
    }

    private static AssertionError failure(String text) {
        AssertionError failure = new AssertionError(text);
        // The places in this file help nobody.
        failure.setStackTrace(new StackTraceElement[0]);
        return failure;
    }
}
