import FlowImport
import Testing

/// Secrets in the files of the other tests.
@Suite struct SecretImportTests {
  private static let secrets = [
    "correct-horse", "correct+horse", "8f14e45fceea", "t0k3n", "abcdefgh", "k-123456",
    "YW5uOmNvcnJlY3QtaG9yc2U=", "granted", "hunter2-pw", "271828", "chocolate",
  ]

  private static let curl = CurlImportTests.samples + CurlDetailTests.samples
  private static let har = HARImportTests.samples
  private static let hurl =
    HurlImportTests.samples + HurlAssertsTests.samples + HurlDetailTests.samples

  @Test(arguments: curl + har + hurl)
  func `no secret of a file is in its scenario or its notes`(_ sample: ImportCase) throws {
    let result = try Import(reading: Array(sample.text.utf8), named: sample.name)
    let written = result.scenario + result.notes.map(\.message).joined()

    #expect(Self.secrets.filter(written.contains) == [])
  }

  @Test(arguments: [curl, har, hurl])
  func `the files of every format have secrets in them`(_ samples: [ImportCase]) {
    let found = samples.filter { sample in Self.secrets.contains(where: sample.text.contains) }

    #expect(found.count > 2)
  }

  @Test func `every secret is in a file`() {
    let texts = (Self.curl + Self.har + Self.hurl).map(\.text)

    #expect(Self.secrets.filter { secret in !texts.contains { $0.contains(secret) } } == [])
  }

  @Test(arguments: [
    #"curl http://a/login -d '{"user":"ann","password":"correct-horse","hash":"YWJj="}'"#,
    #"curl http://a/login -d '<login><password>correct-horse</password><user id="x"/></login>'"#,
    #"curl http://a/login -F 'meta={"token":"correct-horse"}'"#,
    #"curl http://a/login --data-urlencode 'json={"password":"correct-horse"}'"#,
    #"curl http://a/q --json '{"query":"{ login(user: \"ann\", password: \"correct-horse\") }"}'"#,
    #"curl http://a/hooks --json '{"url":"https://ann:correct-horse@h/x","n":"http://h:80/@"}'"#,
    #"curl http://a/h -d '<c><secret_url>https://correct.example/battery</secret_url></c>'"#,
    #"curl http://a/h -d 'text' -H 'X-Note: session=https://correct.example/battery'"#,
    #"curl http://a/h -d '{"Authorization": "Bearer correct-battery"}' -H 'Content-Type: text/plain'"#,
    #"curl http://a/h -d 'Authorization: Bearer correct-battery' -H 'Content-Type: text/plain'"#,
    #"curl http://a/h -d 'x password="correct horse \" battery" y' -H 'Content-Type: text/plain'"#,
    #"curl http://a/h --json '{"inner":"{\"password\": \"correct horse battery\"}"}'"#,
    #"curl http://a/h -d '{"tokens": ["correct battery"]}' -H 'Content-Type: text/plain'"#,
    #"curl http://a/h -d '<password> correct horse battery </password>' -H 'Content-Type: a/xml'"#,
  ]) func `a text inside of a body loses its secrets`(_ command: String) throws {
    let result = try Import(reading: Array(command.utf8), named: "a.curl")

    let written = result.scenario + result.notes.map(\.message).joined()
    #expect(["correct", "battery"].filter(written.contains) == [], "\(written)")
    #expect(result.scenario.contains("${{ inputs."))
  }

  @Test func `what is no form is sent as it is written`() throws {
    let command = #"curl http://a/login -d '{"user":"ann","next":"/a?b=c",}'"#
    let result = try Import(reading: Array(command.utf8), named: "a.curl")

    #expect(result.scenario.contains(#"body: "{\"user\":\"ann\",\"next\":\"/a?b=c\",}""#))
  }

  @Test(arguments: [
    ("see token > 5 or <b>bold</b>", #"body: "see token > 5 or <b>bold</b>""#),
    ("https://example.org/token", "body: https://example.org/token"),
    ("Authorization: Bearer abc1", #"body: "Authorization: Bearer ${{ inputs.authorization }}""#),
  ]) func `what is around a secret stays`(_ text: String, _ expected: String) throws {
    let command = "curl http://a/h -H 'Content-Type: text/plain' -d '\(text)'"
    let result = try Import(reading: Array(command.utf8), named: "a.curl")

    #expect(result.scenario.contains(expected), "\(result.scenario)")
  }

  @Test func `inputs of names that differ in case alone are told apart`() throws {
    let command = #"curl -H "Authorization: Bearer $TOKEN" 'http://a/x?token=correct-horse'"#
    let result = try Import(reading: Array(command.utf8), named: "a.curl")

    #expect(result.scenario.contains("  TOKEN: {type: string, secret: true}\n"))
    #expect(result.scenario.contains("  token_2: {type: string, secret: true}\n"))
  }

  @Test func `a secret is hidden in every other place, too`() throws {
    let text = """
      curl -H 'Authorization: Bearer abcdefgh-1234' https://example.org/users/abcdefgh-1234
      curl -d '{"note": "the token is abcdefgh-1234"}' -H 'Content-Type: application/json' https://example.org
      """

    let result = try Import(reading: Array(text.utf8), named: "a.curl")

    #expect(!result.scenario.contains("abcdefgh"))
    #expect(result.scenario.contains(#"path: "users/${{ inputs.authorization }}""#))
    #expect(result.scenario.contains(#"note: "the token is ${{ inputs.authorization }}""#))
  }

  /// Spellings of the secret `c4n+ary/é "x"` in addresses and forms, with their expressions.
  @Test(arguments: [
    ("a/c4n%2Bary%2F%C3%A9%20%22x%22", "a/${{ url.encodeQuery(inputs.x_key) }}"),
    ("a/c4n%2bary%2f%c3%a9%20%22x%22/b", "a/${{ url.encodeQuery(inputs.x_key) }}/b"),
    ("a/c4n+ary%2F%C3%A9%20%22x%22", "a/${{ url.encodePath(inputs.x_key) }}"),
    ("a?b=c4n%2Bary%2F%C3%A9+%22x%22", "url.encodeQuery(inputs.x_key).replace('%20', '+')"),
  ])
  func `a percent-encoded secret is hidden in every other place, too`(
    _ path: String, _ expected: String
  ) throws {
    let text = """
      curl -H 'X-Api-Key: c4n+ary/é "x"' http://a
      curl 'http://a/\(path)'
      curl -d '\(path)' http://a/b -H 'Content-Type: text/plain'
      """
    let scenario = try Import(reading: Array(text.utf8), named: "a.curl").scenario
      .replacing("x_api_key", with: "x_key")

    #expect(!scenario.lowercased().contains("%2bary") && !scenario.contains("c4n"))
    #expect(scenario.contains("body: \"\(path.prefix(1))"), "\(scenario)")
    #expect(scenario.contains(expected), "\(scenario)")
  }
}
