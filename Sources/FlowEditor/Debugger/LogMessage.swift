internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem

/// The message of a log point: a text with expressions in braces, as in `total is {total}`.
package struct LogMessage: Sendable {
  private enum Part {
    case text(String)
    case expression(String)
  }

  /// The most characters of a value.
  private static let longest = 400

  private let parts: [Part]

  /// Reads a message.
  ///
  /// - Throws: `DebugError` for a brace without its other one.
  package init(_ text: String) throws(DebugError) {
    var (parts, rest) = ([Part](), Substring(text))
    while let open = rest.firstIndex(of: "{") {
      guard let close = Self.end(of: rest[rest.index(after: open)...]) else {
        throw DebugError("the message has a '{' without its '}'")
      }
      parts.append(.text(String(rest[..<open])))
      parts.append(.expression(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    self.parts = parts + [.text(String(rest))]
  }

  /// The expressions, in order.
  var expressions: [String] {
    parts.compactMap { if case .expression(let text) = $0 { text } else { nil } }
  }

  /// Returns the index of the brace that ends an expression, outside of its strings and braces.
  private static func end(of text: Substring) -> Substring.Index? {
    var (depth, quote) = (0, Character?.none)
    for index in text.indices {
      switch (text[index], quote) {
      case ("\"", nil), ("'", nil): quote = text[index]
      case (let character, let open?): if character == open { quote = nil }
      case ("{", nil): depth += 1
      case ("}", nil) where depth == 0: return index
      case ("}", nil): depth -= 1
      default: break
      }
    }
    return nil
  }

  /// The message with the values at a moment, or with the reasons why there are none.
  func text(_ values: ValuesInSight) -> String {
    parts.map { part in
      switch part {
      case .text(let text): return text
      case .expression(let expression):
        do throws(ValuesInSight.Problem) {
          let value = try values.evaluate(expression).value
          guard case .string(let text) = value else { return value.summary(limit: Self.longest) }
          return Ellipsis.shortened(text, to: Self.longest)
        } catch {
          return "{\(error.text)}"
        }
      }
    }.joined()
  }
}

extension BreakpointHits {
  /// The messages of the log points at a moment.
  func messages(
    at number: Int, in timeline: Timeline, _ analysis: ScenarioAnalysis, _ redactor: Redactor
  ) -> [String] {
    let messages = logs(at: number, in: timeline)
    if messages.isEmpty { return [] }
    let values = ValuesInSight(at: number, in: timeline, analysis, redactor)
    return messages.map { $0.text(values) }
  }
}
