extension ImportColumn {
  /// Files of Hurl.
  static let hurl = ImportColumn(
    "Hurl", file: "a.hurl",
    [
      "settings base": .yes(request()),
      "settings headers": .yes(
        "GET https://x.example/a\nx-a: 1\n\nGET https://x.example/b\nx-a: 1\n"),
      "settings bearer": .other("request headers", request("Authorization: Bearer token-1234")),
      "settings user": .yes(request("[BasicAuth]\nann: secret-1234")),
      "settings password": .yes(option("user: ann:secret-1234")),
      "settings auth.bearer": .other(
        "request headers", request("Authorization: Bearer token-1234")),
      "settings auth.basic.user": .other("settings user", option("user: ann:secret-1234")),
      "settings auth.basic.password": .other("settings password", option("user: ann:secret-1234")),
      "settings auth.digest.user": .yes(option("digest: true\nuser: ann:secret-1234")),
      "settings auth.digest.password": .yes(option("user: ann:secret-1234\ndigest: true")),
      "settings auth.sigv4.region": .yes(signed),
      "settings auth.sigv4.service": .yes(signed),
      "settings auth.sigv4.access_key": .yes(signed),
      "settings auth.sigv4.secret_key": .yes(signed),
      "settings auth.sigv4.session_token": .yes(
        request(
          "X-Amz-Security-Token: token-1234\n[Options]\naws-sigv4: aws:amz:eu:s3\nuser: id:secret-1234"
        )),
      "settings timeout": .other("step timeout", option("max-time: 5s")),
      "settings follow": .yes(request()),
      "settings max_redirects": .yes(option("location: true\nmax-redirs: 3")),
      "settings connect_timeout": .yes(option("connect-timeout: 2s")),
      "settings decompress": .yes(request()),
      "settings ca_file": .yes(option("cacert: ca.pem")),
      "settings insecure": .yes(option("insecure: true")),
      "settings client_cert": .yes(option("cert: me.pem")),
      "settings client_key": .yes(option("cert: me.pem\nkey: me.key")),
      "settings client_pkcs12": .yes(option("cert: me.p12:secret-1234")),
      "settings client_key_password": .yes(option("cert: me.pem:secret-1234")),
      "settings proxy": .yes(option("proxy: proxy.example:3128")),
      "settings proxy_user": .yes(option("proxy: http://ann:secret-1234@proxy.example:3128")),
      "settings proxy_password": .yes(option("proxy: http://ann:secret-1234@proxy.example:3128")),
      "settings unix_socket": .yes(option("unix-socket: /run/x.sock")),
      "request method": .yes("OPTIONS https://x.example/a\n"),
      "request path": .yes(request()),
      "request url": .yes("GET https://x.example/a\n\nGET https://y.example/a\n"),
      "request query": .yes(request("[Query]\na: 1")),
      "request headers": .yes(request("Accept: a/b")),
      "request json": .yes(posted("{\"a\": 1}")),
      "request form": .yes(posted("[Form]\na: 1")),
      "request body": .yes(posted("`a`")),
      "request file": .yes(posted("file,a.txt;")),
      "request bytes": .yes(posted("hex,ff;")),
      "request multipart.name": .yes(posted("[Multipart]\na: 1")),
      "request multipart.value": .yes(posted("[Multipart]\na: 1")),
      "request multipart.file": .yes(posted("[Multipart]\na: file,a.txt;")),
      "request multipart.type": .yes(posted("[Multipart]\na: file,a.txt; text/csv")),
      "request auth": .other("settings auth", option("digest: true\nuser: ann:secret-1234")),
      "request follow": .other("settings follow", request()),
      "request to": .yes(option("output: a.txt")),
      "request path_as_is": .yes(option("path-as-is: true")),
      "expect status": .yes(answer("")),
      "expect headers": .yes(answer("X-A: 1")),
      "expect text": .yes(answer("`a`")),
      "expect json": .yes(answer("{\"a\": 1}")),
      "expect bytes": .yes(answer("[Asserts]\nbytes contains hex,ff;")),
      "expect size": .yes(answer("[Asserts]\nbytes count == 1")),
      "expect url": .yes(answer("[Asserts]\nurl == \"https://x.example/a\"")),
      "expect date": .yes(answer("[Asserts]\nheader \"Date\" exists")),
      "expect elapsed": .yes(answer("[Asserts]\nduration < 1000")),
      "expect cookies": .yes(answer("[Asserts]\ncookie \"a\" == \"b\"")),
      "expect http_version": .yes(answer("[Asserts]\nversion == \"2\"")),
      "expect hops": .yes(answer("[Asserts]\nredirects count == 1")),
    ])

  private static func request(_ part: String = "") -> String {
    "GET https://x.example/a\n\(part)\n"
  }

  private static func option(_ lines: String) -> String { request("[Options]\n" + lines) }

  private static func posted(_ part: String) -> String {
    "POST https://x.example/a\n\(part)\n"
  }

  private static func answer(_ part: String) -> String { request("HTTP 200\n" + part) }

  private static let signed = option("aws-sigv4: aws:amz:eu:s3\nuser: id:secret-1234")
}
