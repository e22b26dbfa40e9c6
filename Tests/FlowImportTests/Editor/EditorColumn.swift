extension ImportColumn {
  /// Files of requests of VS Code, JetBrains and Visual Studio.
  static let editor = ImportColumn(
    "`.http`", file: "a.http", beside: .environment,
    [
      "settings base": .yes(request()),
      "settings headers": .yes(
        "GET https://x.example/a\nx-a: 1\n\n###\nGET https://x.example/b\nx-a: 1\n"),
      "settings bearer": .other("request headers", request("Authorization: Bearer token-1234")),
      "settings user": .yes(request("Authorization: Basic ann secret-1234")),
      "settings password": .yes(request("Authorization: Basic ann:secret-1234")),
      "settings auth.bearer": .other(
        "request headers", request("Authorization: Bearer token-1234")),
      "settings auth.basic.user": .other(
        "settings user", request("Authorization: Basic ann secret-1234")),
      "settings auth.basic.password": .other(
        "settings password", request("Authorization: Basic ann secret-1234")),
      "settings auth.digest.user": .yes(request("Authorization: Digest ann secret-1234")),
      "settings auth.digest.password": .yes(request("Authorization: Digest ann secret-1234")),
      "settings auth.oauth2.token_url": token(#""Token URL": "https://id.example/token""#),
      "settings auth.oauth2.client_id": token(#""Client ID": "shop""#),
      "settings auth.oauth2.client_secret": token(#""Client Secret": "secret-1234""#),
      "settings auth.oauth2.scope": token(#""Scope": "read""#),
      "settings auth.oauth2.parameters": token(#""Custom Request Parameters": {"a": "1"}"#),
      "settings auth.oauth2.credentials": token(#""Client Credentials": "in body""#),
      "settings auth.sigv4.region": .yes(signed),
      "settings auth.sigv4.service": .yes(signed),
      "settings auth.sigv4.access_key": .yes(signed),
      "settings auth.sigv4.secret_key": .yes(signed),
      "settings auth.sigv4.session_token": .yes(signed),
      "settings timeout": .note("the directive '@timeout'", directive("timeout 5")),
      "settings follow": .yes(directive("no-redirect")),
      "settings connect_timeout": .yes(directive("connection-timeout 500 ms")),
      "settings insecure": tls(#""verifyHostCertificate": false"#),
      "settings client_cert": tls(#""clientCertificate": "me.pem""#),
      "settings client_key": tls(#""clientCertificateKey": "me.key""#),
      "settings client_key_password": tls(#""hasCertificatePassphrase": true"#),
      "request method": .yes("OPTIONS https://x.example/a\n"),
      "request path": .yes(request()),
      "request url": .yes("GET https://x.example/a\n\n###\nGET https://y.example/a\n"),
      "request query": .other("request path", "GET https://x.example/a\n  ?b=1\n  &c=2\n"),
      "request headers": .yes(request("Accept: a/b")),
      "request json": .yes(posted("application/json", "{\"a\": 1}")),
      "request form": .yes(posted("application/x-www-form-urlencoded", "a=1\n&b=2")),
      "request body": .yes(posted("text/plain", "a")),
      "request file": .yes(posted("text/plain", "< a.txt")),
      "request multipart.name": .yes(part("", "1")),
      "request multipart.value": .yes(part("", "1")),
      "request multipart.file": .yes(part("", "< a.txt")),
      "request multipart.type": .yes(part("\nContent-Type: text/csv", "1")),
      "request multipart.filename": .yes(part("; filename=\"b.txt\"", "< a.txt")),
      "request multipart.headers": .yes(part("\nX-A: 1", "1")),
      "request auth": .other("settings auth", request("Authorization: Digest ann secret-1234")),
      "request follow": .other("settings follow", directive("no-redirect")),
      "request to": .note("the file for the answer", request("\n>> a.txt")),
      "request path_as_is": .yes(directive("no-auto-encoding")),
      "expect status": .yes(script("response.status === 200")),
      "expect headers": .yes(script("response.headers.valueOf('x-a') === '1'")),
      "expect text": .yes(script("response.body === 'a'")),
      "expect json": .yes(script("response.body.a === 1")),
      "upstream stub": .note("saved answer", request("\n<> a.200.json")),
    ])

  private static func request(_ part: String = "") -> String {
    "GET https://x.example/a\n\(part)\n"
  }

  private static func directive(_ text: String) -> String { "# @\(text)\n" + request() }

  private static let signed = request(
    "Authorization: AWS id secret-1234 token:token-1234 region:eu-west-1 service:s3")

  private static func posted(_ type: String, _ body: String) -> String {
    "POST https://x.example/a\nContent-Type: \(type)\n\n\(body)\n"
  }

  private static func part(_ head: String, _ content: String) -> String {
    posted(
      "multipart/form-data; boundary=line",
      "--line\nContent-Disposition: form-data; name=\"a\"\(head)\n\n\(content)\n--line--")
  }

  private static func script(_ condition: String) -> String {
    request("\n> {% client.assert(\(condition)); %}")
  }

  private static func environment(_ part: String, _ content: String) -> Cell {
    .note(
      "'\(part)' of the environment is not supported",
      request() + "=== http-client.env.json\n{\"dev\": {\"\(part)\": {\(content)}}}\n")
  }

  private static func token(_ content: String) -> Cell {
    environment("Security", "\"Auth\": {\"id\": {\(content)}}")
  }

  private static func tls(_ content: String) -> Cell { environment("SSLConfiguration", content) }
}
