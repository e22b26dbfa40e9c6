import Foundation
import Testing

@testable import FlowExpression

/// Texts made to exhaust the stack, the memory or the time.
struct HostileTests {
  struct Hostile: CustomTestStringConvertible {
    let id: String
    let text: String
    let expected: String

    var testDescription: String { id }

    static let deep = "the expression is nested more than 100 levels deep"
  }

  private static func repeated(_ part: String, less bytes: Int = 0) -> String {
    String(String(repeating: part, count: 100_000 / part.utf8.count).dropLast(bytes))
  }

  private static func nested(_ open: String, _ inner: String, _ close: String, _ count: Int)
    -> String
  {
    String(repeating: open, count: count) + inner + String(repeating: close, count: count)
  }

  private static let texts = [
    Hostile(id: "parentheses", text: repeated("("), expected: Hostile.deep),
    Hostile(id: "brackets", text: repeated("["), expected: Hostile.deep),
    Hostile(id: "braces", text: repeated("{1:"), expected: Hostile.deep),
    Hostile(id: "negations", text: repeated("!"), expected: Hostile.deep),
    Hostile(id: "minus signs", text: repeated("-"), expected: Hostile.deep),
    Hostile(id: "calls", text: repeated("f("), expected: Hostile.deep),
    Hostile(id: "selections", text: "a" + repeated(".a", less: 2), expected: Hostile.deep),
    Hostile(id: "indices", text: "a" + repeated("[0]"), expected: Hostile.deep),
    Hostile(id: "methods", text: "a" + repeated(".a()", less: 4), expected: Hostile.deep),
    Hostile(id: "sums", text: "1" + repeated("+1", less: 2), expected: Hostile.deep),
    Hostile(id: "relations", text: "1" + repeated("<1", less: 2), expected: Hostile.deep),
    Hostile(id: "conditionals", text: repeated("1?1:"), expected: Hostile.deep),
    Hostile(id: "macros", text: repeated("[1].map(x,"), expected: Hostile.deep),
    Hostile(
      id: "a row of operands", text: repeated("a||") + "a",
      expected: "the expression has more than 20000 parts"),
    Hostile(
      id: "blanks", text: repeated(" ") + "1",
      expected: "the expression is longer than 100000 bytes"),
    Hostile(
      id: "a row of elements", text: "[" + repeated("1,", less: 2) + "]",
      expected: "the expression has more than 20000 parts"),
    Hostile(
      id: "an open string", text: "'" + repeated("a", less: 1), expected: "unterminated string"),
    Hostile(
      id: "quotes", text: repeated("'"), expected: "unexpected '''''''', expected an operator"),
    Hostile(
      id: "comments", text: repeated("//", less: 1),
      expected: "the expression ends too early, expected an expression"),
    Hostile(
      id: "an exponent", text: "1e" + repeated("9", less: 2),
      expected:
        "the number '1e999999999999999999999999999999999999999999999999999999999…' is out of range"),
  ]

  @Test(arguments: texts)
  func `a hostile text is refused on a small stack`(_ hostile: Hostile) async {
    let problem = await onSmallStack {
      do throws(ExpressionErrors) {
        return "\(try Expression(hostile.text, in: Environment()).type)"
      } catch {
        return error.problems.first?.message ?? ""
      }
    }

    #expect(problem == hostile.expected)
  }

  @Test(arguments: [
    nested("(", "1", ")", 99), nested("[", "1", "]", 99), nested("-(", "1", ")", 49),
    nested("{1:", "1", "}", 98), nested("[1].map(x, ", "x", ")", 98),
    nested("cel.bind(x, 1, ", "x", ")", 98), nested("true ? 1 : ", "1", "", 98),
    nested("size([", "1", "])", 49), "1" + String(repeating: " + 1", count: 99),
    nested("[[1]].all(x, x.exists(y, ", "true", "))", 49),
  ])
  func `the deepest accepted text is compiled and evaluated on a small stack`(_ text: String) async
  {
    let outcome = await onSmallStack {
      do {
        let expression = try Expression(text, in: Environment())
        _ = try expression.evaluate(Activation())
        _ = try Parser.parse(text).normalizedText
        _ = expression.operands(Activation())
        return "evaluated"
      } catch {
        return "\(error)"
      }
    }

    #expect(outcome == "evaluated")
  }

  // What Darwin gives the threads of tasks; code that is not optimised needs four times as much.
  #if DEBUG
    private static let stackSize = 2_048 * 1_024
  #else
    private static let stackSize = 512 * 1_024
  #endif

  private func onSmallStack(_ body: @escaping @Sendable () -> String) async -> String {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = Self.stackSize
      thread.start()
    }
  }
}
