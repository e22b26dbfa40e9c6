import FlowCore
import Testing

@testable import FlowExpression

struct UnfinishedExpressionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let receiver: String?
    let prefix: String
    var testDescription: String { text }

    init(_ text: String, _ receiver: String?, _ prefix: String) {
      (self.text, self.receiver, self.prefix) = (text, receiver, prefix)
    }
  }

  private static let cases = [
    Case("", nil, ""), Case(" ", nil, ""), Case("st", nil, "st"), Case("a + st", nil, "st"),
    Case("steps.", "steps", ""), Case("steps.lo", "steps", "lo"),
    Case("steps.load.ba", "steps.load", "ba"), Case("steps.?lo", "steps", "lo"),
    Case("size(steps.load.", "steps.load", ""), Case("a[0].b", "a[0]", "b"),
    Case("f(x, y).b", "f(x, y)", "b"), Case("a.f(x)[1].b", "a.f(x)[1]", "b"),
    Case("[1, 2].", "[1, 2]", ""), Case("'text'.", "'text'", ""), Case("!a.b", "a", "b"),
    Case("a ? b : steps.", "steps", ""), Case("in", nil, "in"), Case("a in st", nil, "st"),
  ]

  @Test(arguments: cases)
  func `the written name and the value before it are known`(_ sample: Case) throws {
    let unfinished = try #require(UnfinishedExpression(sample.text))

    #expect(unfinished.receiver == sample.receiver)
    #expect(unfinished.prefix == sample.prefix)
  }

  @Test(arguments: ["'steps.", "\"a", "12", "1.5", "'a'", "b'x'", "`a.b`", "a ~"])
  func `there is no name in a literal or after a mistake`(_ text: String) {
    #expect(UnfinishedExpression(text) == nil)
  }

  private static let record = RecordType([
    .init(name: "title", type: .string, summary: "Its name.", defaultValue: nil),
    .init(name: "tags", type: .list(.string), summary: "", defaultValue: nil),
  ])

  private static var environment: Environment {
    var environment = Environment()
    let slot = { Slot(level: 1, index: $0) }
    environment.declare("steps.page", type: .list(.record(record)), slot: slot(0))
    environment.declare("steps.item", type: .record(record), slot: slot(1))
    environment.declare("steps.item.error", type: .dynamic, slot: slot(2))
    environment.declare("inputs.count", type: .int, slot: Slot(level: 0, index: 0))
    return environment
  }

  @Test(arguments: [
    ("steps.", ["item", "page"]), ("inputs.", ["count"]),
    ("steps.page.all(p, p.", ["title", "tags"]), ("steps.page.map(i, p, p.", ["title", "tags"]),
    ("cel.bind(x, steps.item, x.", ["title", "tags"]),
    ("steps.page.filter(p, p.tags.exists(t, t.", ["startsWith"]),
    ("steps.page[0].", ["title", "tags"]), ("steps.page.", ["filter", "size"]),
    ("math.", ["greatest"]), ("", ["steps", "inputs", "size", "has", "true"]),
    ("steps.item.", ["error", "title", "tags"]),
  ])
  func `names and fields are offered`(_ text: String, _ names: [String]) throws {
    let unfinished = try #require(UnfinishedExpression(text))

    let offered = unfinished.candidates(in: Self.environment).map(\.name)

    for name in names { #expect(offered.contains(name), "\(offered)") }
    if text == "steps." { #expect(offered == names) }
  }

  @Test func `a candidate has its type and its sentence`() throws {
    let unfinished = try #require(UnfinishedExpression("steps.item.ti"))

    let title = unfinished.candidates(in: Self.environment).first { $0.name == "title" }

    #expect(title == NameCandidate("title", .field, "string", "Its name."))
  }

  @Test func `tokens of an expression end at its first mistake`() {
    let tokens = ExpressionToken.all(in: "size(a) > 1 && b == 'x' ~ y")

    let kinds = tokens.map(\.kind)
    #expect(
      kinds == [
        .function, .sign, .name, .sign, .sign, .number, .sign, .name, .sign, .string,
      ])
    #expect(tokens[0].bytes == 0..<4)
  }
}
