import FlowImport
import Testing

/// Names of headers and fields that are invalid in HTTP or YAML.
@Suite struct ImportedNameTests {
  private static let long = String(repeating: "owl", count: 400)

  @Test(arguments: [
    ("a.har", "GET /owls?of=x HTTP/1.1", "a header with an invalid name"),
    ("a.har", "x owl", "a header with an invalid name"),
    ("a.har", long, "a header with an invalid name"),
    ("a.sh", "x owl", "a header with an invalid name"),
    ("a.hurl", "{{owl}} x", "names with templates are"),
  ]) func `a header whose name is none is left out, and a note says so`(
    _ file: String, _ name: String, _ message: String
  ) async throws {
    let texts = [
      "a.har": #"""
      {"log": {"entries": [{"request": {"method": "GET", "url": "http://h/x", "headers": [
        {"name": "NAME", "value": "1"}, {"name": "X-Owl", "value": "2"}]}, "response": {"status": 200}}]}}
      """#,
      "a.sh": "curl -H 'NAME: 1' -H 'x-owl: 2' http://h/x",
      "a.hurl": "GET http://h/x\nNAME: 1\nx-owl: 2\nHTTP 200\n",
    ]
    let text = try #require(texts[file]).replacing("NAME", with: name)
    let result = try Import(reading: Array(text.utf8), named: file)

    #expect(result.notes.map(\.message).contains { $0.hasPrefix(message) })
    #expect(result.scenario.contains("{path: x, headers: {x-owl: \"2\"}}"), "\(result.scenario)")
    #expect(try await CheckedScenario(result.scenario).problems == "")
  }

  @Test(arguments: [
    "curl -d 'NAME=1&b=2' http://h/x", "curl --url-query 'NAME=1' http://h/x",
    "curl -F 'NAME=1' http://h/x", "curl --json '{\"NAME\": 1}' http://h/x",
  ]) func `a long name makes no invalid scenario`(_ command: String) async throws {
    let text = command.replacing("NAME", with: Self.long)
    let result = try Import(reading: Array(text.utf8), named: "a.sh")

    #expect(try await CheckedScenario(result.scenario).problems == "")
  }
}
