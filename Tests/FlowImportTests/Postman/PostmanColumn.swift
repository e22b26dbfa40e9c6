extension ImportColumn {
  /// Collections of Postman.
  static let postman = ImportColumn(
    "Postman", file: "a.postman_collection.json",
    [
      "settings base": .yes(item()),
      "settings headers": .yes(
        collection(Array(repeating: #""header": [{"key": "x-a", "value": "1"}]"#, count: 2))),
      "settings bearer": .other("request headers", auth("bearer", ["token": "token-1234"])),
      "settings user": .yes(auth("basic", ["username": "ann", "password": "secret-1234"])),
      "settings password": .yes(auth("basic", ["username": "ann", "password": "secret-1234"])),
      "settings auth.bearer": .other("request headers", auth("bearer", ["token": "token-1234"])),
      "settings auth.basic.user": .other(
        "settings user", auth("basic", ["username": "ann", "password": "secret-1234"])),
      "settings auth.basic.password": .other(
        "settings password", auth("basic", ["username": "ann", "password": "secret-1234"])),
      "settings auth.digest.user": .yes(
        auth("digest", ["username": "ann", "password": "secret-1234"])),
      "settings auth.digest.password": .yes(
        auth("digest", ["username": "ann", "password": "secret-1234"])),
      "settings auth.oauth2.token_url": .yes(client()),
      "settings auth.oauth2.client_id": .yes(client()),
      "settings auth.oauth2.client_secret": .yes(client()),
      "settings auth.oauth2.scope": .yes(client(["scope": "read write"])),
      "settings auth.oauth2.parameters": .yes(client(["audience": "https://x.example"])),
      "settings auth.oauth2.credentials": .yes(client(["client_authentication": "body"])),
      "settings auth.sigv4.region": .yes(signed()),
      "settings auth.sigv4.service": .yes(signed()),
      "settings auth.sigv4.access_key": .yes(signed()),
      "settings auth.sigv4.secret_key": .yes(signed()),
      "settings auth.sigv4.session_token": .yes(signed(["sessionToken": "token-1234"])),
      "settings follow": .yes(
        item(beside: #""protocolProfileBehavior": {"followRedirects": false}"#)),
      "settings max_redirects": .yes(
        item(beside: #""protocolProfileBehavior": {"maxRedirects": 3}"#)),
      "settings insecure": .yes(
        item(beside: #""protocolProfileBehavior": {"strictSSL": false}"#)),
      "settings client_cert": .yes(certificate(#""cert": {"src": "me.pem"}"#)),
      "settings client_key": .yes(
        certificate(#""cert": {"src": "me.pem"}, "key": {"src": "me.key"}"#)),
      "settings client_pkcs12": .yes(certificate(#""pfx": {"src": "me.p12"}"#)),
      "settings client_key_password": .yes(
        certificate(#""pfx": {"src": "me.p12"}, "passphrase": "secret-1234""#)),
      "settings proxy": .yes(item(#""proxy": {"host": "proxy.example", "port": 3128}"#)),
      "request method": .yes(item(method: "OPTIONS")),
      "request path": .yes(item()),
      "request url": .yes(
        collection(["", ""], urls: ["https://x.example/a", "https://y.example/a"])),
      "request query": .yes(
        auth("apikey", ["key": "key", "value": "secret-1234", "in": "query"])),
      "request headers": .yes(item(#""header": [{"key": "accept", "value": "a/b"}]"#)),
      "request json": .yes(
        body(#""mode": "raw", "raw": "{\"a\": 1}", "options": {"raw": {"language": "json"}}"#)),
      "request form": .yes(
        body(#""mode": "urlencoded", "urlencoded": [{"key": "a", "value": "1"}]"#)),
      "request body": .yes(body(#""mode": "raw", "raw": "a""#)),
      "request file": .yes(body(#""mode": "file", "file": {"src": "a.bin"}"#)),
      "request multipart.name": .yes(part(#""value": "1""#)),
      "request multipart.value": .yes(part(#""value": "1""#)),
      "request multipart.file": .yes(part(#""type": "file", "src": "a.txt""#)),
      "request multipart.type": .yes(part(#""value": "1", "contentType": "text/csv""#)),
      "request multipart.filename": .yes(
        part(#""type": "file", "src": "a.txt", "fileName": "b.txt""#)),
      "request auth": .other(
        "settings auth", auth("digest", ["username": "ann", "password": "secret-1234"])),
      "request follow": .other(
        "settings follow", item(beside: #""protocolProfileBehavior": {"followRedirects": false}"#)),
      "request path_as_is": .yes(
        item(beside: #""protocolProfileBehavior": {"disableUrlEncoding": true}"#)),
      "expect status": .yes(test("pm.response.to.have.status(200)")),
      "expect json": .yes(test("pm.expect(pm.response.json().a).to.eql(1)")),
      "expect text": .yes(test("pm.expect(pm.response.text()).to.eql('a')")),
      "expect headers": .yes(test("pm.expect(pm.response.headers.get('x-a')).to.eql('1')")),
      "expect elapsed": .yes(test("pm.expect(pm.response.responseTime).to.be.below(200)")),
      "expect cookies": .note("in a script", test("pm.expect(pm.cookies.get('a')).to.eql('1')")),
      "expect size": .yes(test("pm.expect(pm.response.responseSize).to.eql(1)")),
      "request cookies set": .note(
        "in a script", test("pm.cookies.jar().set('https://x.example', 'a', '1')")),
      "upstream stub": .note(
        "saved answer", item(beside: #""response": [{"name": "a", "code": 200, "body": "a"}]"#)),
    ])

  private static func item(
    _ part: String = "", method: String = "GET", beside other: String = ""
  ) -> String {
    collection([part], method: method, beside: other)
  }

  private static func body(_ body: String) -> String {
    item(#""body": {\#(body)}"#, method: "POST")
  }

  private static func part(_ content: String) -> String {
    body(#""mode": "formdata", "formdata": [{"key": "a", \#(content)}]"#)
  }

  private static func certificate(_ content: String) -> String {
    item(#""certificate": {\#(content)}"#)
  }

  private static func test(_ statement: String) -> String {
    item(
      beside: #""event": [{"listen": "test", "script": {"exec": ["\#(statement);"]}}]"#)
  }

  private static func auth(_ type: String, _ fields: [String: String]) -> String {
    let pairs = fields.sorted { $0.key < $1.key }.map {
      #"{"key": "\#($0.key)", "value": "\#($0.value)"}"#
    }
    return item(
      #""auth": {"type": "\#(type)", "\#(type)": [\#(pairs.joined(separator: ", "))]}"#)
  }

  private static func client(_ fields: [String: String] = [:]) -> String {
    auth(
      "oauth2",
      fields.merging([
        "grant_type": "client_credentials", "accessTokenUrl": "https://id.example/token",
        "clientId": "shop", "clientSecret": "secret-1234",
      ]) { first, _ in first })
  }

  private static func signed(_ fields: [String: String] = [:]) -> String {
    auth(
      "awsv4",
      fields.merging([
        "accessKey": "id", "secretKey": "secret-1234", "region": "eu-west-1", "service": "s3",
      ]) { first, _ in first })
  }

  private static func collection(
    _ parts: [String], method: String = "GET", beside other: String = "",
    urls: [String] = ["https://x.example/a", "https://x.example/b"]
  ) -> String {
    let items = zip(parts, urls).map { part, url in
      """
      {"name": "a", "request": {"method": "\(method)", "url": "\(url)"\(part.isEmpty ? "" : ", " + part)}\
      \(other.isEmpty ? "" : ", " + other)}
      """
    }
    return #"{"info": {"name": "A"}, "item": [\#(items.joined(separator: ",\n"))]}"#
  }
}
