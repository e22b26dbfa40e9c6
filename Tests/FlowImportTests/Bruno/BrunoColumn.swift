extension ImportColumn {
  /// Collections of Bruno.
  static let bruno = ImportColumn(
    "Bruno", file: "shop/a.bru",
    [
      "settings base": .yes(request()),
      "settings headers": .yes(
        request("headers {\n  x-a: 1\n}\n") + "=== shop/b.bru\n"
          + request("headers {\n  x-a: 1\n}\n")),
      "settings bearer": .other("request headers", auth("bearer", "token: token-1234")),
      "settings user": .yes(auth("basic", login)),
      "settings password": .yes(auth("basic", login)),
      "settings auth.bearer": .other("request headers", auth("bearer", "token: token-1234")),
      "settings auth.basic.user": .other("settings user", auth("basic", login)),
      "settings auth.basic.password": .other("settings password", auth("basic", login)),
      "settings auth.digest.user": .yes(auth("digest", login)),
      "settings auth.digest.password": .yes(auth("digest", login)),
      "settings auth.oauth2.token_url": .yes(auth("oauth2", client)),
      "settings auth.oauth2.client_id": .yes(auth("oauth2", client)),
      "settings auth.oauth2.client_secret": .yes(auth("oauth2", client)),
      "settings auth.oauth2.scope": .yes(auth("oauth2", client)),
      "settings auth.oauth2.parameters": .yes(
        auth("oauth2", client)
          + "auth:oauth2:additional_params:access_token_req:body {\n  tenant: a\n}\n"),
      "settings auth.oauth2.credentials": .yes(auth("oauth2", client)),
      "settings auth.sigv4.region": .yes(auth("awsv4", signed)),
      "settings auth.sigv4.service": .yes(auth("awsv4", signed)),
      "settings auth.sigv4.access_key": .yes(auth("awsv4", signed)),
      "settings auth.sigv4.secret_key": .yes(auth("awsv4", signed)),
      "settings auth.sigv4.session_token": .yes(auth("awsv4", signed)),
      "settings timeout": .other("step timeout", setting("timeout: 500")),
      "settings follow": .yes(setting("followRedirects: false")),
      "settings max_redirects": .yes(setting("maxRedirects: 3")),
      "settings client_cert": certificate(#""certFilePath": "me.pem""#),
      "settings client_key": certificate(#""keyFilePath": "me.key""#),
      "settings client_pkcs12": certificate(#""pfxFilePath": "me.p12""#),
      "settings client_key_password": certificate(#""passphrase": "secret-1234""#),
      "settings proxy": proxy(#""hostname": "proxy.example""#),
      "settings proxy_user": proxy(#""auth": {"username": "ann"}"#),
      "settings proxy_password": proxy(#""auth": {"password": "secret-1234"}"#),
      "request method": .yes(request(method: "options")),
      "request path": .yes(request()),
      "request url": .yes(
        request() + "=== shop/b.bru\n" + request(url: "https://y.example/a")),
      "request query": .yes(
        auth("apikey", "key: key\n  value: secret-1234\n  placement: queryparams")),
      "request headers": .yes(request("headers {\n  accept: a/b\n}\n")),
      "request json": .yes(body("json", "{\"a\": 1}")),
      "request form": .yes(body("form-urlencoded", "a: 1")),
      "request body": .yes(body("text", "a")),
      "request file": .yes(body("file", "file: @file(a.bin)")),
      "request multipart.name": .yes(body("multipart-form", "a: 1")),
      "request multipart.value": .yes(body("multipart-form", "a: 1")),
      "request multipart.file": .yes(body("multipart-form", "a: @file(a.txt)")),
      "request multipart.type": .yes(body("multipart-form", "a: 1 @contentType(text/csv)")),
      "request auth": .other("settings auth", auth("digest", login)),
      "request follow": .other("settings follow", setting("followRedirects: false")),
      "request path_as_is": .yes(setting("encodeUrl: false")),
      "expect status": .yes(request("assert {\n  res.status: eq 200\n}\n")),
      "expect json": .yes(request("assert {\n  res.body.a: eq 1\n}\n")),
      "expect text": .yes(test("expect(res.getBody()).to.equal('a')")),
      "expect headers": .yes(test("expect(res.getHeader('x-a')).to.equal('1')")),
      "expect elapsed": .yes(test("expect(res.getResponseTime()).to.be.below(200)")),
      "expect size": .yes(test("expect(res.getSize().body).to.equal(1)")),
      "expect url": .note("in a script", test("expect(res.getUrl()).to.equal('a')")),
      "expect cookies": .note(
        "in a script", test("expect(bru.cookies.jar().getCookie('a', 'b')).to.equal('1')")),
      "request cookies set": .note(
        "in a script", test("bru.cookies.jar().setCookie('https://x.example', 'a', '1')")),
      "upstream stub": .note("saved answer", request("example {\n  name: a\n}\n")),
    ])

  private static let login = "username: ann\n  password: secret-1234"
  private static let client = """
    grant_type: client_credentials
      access_token_url: https://id.example/token
      client_id: shop
      client_secret: secret-1234
      scope: read write
      credentials_placement: body
    """
  private static let signed = """
    accessKeyId: id
      secretAccessKey: secret-1234
      sessionToken: token-1234
      service: s3
      region: eu-west-1
    """

  private static func request(
    _ blocks: String = "", method: String = "get", url: String = "https://x.example/a"
  ) -> String {
    "meta {\n  name: a\n}\n\n\(method) {\n  url: \(url)\n}\n\n\(blocks)"
  }

  private static func auth(_ kind: String, _ content: String) -> String {
    request("auth:\(kind) {\n  \(content)\n}\n")
  }

  private static func body(_ kind: String, _ content: String) -> String {
    request("body:\(kind) {\n  \(content)\n}\n", method: "post")
  }

  private static func setting(_ content: String) -> String {
    request("settings {\n  \(content)\n}\n")
  }

  private static func test(_ statement: String) -> String {
    request("tests {\n  \(statement);\n}\n")
  }

  private static func collection(_ settings: String, _ note: String) -> Cell {
    .note(
      "\(note) of the collection is not supported",
      request() + "=== shop/bruno.json\n{\"name\": \"a\", \(settings)}\n")
  }

  private static func certificate(_ content: String) -> Cell {
    collection("\"clientCertificates\": {\"certs\": [{\(content)}]}", "a certificate")
  }

  private static func proxy(_ content: String) -> Cell {
    collection("\"proxy\": {\"enabled\": true, \(content)}", "the proxy")
  }
}
