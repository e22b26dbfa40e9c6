import FlowCore
import FlowImport
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Scenarios made of other tools' files, against a server.
@Suite struct ImportedRequestTests {
  /// Returns the requests that a server receives from an imported file, and the failures of the run.
  private func requests(
    _ name: String, _ text: String, secrets: [String: String] = [:]
  ) async throws -> (requests: [TestServer.Request], failures: String) {
    let server = try TestServer.echo()
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write("a file", to: "note.txt")
    let source = text.replacing("SERVER", with: server.url)
    let result = try Import(reading: Array(source.utf8), named: name)
    try folder.write(result.scenario, to: "imported.yaml")
    var options = LiveOptions()
    options.secrets = secrets
    let run = try await ScenarioFile(folder.path("imported.yaml")).attempt(
      try Registry([HTTP.self]), options: options)
    return (server.requests, run.failures)
  }

  @Test func `a command of curl is sent as curl sends it`() async throws {
    let (requests, failures) = try await requests(
      "a.curl",
      """
      curl -f -H 'X-Trace: on' -H "Authorization: Bearer abcdefgh" SERVER/echo/items/7
      curl -d name=Barn -d 'text=a%20b' SERVER/echo/form
      curl --json '{"a": [1, 2.50, null]}' SERVER/echo/json?x=1
      curl -X PATCH -H 'Content-Type: text/plain' --data-binary @note.txt SERVER/echo/file
      """, secrets: ["authorization": "abcdefgh"])

    #expect(failures == "")
    #expect(
      requests.map(\.line) == [
        "GET /echo/items/7", "POST /echo/form", "POST /echo/json?x=1", "PATCH /echo/file",
      ])
    #expect(
      requests.map(\.text) == ["", "name=Barn&text=a%20b", #"{"a":[1,2.50,null]}"#, "a file"])
    #expect(requests.first?.headers["authorization"] == "Bearer abcdefgh")
    #expect(requests.first?.headers["x-trace"] == "on")
  }

  @Test func `a HAR file is sent as the browser sent it`() async throws {
    let (requests, failures) = try await requests(
      "a.har",
      """
      {"log": {"entries": [
        {"request": {"method": "POST", "url": "SERVER/echo/login", "headers": [],
          "postData": {"mimeType": "application/json", "text": "{\\"user\\":\\"ann\\"}"}},
         "response": {"status": 200}},
        {"request": {"method": "GET", "url": "SERVER/redirect", "headers": []},
         "response": {"status": 302}}
      ]}}
      """)

    #expect(failures == "")
    #expect(requests.map(\.line) == ["POST /echo/login", "GET /redirect"])
    #expect(requests.first?.text == #"{"user":"ann"}"#)
  }

  private static let hurl = """
    POST SERVER/echo/items
    {"id": 7, "tags": ["red"]}
    HTTP 200
    [Captures]
    sent: jsonpath "$.body"
    way: jsonpath "$.method"
    [Asserts]
    status < 300
    header "Content-Type" startsWith "application/json"
    header "Location" not exists
    jsonpath "$.method" == "POST"
    jsonpath "$.type" contains "json"
    jsonpath "$.body" jsonpath "$.tags[*]" contains "red"
    jsonpath "$.body" jsonpath "$.tags" count == 1
    jsonpath "$.nothing" not exists
    jsonpath "$.path" exists
    jsonpath "$.path" isString
    jsonpath "$.path" split "/" count == 3
    body matches /"method": ?"POST"/
    duration < 600000

    GET SERVER/redirect
    X-Was: {{way}}
    HTTP 302
    [Asserts]
    header "Location" == "/echo/redirected"

    GET SERVER/redirect
    [Options]
    location: true
    retry: 2
    HTTP 200
    [Asserts]
    jsonpath "$.path" endsWith "redirected"
    url endsWith "/redirected"
    """

  @Test func `a Hurl file asserts in flow what it does in Hurl`() async throws {
    let (requests, failures) = try await requests("a.hurl", Self.hurl)

    #expect(failures == "")
    #expect(requests.dropFirst().first?.headers["x-was"] == "POST")
    #expect(
      requests.map(\.line) == [
        "POST /echo/items", "GET /redirect", "GET /redirect", "GET /echo/redirected",
      ])
  }

  @Test func `a repeated request of a Hurl file is sent as often, and its capture stays`()
    async throws
  {
    let (requests, failures) = try await requests(
      "a.hurl",
      """
      PUT SERVER/echo/perch
      [Options]
      repeat: 3
      HTTP 200
      [Captures]
      way: jsonpath "$.method"
      [Asserts]
      variable "way" == "PUT"

      GET SERVER/echo/{{way}}
      [Options]
      repeat: 11
      HTTP 200
      """)

    #expect(failures == "")
    let expected =
      Array(repeating: "PUT /echo/perch", count: 3) + Array(repeating: "GET /echo/PUT", count: 11)
    #expect(requests.map(\.line) == expected)
  }

  @Test(arguments: [
    (#"jsonpath "$.method" == "POST""#, #"jsonpath "$.method" == "GET""#),
    (#"header "Location" not exists"#, #"header "Location" exists"#),
    (#"jsonpath "$.type" contains "json""#, #"jsonpath "$.type" contains "xml""#),
    (#"jsonpath "$.path" split "/" count == 3"#, #"jsonpath "$.path" split "/" count == 4"#),
    (#"jsonpath "$.path" endsWith "redirected""#, #"jsonpath "$.path" endsWith "nowhere""#),
  ]) func `an assert that does not hold in Hurl fails in flow`(
    _ right: String, _ wrong: String
  ) async throws {
    let (_, failures) = try await requests("a.hurl", Self.hurl.replacing(right, with: wrong))

    #expect(failures.contains("[F200"), "\(failures)")
  }
}
