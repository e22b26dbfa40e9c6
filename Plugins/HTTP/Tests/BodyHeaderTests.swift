import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Headers that the body decides on.
@Suite struct BodyHeaderTests {
  static let parts = Value.list([
    .map(ValueMap([("name", .string("title")), ("value", .string("Mill"))]))
  ])
  static let form = Value.map(ValueMap([("title", .string("Mill"))]))

  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var component: String?
    var step: String?
    let body: (name: String, value: any FieldValue & Sendable)
    /// The type that arrives, with `B` for the boundary.
    let expected: String
  }

  static let kept: [Example] = [
    Example(
      testDescription: "parts beside a component's JSON", component: "application/json",
      body: ("multipart", parts), expected: "multipart/form-data; boundary=B"),
    Example(
      testDescription: "parts of another type", step: "Multipart/Mixed; boundary=mine; x=\"a;b\"",
      body: ("multipart", parts), expected: "multipart/mixed; x=\"a;b\"; boundary=B"),
    Example(
      testDescription: "a form beside a component's XML", component: "text/xml",
      body: ("form", form), expected: "application/x-www-form-urlencoded"),
    Example(
      testDescription: "a form with a charset",
      step: "application/x-www-form-urlencoded; charset=utf-8", body: ("form", form),
      expected: "application/x-www-form-urlencoded; charset=utf-8"),
    Example(
      testDescription: "JSON beside a component's form",
      component: "application/x-www-form-urlencoded", body: ("json", form),
      expected: "application/json"),
    Example(
      testDescription: "JSON of a component's own type", component: "application/vnd.shop+json",
      body: ("json", form), expected: "application/vnd.shop+json"),
    Example(
      testDescription: "JSON that a step calls text", component: "application/vnd.shop+json",
      step: "text/plain", body: ("json", form), expected: "text/plain"),
    Example(
      testDescription: "a text of a component's type", component: "application/xml",
      body: ("body", "<a/>"), expected: "application/xml"),
  ]

  @Test(arguments: kept)
  func `the type that arrives is one by which the body can be read`(
    _ example: Example
  ) async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    var settings: [String: any FieldValue] = ["base": server.url]
    settings["headers"] = example.component.map { ["content-type": $0, "Content-Length": "3"] }
    var input: [String: any FieldValue] = [example.body.name: example.body.value]
    input["headers"] = example.step.map { ["Content-Type": $0] }

    try await HTTP.with(settings) { [input] in _ = try await $0.call("post", input) }

    let request = try #require(server.requests.first)
    let type = try #require(request.headers["content-type"])
    let boundary =
      request.text.hasPrefix("--") ? request.text.prefix { $0 != "\r\n" }.dropFirst(2) : ""
    #expect((boundary.isEmpty ? type : type.replacing(boundary, with: "B")) == example.expected)
    #expect(request.headers["content-length"] == "\(request.body.count)")
  }

  static let refused: [(input: [String: any FieldValue & Sendable], text: String)] = [
    (
      ["multipart": parts, "headers": ["content-type": "application/json"]],
      "the header 'Content-Type' says 'application/json', but 'multipart' sends "
        + "'multipart/form-data'; leave the header out"
    ),
    (
      ["form": form, "headers": ["Content-Type": "text/plain"]],
      "the header 'Content-Type' says 'text/plain', but 'form' sends "
        + "'application/x-www-form-urlencoded'; leave the header out"
    ),
    (
      ["body": "four", "headers": ["Content-Length": "5"]],
      "the header 'Content-Length' says '5', but the body has 4 bytes; leave the header out"
    ),
    (
      ["body": "four", "headers": ["Transfer-Encoding": "gzip"]],
      "the header 'Transfer-Encoding' is 'gzip'; only 'chunked' is allowed, and only with a body"
    ),
    (
      ["headers": ["X-One": "1", "x-one": "2"]],
      "'X-One' and 'x-one' are the same header; give it once"
    ),
    (
      [
        "json": Value.map(
          ValueMap([("a", .list([.int(1), .map(ValueMap([("b", .double(.infinity))]))]))]))
      ], "'a[1].b' in 'json' is an infinite number or NaN, which JSON cannot contain"
    ),
    (
      ["json": Value.double(.nan)],
      "'json' is an infinite number or NaN, which JSON cannot contain"
    ),
  ]

  @Test(arguments: refused.indices)
  func `what contradicts the body is refused before anything is sent`(
    _ index: Int
  ) async throws {
    let server = try TestServer.echo()
    defer { server.close() }

    let text = try await HTTP.with(["base": server.url]) {
      await $0.text("post", Self.refused[index].input)
    }

    #expect(text == "invalid: \(Self.refused[index].text)")
    #expect(server.connectionCount == 0)
  }

  @Test func `a header that a component gives twice fails the start`() async throws {
    let settings: [String: any FieldValue] = ["headers": ["Accept": "a/b", "ACCEPT": "c/d"]]

    await #expect(
      throws: ComponentError(
        .settings, "'headers': 'ACCEPT' and 'Accept' are the same header; give it once")
    ) {
      try await OpenComponent(HTTP.self, with: settings)
    }
  }

  static let known: [(with: String, problem: String)] = [
    (
      "{form: {a: 1}, headers: {content-type: application/json}}",
      "the header 'Content-Type' says 'application/json', but 'form' sends "
        + "'application/x-www-form-urlencoded'; leave the header out"
    ),
    (
      "{multipart: [{name: a, value: b}], path: \"${{ inputs.a }}\", headers: {Content-Type: text/plain}}",
      "the header 'Content-Type' says 'text/plain', but 'multipart' sends "
        + "'multipart/form-data'; leave the header out"
    ),
    ("{json: 1, body: x}", "a request has one body: 'json' and 'body' cannot be combined"),
    ("{path: a, url: \"http://b\"}", "'path' cannot be combined with 'url'"),
    ("{headers: {A: x, a: y}}", "'A' and 'a' are the same header; give it once"),
  ]

  @Test(arguments: known.indices)
  func `a contradiction of a step is found before the run`(_ index: Int) async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {a: {type: string, default: x}}
      components: {web: {plugin: http, with: {base: "http://127.0.0.1:1"}}}
      steps:
        - {uses: web.post, with: \(Self.known[index].with)}
      """, to: "step.yaml")

    let failures = try await Self.problem(folder.path("step.yaml"))

    #expect(
      failures.contains(
        "error: 'web.post' cannot be called with this input: \(Self.known[index].problem) [F1220]"),
      "\(failures)")
  }

  @Test func `a step may expect that its input is refused`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {web: {plugin: http, with: {base: "http://127.0.0.1:1"}}}
      steps:
        - {uses: web.post, with: {json: 1, body: x}, expect: {error: invalid}}
      """, to: "step.yaml")

    #expect(try await Self.problem(folder.path("step.yaml")) == "")
  }

  /// The reason that a scenario cannot run, or fails.
  private static func problem(_ path: String) async throws -> String {
    do {
      return try await ScenarioFile(path).attempt(try Registry([HTTP.self])).failures
    } catch {
      return "\(error)"
    }
  }
}
