import FlowCore
import FlowImport
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Asserts of Hurl in flow: each passes and fails where it does in Hurl 7.1.
@Suite struct ImportedAssertTests {
  private static let document = """
    {"name": "Barn Owl", "count": 7, "whole": 4.0, "third": 0.16666666666666666,
     "huge": 123456789012345678901234567890, "none": null, "tags": ["red", "old"],
     "size": {"w": 2, "h": 3}, "birds": [{"id": 1, "ring": "A7"}, {"id": 2}, 5],
     "price": "2.75", "when": "2024-02-30T10:00:00Z", "seen": "2024-02-29T10:00:00+01:00"}
    """

  /// The failures of a run of a file whose server answers a document, a text, or bytes that are no text.
  private func failures(_ hurl: String) async throws -> String {
    let server = try TestServer { request, connection in
      let headers = [
        "X-One: owl", "X-Two: owl", "X-Two: jay", "Set-Cookie: lamp=on;Path=/a;HttpOnly;Max-Age=9",
      ]
      if request.path == "/bytes" {
        let head = TestServer.answer("200 OK", [], "\u{1}\u{1}\u{1}").utf8.dropLast(3)
        return connection.send(Array(head) + [0xFF, 0x00, 0xC3])
      }
      let text = request.path == "/text" ? "Tyto alba" : Self.document
      return connection.send(TestServer.answer("200 OK", headers, text))
    }
    defer { server.close() }
    let folder = try TemporaryFolder()
    let source = hurl.replacing("SERVER", with: server.url)
    let result = try Import(reading: Array(source.utf8), named: "a.hurl")
    try folder.write(result.scenario, to: "imported.yaml")
    return try await ScenarioFile(folder.path("imported.yaml")).attempt(try Registry([HTTP.self]))
      .failures
  }

  private func failures(of assert: String, at path: String = "json") async throws -> String {
    try await failures("GET SERVER/\(path)\nHTTP 200\n[Asserts]\n\(assert)\n")
  }

  @Test(arguments: [
    #"jsonpath "$.none.x" not exists"#, #"jsonpath "$.tags.x" not exists"#,
    #"jsonpath "$.birds[0].ring.code" not exists"#, #"jsonpath "$.birds[7].id" not exists"#,
    #"jsonpath "$.birds[-4]" not exists"#, #"jsonpath "$.birds[0].ring" exists"#,
    #"jsonpath "$.birds[*].ring" count == 1"#, #"jsonpath "$.birds[*].ring" contains "A7""#,
    #"jsonpath "$.birds[1:9].id" count == 1"#, #"jsonpath "$.birds[5:9].id" count == 0"#,
    #"jsonpath "$.absent" not contains "x""#, #"jsonpath "$.absent[2]" not == 1"#,
    #"jsonpath "$.absent[*].x" not contains "x""#, #"jsonpath "$.absent" not isList"#,
    #"header "X-Absent" not startsWith "a""#, #"cookie "absent" not == "on""#,
    #"jsonpath "$.price" toFloat > 2"#, #"jsonpath "$.price" toFloat == 2.75"#,
    #"jsonpath "$.third" == 0.1666666666666666666"#,
    #"jsonpath "$.name" not == 0.16666666666666666"#,
    #"jsonpath "$.huge" isInteger"#, #"jsonpath "$.whole" isFloat"#,
    #"jsonpath "$.count" isInteger"#, #"jsonpath "$.name" not isInteger"#,
    #"jsonpath "$.size" isObject"#, #"jsonpath "$.tags" count == 2"#,
    #"jsonpath "$.tags" contains "old""#, #"jsonpath "$.name" contains "Owl""#,
    #"jsonpath "$.tags" not contains 5"#, #"jsonpath "$.when" not isIsoDate"#,
    #"jsonpath "$.seen" isIsoDate"#, #"jsonpath "$.name" not == hex,4261726e204f776c;"#,
    #"cookie "lamp[Path]" == "/a""#, #"cookie "lamp[HttpOnly]" exists"#,
    #"cookie "lamp[Max-Age]" == 9"#, #"cookie "lamp[Domain]" not exists"#,
    #"cookie "lamp[Secure]" not exists"#, #"header "X-Two" count == 2"#,
    #"header "X-Two" isCollection"#, #"header "X-Two" nth 1 == "jay""#,
  ]) func `an assert that holds in Hurl passes`(_ assert: String) async throws {
    #expect(try await failures(of: assert) == "")
  }

  @Test(arguments: [
    #"jsonpath "$.name" count == 8"#, #"jsonpath "$.size" count == 2"#,
    #"jsonpath "$.name" not > 5"#, #"jsonpath "$.count" not contains "7""#,
    #"jsonpath "$.size" contains "w""#, #"jsonpath "$.size" not contains "w""#,
    #"jsonpath "$.size[*]" contains "w""#, #"jsonpath "$.absent" count not == 1"#,
    #"jsonpath "$.absent" exists"#, #"jsonpath "$.absent" toInt not exists"#,
    #"jsonpath "$.absent" != 5"#, #"jsonpath "$.whole" isInteger"#,
    #"jsonpath "$.huge" isFloat"#, #"jsonpath "$.when" isIsoDate"#,
    #"jsonpath "$.name" isEmpty"#, #"jsonpath "$.count" not isEmpty"#,
    #"jsonpath "$.name" == hex,4261726e204f776c;"#, #"jsonpath "$.price" == 2.75"#,
    #"jsonpath "$.size" jsonpath "$.w" == 2"#, #"variable "nowhere" exists"#,
    #"header "X-One" count == 1"#, #"header "X-One" isList"#,
    #"cookie "lamp[Secure]" exists"#, #"jsonpath "$.third" == 0.16666666666666"#,
  ]) func `an assert that does not hold in Hurl fails`(_ assert: String) async throws {
    #expect(try await failures(of: assert).contains("[F200"))
  }

  @Test(arguments: [
    (#"body not contains "a""#, "bytes", "assertion failed"),
    ("body isEmpty", "bytes", "assertion failed"),
    ("bytes == hex,ff00;", "bytes", "assertion failed"),
    ("bytes not == hex,ff00c3;", "bytes", "assertion failed"),
    ("bytes == hex,5479746f;", "text", "assertion failed"),
    (#"jsonpath "$.x" not exists"#, "text", "'Tyto alba' is not JSON"),
    (#"jsonpath "$.x" count == 2"#, "text", "'Tyto alba' is not JSON"),
    (#"body contains "owl""#, "text", #"steps.get_text.text is "Tyto alba""#),
    (#"jsonpath "$.name" contains "owl""#, "json", #"steps.get_json.json.name is "Barn Owl""#),
  ]) func `a failure says what the answer was`(
    _ assert: String, _ path: String, _ message: String
  ) async throws {
    let failures = try await failures(of: assert, at: path)

    #expect(failures.contains(message), "\(failures)")
  }

  @Test(arguments: [
    ("bytes == hex,ff00c3;", "bytes"), ("bytes not == hex,00;", "bytes"),
    ("bytes count == 3", "bytes"), ("bytes == hex,5479746f20616c6261;", "text"),
    (#"body startsWith "Tyto""#, "text"),
  ]) func `bytes and texts are compared as what they are`(
    _ assert: String, _ path: String
  ) async throws {
    #expect(try await failures(of: assert, at: path) == "")
  }

  @Test(arguments: [
    (#"x: jsonpath "$.absent""#, false), (#"x: header "X-Absent""#, false),
    (#"x: jsonpath "$.name" toInt"#, false), (#"x: jsonpath "$.tags" nth 5"#, false),
    (#"x: jsonpath "$.birds[0].ring""#, true), (#"x: jsonpath "$.tags" nth 1"#, true),
    ("x: status", true), ("x: body", true), (#"x: jsonpath "$.none""#, true),
  ]) func `a capture fails where there is no value`(_ capture: String, _ passes: Bool) async throws
  {
    let failures = try await failures("GET SERVER/json\nHTTP 200\n[Captures]\n\(capture)\n")

    #expect(failures.isEmpty == passes, "\(failures)")
  }

  @Test(arguments: [
    (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#, false), (#"{"a": {"b": []}}"#, #"{"a": {"b": []}}"#, true),
    (#"[{"a": 1.50}, "x"]"#, #"[{"a": 1.5}, "x"]"#, true), ("{}", #"{"a": null}"#, false),
    (#"{"a": [{"b": 1}]}"#, #"{"a": [{"b": 1, "c": 2}]}"#, false), ("null", "null", true),
  ]) func `a body of JSON is compared as a whole`(
    _ expected: String, _ actual: String, _ passes: Bool
  ) async throws {
    let server = try TestServer(answering: { _ in TestServer.answer("200 OK", [], actual) })
    defer { server.close() }
    let failures = try await failures("GET \(server.url)/x\nHTTP 200\n\(expected)\n")

    #expect(failures.isEmpty == passes, "\(failures)")
  }
}
