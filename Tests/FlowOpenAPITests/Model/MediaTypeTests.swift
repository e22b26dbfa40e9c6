import FlowCore
import FlowOpenAPI
import Testing

/// The content of a description that counts for a media type.
@Suite struct MediaTypeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let keys: [String]
    let given: String
    /// The key that counts, or nil if none does.
    let key: String?

    var testDescription: String { "\(given) of \(keys)" }

    init(_ keys: [String], _ given: String, _ key: String?) {
      (self.keys, self.given, self.key) = (keys, given, key)
    }
  }

  @Test(arguments: [
    Case(["a/b", "a/*", "*/*"], "a/b", "a/b"),
    Case(["a/*", "*/*"], "A/B", "a/*"),
    Case(["a/c", "*/*"], "a/b", "*/*"),
    Case(["a/c"], "a/b", nil),
    Case(["a/b; v=1", "a/b; v=2"], "a/b;v=2", "a/b; v=2"),
    Case(["a/b; v=1", "a/b; v=2"], "a/b; v=3", nil),
    Case(["a/b; v=1", "a/b"], "a/b; v=3", "a/b"),
    Case(["a/b", "a/b; v=1"], "a/b; V=\"1\"", "a/b; v=1"),
    Case(["a/b", "a/b; v=1"], "a/b", "a/b"),
    Case(["a/b; v=1; w=2", "a/b; v=1"], "a/b; w=2; v=1", "a/b; v=1; w=2"),
    Case(["a/b; charset=utf-8"], "a/b", "a/b; charset=utf-8"),
    Case(["a/b; charset=utf-8"], "a/b; charset=UTF-8; x=1", "a/b; charset=utf-8"),
    Case(["a/b; charset=utf-8"], "a/b; charset=latin1", nil),
    Case(["a/*; v=1", "*/*"], "a/b; v=1", "a/*; v=1"),
    Case(["a/b; v=\"1;2\"", "a/b; v=1"], "a/b; v=\"1;2\"", "a/b; v=\"1;2\""),
  ]) func `the nearest key counts`(_ test: Case) throws {
    // Each key allows its own number alone.
    let contents = test.keys.enumerated().map { number, key in
      "'\(key)': {schema: {enum: [\(number)]}}"
    }
    let operation = try OpenAPIDescription(
      paths: """
        /a:
          put:
            operationId: a
            requestBody: {content: {\(contents.joined(separator: ", "))}}
            responses: {200: {description: D}}
        """
    ).named("a")
    let fitting = test.keys.indices.filter { number in
      operation.problems(
        in: OpenAPIRequest(path: "/a", contentType: test.given, body: .json(.int(number)))
      ).isEmpty
    }

    #expect(fitting.map { test.keys[$0] } == test.key.map { [$0] } ?? [])
  }

  @Test(arguments: ["{type: array, items: {type: string}}", "{type: object}"])
  func `a text is not compared with a list or an object`(_ schema: String) throws {
    let operation = try OpenAPIDescription(
      paths: """
        /a:
          put:
            operationId: a
            requestBody: {content: {text/plain: {schema: \(schema)}}}
            responses: {200: {description: D}}
        """
    ).named("a")

    #expect(operation.problems(in: OpenAPIRequest(path: "/a", body: .text("x"))).isEmpty)
  }
}
