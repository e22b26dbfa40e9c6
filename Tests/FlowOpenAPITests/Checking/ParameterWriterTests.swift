import FlowCore
import Testing

@testable import FlowOpenAPI

/// The texts of the examples in OpenAPI 3.1.1, section 4.8.12.6, and those that are refused.
@Suite struct ParameterWriterTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let place: String
    let form: String
    let value: Value
    let text: String
    var testDescription: String { "\(place) \(form) \(value)" }

    init(_ place: String, _ form: String, _ value: Value, _ text: String) {
      (self.place, self.form, self.value, self.text) = (place, form, value, text)
    }
  }

  private static let colours: Value = .list([.string("blue"), .string("black"), .string("brown")])
  private static let shade: Value = .map(
    ValueMap([("R", .int(100)), ("G", .int(200)), ("B", .int(150))]))
  private static let hard: Value = .list([.string("a,b"), .string("c/d&e=f"), .string("é")])

  static let cases = [
    Case("path", "style: matrix", .string(""), ";color="),
    Case("path", "style: matrix", .string("blue"), ";color=blue"),
    Case("path", "style: matrix", colours, ";color=blue,black,brown"),
    Case("path", "style: matrix", shade, ";color=R,100,G,200,B,150"),
    Case("path", "style: matrix, explode: true", colours, ";color=blue;color=black;color=brown"),
    Case("path", "style: matrix, explode: true", shade, ";R=100;G=200;B=150"),
    Case("path", "style: label", .string("blue"), ".blue"),
    Case("path", "style: label", colours, ".blue,black,brown"),
    Case("path", "style: label", shade, ".R,100,G,200,B,150"),
    Case("path", "style: label, explode: true", colours, ".blue.black.brown"),
    Case("path", "style: label, explode: true", shade, ".R=100.G=200.B=150"),
    Case("path", "style: simple", colours, "blue,black,brown"),
    Case("path", "style: simple", shade, "R,100,G,200,B,150"),
    Case("path", "style: simple, explode: true", shade, "R=100,G=200,B=150"),
    Case("path", "style: simple", hard, "a%2Cb,c%2Fd%26e%3Df,%C3%A9"),
    Case("query", "style: form", .string(""), "color="),
    Case("query", "style: form", .string("a b&c"), "color=a%20b%26c"),
    Case("query", "style: form", colours, "color=blue&color=black&color=brown"),
    Case("query", "style: form", shade, "R=100&G=200&B=150"),
    Case("query", "style: form, explode: false", colours, "color=blue,black,brown"),
    Case("query", "style: form, explode: false", shade, "color=R,100,G,200,B,150"),
    Case("query", "style: form, explode: false", hard, "color=a%2Cb,c%2Fd%26e%3Df,%C3%A9"),
    Case(
      "query", "allowReserved: true", .string("a/b:c,d&e=f#g+h"), "color=a/b:c,d%26e%3Df%23g%2Bh"),
    Case("query", "allowReserved: true, explode: false", hard, "color=a%2Cb,c/d%26e%3Df,%C3%A9"),
    Case("query", "style: spaceDelimited, explode: false", colours, "color=blue%20black%20brown"),
    Case(
      "query", "style: spaceDelimited, explode: false", shade, "color=R%20100%20G%20200%20B%20150"),
    Case("query", "style: pipeDelimited, explode: false", colours, "color=blue%7Cblack%7Cbrown"),
    Case("query", "style: deepObject", shade, "color[R]=100&color[G]=200&color[B]=150"),
    Case(
      "query", "style: deepObject", .map(ValueMap([("a", .list([.int(1), .int(2)]))])),
      "color[a]=1&color[a]=2"),
    Case("header", "style: simple", colours, "blue,black,brown"),
    Case("header", "style: simple, explode: true", shade, "R=100,G=200,B=150"),
    Case("header", "style: simple", .string("a, b"), "a, b"),
    Case("cookie", "style: form", .string("a b; admin=1"), "color=a%20b%3B%20admin%3D1"),
    Case("cookie", "style: form, explode: false", hard, "color=a%2Cb,c%2Fd%26e%3Df,%C3%A9"),
    Case("cookie", "style: form", colours, "color=blue&color=black&color=brown"),

    Case("path", "style: simple", .string(""), "error: a parameter of a path cannot be empty"),
    Case(
      "path", "style: label, explode: true", .list([.string("a.b")]),
      "error: '.' in a text cannot be told from the separator of the style 'label'"),
    Case(
      "query", "style: pipeDelimited, explode: false", .list([.string("a|b"), .string("c")]),
      "error: '|' in a text cannot be told from the separator of the style 'pipeDelimited'"),
    Case(
      "query", "style: spaceDelimited, explode: false", .list([.string("a b")]),
      "error: ' ' in a text cannot be told from the separator of the style 'spaceDelimited'"),
    Case(
      "query", "style: form", .list([.list([.int(1)])]),
      "error: a list or an object inside of another one has no text in the style 'form'"),
    Case(
      "query", "style: form, explode: false", .list([.string("")]),
      "error: a list of one empty text is an empty list in the style 'form'"),
    Case(
      "query", "style: deepObject", .map(ValueMap([("a]", .int(1))])),
      "error: '[' in a text cannot be told from the separator of the style 'deepObject'"),
    Case(
      "header", "style: simple", .list([.string("a,b")]),
      "error: ',' in a text cannot be told from the separator of the style 'simple'"),
    Case(
      "header", "style: simple", .list([.string(" a"), .string("b")]),
      "error: blanks around a part of a header are lost"),
  ]

  @Test(arguments: cases)
  func `a value is written in the style of its parameter`(_ testCase: Case) throws {
    let parameter = try #require(
      try Self.operation(testCase.place, testCase.form, schema: "{}").parameters.first)
    let text: String
    do throws(ParameterWriter.Problem) {
      text = try Self.written(testCase.value, parameter).map { $0.name + $0.text }
        .joined(separator: "&")
    } catch { text = "error: " + error.message }
    #expect(text == testCase.text)
  }

  // MARK: - Both directions

  /// Values whose texts have every character that a style uses.
  @Test func `what is written is read as the same value`() throws {
    var generator = SeededGenerator(seed: 4711, label: "parameters")
    var (counts, refused) = ([String: Int](), 0)
    for (place, styles) in Self.styles {
      for style in styles {
        for explodes in [true, false] {
          for kind in ["text", "list", "object"] {
            let form = "style: \(style), explode: \(explodes)"
            let operation = try Self.operation(place, form, schema: Self.schemas[kind] ?? "")
            for _ in 0..<500 {
              let value = Self.value(kind, &generator)
              guard let texts = try? Self.written(value, operation.parameters[0]) else {
                refused += 1
                continue
              }
              let read = Self.read(texts, operation)
              if read != value {
                Issue.record("\(place) \(form): \(value) as \(texts) is read as \(read as Any)")
                return
              }
              counts["\(place) \(style) \(explodes) \(kind)", default: 0] += 1
            }
          }
        }
      }
    }
    // Of 54 combinations these have no form: texts and lists as deep objects, and objects between
    // spaces or pipes with `explode`.
    #expect(counts.count == 54 - 4 - 2)
    let total = counts.values.reduce(0, +)
    #expect(total >= 20_000, "\(refused) were refused")
  }

  private static let styles = [
    ("path", ["simple", "label", "matrix"]),
    ("query", ["form", "spaceDelimited", "pipeDelimited", "deepObject"]),
    ("header", ["simple"]), ("cookie", ["form"]),
  ]
  private static let schemas = [
    "text": "{type: string}", "list": "{type: array, items: {type: string}}",
    "object": "{type: object, additionalProperties: {type: string}}",
  ]

  private static func value(_ kind: String, _ generator: inout SeededGenerator) -> Value {
    func text() -> String {
      let characters = Array("abcXYZ019-._~ ,;|&=?/:%+#[]@!$'()*<>\"\\^`{}é€😀\t")
      return String(
        (0..<Int.random(in: 1...6, using: &generator)).map { _ in
          characters.randomElement(using: &generator) ?? "a"
        })
    }
    switch kind {
    case "text": return .string(text())
    case "list":
      return .list((0..<Int.random(in: 1...4, using: &generator)).map { _ in .string(text()) })
    default:
      var members: [(String, Value)] = []
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let name = text()
        if !members.contains(where: { $0.0 == name }) { members.append((name, .string(text()))) }
      }
      return .map(ValueMap(members))
    }
  }

  private static func operation(
    _ place: String, _ form: String, schema: String
  ) throws -> OpenAPIOperation {
    let required = place == "path" ? ", required: true" : ""
    return try OpenAPIDescription(
      paths: """
        /a\(place == "path" ? "/{color}" : ""):
          get:
            operationId: a
            parameters: [{name: color, in: \(place)\(required), \(form), schema: \(schema)}]
            responses: {200: {description: D}}
        """
    ).named("a")
  }

  private static func written(
    _ value: Value, _ parameter: OpenAPIParameter
  ) throws(ParameterWriter.Problem) -> [(name: String, text: String)] {
    let writer = ParameterWriter(parameter)
    switch parameter.place {
    case .path: return [("", try writer.pathText(value))]
    case .header: return [("", try writer.headerText(value))]
    case .query, .cookie: return try writer.fields(value).map { ($0.name + "=", $0.text) }
    }
  }

  private static func read(
    _ texts: [(name: String, text: String)], _ operation: OpenAPIOperation
  ) -> Value? {
    let parameter = operation.parameters[0]
    let reader = ContractCheck(operation, .request).parameterText(parameter)
    if [.path, .header].contains(parameter.place) { return reader.value(of: texts[0].text) }
    let fields = texts.map { (name: String($0.name.dropLast()), value: $0.text) }
    return reader.value(in: fields, declared: ["color"]).value
  }
}
