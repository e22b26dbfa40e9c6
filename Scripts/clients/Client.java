import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Collectors;

class Client {
  static final String base = System.getenv("BASE");
  static final HttpClient client = HttpClient.newHttpClient();

  static HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(base + path));
  }

  static void show(HttpRequest request) throws Exception {
    var answer = client.send(request, BodyHandlers.ofString());
    System.out.println((answer.statusCode() + " " + answer.body()).trim());
  }

  static HttpRequest post(String path, String type, BodyPublisher body) {
    return to(path).header("Content-Type", type).POST(body).build();
  }

  public static void main(String[] arguments) throws Exception {
    show(to("/get?text=a+b").build());
    show(post("/json", "application/json", BodyPublishers.ofString("{\"barn\": 1}")));
    var pieces = new ByteArrayInputStream("chunked".getBytes());
    show(post("/chunked", "text/plain", BodyPublishers.ofInputStream(() -> pieces)));
    show(to("/get?text=a+b").method("HEAD", BodyPublishers.noBody()).build());
    var lines = client.send(to("/stream").build(), BodyHandlers.ofLines()).body();
    System.out.println(
        lines.filter(line -> line.startsWith("data: "))
            .map(line -> line.substring(6))
            .collect(Collectors.joining(",")));
  }
}
