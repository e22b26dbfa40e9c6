import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Messages about a body that a step does not expect.
@Suite struct ExplanationTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let type: String
    let body: String
    let expectation: String
    /// The first note of the failure; empty for none.
    let expected: String
  }

  static let examples: [Example] = [
    Example(
      testDescription: "a name twice", type: "application/json",
      body: "{\"a\": 1,\n \"a\": 2, \"b\": 3}", expectation: "{json: {b: 3}}",
      expected: "json: expected a record, got nothing: the body is not JSON: line 2, column 17: "
        + "the name 'a' appears twice"),
    Example(
      testDescription: "half a pair", type: "application/json", body: #"["\uD83D", 3]"#,
      expectation: #"{json: ["x", 3]}"#,
      expected: "json: expected a list of 2, got nothing: the body is not JSON: line 1, column 9: "
        + #"'\uD83D' is half of a surrogate pair"#),
    Example(
      testDescription: "a page", type: "text/html", body: "<html>", expectation: "{json: null}",
      expected: "json: expected null, got nothing: the body is not JSON: line 1, column 1: "
        + "expected a value, got '<html>'"),
    Example(
      testDescription: "a condition", type: "text/html", body: "no",
      expectation: "{json: \"${{ it != 7 }}\"}",
      expected:
        "json: expected ${{ it != 7 }}, got nothing: the body is not JSON: line 1, column 1: "
        + "expected a value, got 'no'"),
    Example(
      testDescription: "text after a value", type: "text/plain", body: "[1,\n2] and more\nlines",
      expectation: "{json: [1, 2]}",
      expected: "json: expected a list of 2, got nothing: the body is not JSON: line 2, column 4: "
        + "unexpected text after the value, got 'and more'"),
    Example(
      testDescription: "JSON that is null", type: "application/json", body: "null",
      expectation: "{json: null}", expected: ""),
    Example(
      testDescription: "nothing", type: "application/json", body: "",
      expectation: "{json: null, text: \"\"}", expected: ""),
    Example(
      testDescription: "another value", type: "application/json", body: "{\"b\": 4}",
      expectation: "{json: {b: 3}}", expected: "json.b: expected 3, got 4"),
  ]

  @Test(arguments: examples)
  func `the failure of an expectation says why the body is no JSON, also in a replay`(
    _ example: Example
  ) async throws {
    let server = try TestServer(answering: { _ in
      TestServer.answer("200 OK", ["Content-Type: \(example.type)"], example.body)
    })
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {web: {plugin: http, with: {base: "\(server.url)"}}}
      steps:
        - {uses: web.get, expect: \(example.expectation)}
      """, to: "page.yaml")

    let run = try await ScenarioFile(folder.path("page.yaml")).attempt(try Registry([HTTP.self]))

    let note = run.failures.split(separator: "\n").first { $0.contains("note: json") } ?? ""
    #expect(
      (note.split(separator: "note: ").last.map(String.init) ?? "") == example.expected,
      "\(run.failures)")
  }

  @Test(arguments: [
    (
      [0xC3, 0x28], "",
      "the body is not text: it is not UTF-8, and no other charset is named"
    ),
    (
      [0xC3, 0x28], "; charset=utf-8",
      "the body is not text: it is not in the charset 'utf-8'"
    ),
  ])
  func `a text that the body is not has a reason`(
    _ body: [UInt8], _ charset: String, _ expected: String
  ) throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\(charset)\r\n\r\n"
    let reply = TransferReply(
      number: 1, status: 200, head: Array(head.utf8), body: body, elapsed: .zero)
    let url = try WebAddress("http://localhost/")

    let answer = HTTPAnswer(
      reply, DecodedBody(body, HeaderFields(head: reply.head)), from: url, elapsed: .zero)
    let file = HTTPAnswer(reply, HeaderFields(head: reply.head), size: 2, from: url, elapsed: .zero)

    #expect(answer.absence(of: "text") == expected)
    #expect(answer.absence(of: "json") == expected)
    #expect(answer.absence(of: "status") == nil)
    #expect(file.absence(of: "text") == "the body was written to a file")
  }

  @Test(arguments: [
    ("application/json", "{\"a\": 1,", "line 1, column 9: the text ends too early"),
    (
      "Application/Problem+JSON; charset=utf-8", "{\n\"a\": 1e400}",
      "line 2, column 6: the number is too large for a double"
    ),
    ("text/json", #"["\q"]"#, #"line 1, column 5: invalid escape '\q'"#),
    (
      "application/json", String(repeating: "[", count: 101) + String(repeating: "]", count: 101),
      "deeper than 100 levels"
    ),
    ("application/json", "null", nil), ("application/json", "\u{FEFF}null", nil),
    ("application/json", "", nil), ("text/plain", "{", nil),
    ("application/x-ndjson", "{}\n{}", nil), ("application/json-seq", "{", nil),
  ])
  func `a run says why a body that is said to be JSON is none`(
    _ type: String, _ body: String, _ expected: String?
  ) throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n"
    let reply = TransferReply(
      number: 1, status: 200, head: Array(head.utf8), body: Array(body.utf8), elapsed: .zero)

    let answer = HTTPAnswer(
      reply, DecodedBody(reply.body, HeaderFields(head: reply.head)),
      from: try WebAddress("http://localhost/"), elapsed: .zero)

    #expect(answer.note == expected.map { "the body is not JSON: \($0)" })
  }
}
