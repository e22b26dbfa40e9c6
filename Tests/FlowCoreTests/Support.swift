import FlowCore
import Testing

/// One row of a table: an id, what goes in and what must come out.
struct Row<Input: Sendable, Output: Sendable>: Sendable, CustomTestStringConvertible {
  let id: String
  let input: Input
  let expected: Output

  init(_ id: String, _ input: Input, _ expected: Output) {
    self.id = id
    self.input = input
    self.expected = expected
  }

  var testDescription: String { id.isEmpty ? "nothing" : id }
}

/// One row of a table of texts, which is its own id.
struct TextRow<Output: Sendable>: Sendable, CustomTestStringConvertible {
  let text: String
  let expected: Output

  init(_ text: String, _ expected: Output) {
    self.text = text
    self.expected = expected
  }

  var testDescription: String { text.isEmpty ? "nothing" : text }
}

/// The result's text, or the error's: so that one table holds both.
func text<Result>(_ body: () throws -> Result) -> String {
  do { return "\(try body())" } catch { return "\(error)" }
}

/// The text of every unicode scalar, which `==` of strings does not tell apart.
func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

extension Decimal {
  /// The greatest number there is, with the scale 0.
  static let greatest = Decimal(significand: .max, scale: 0)
  /// The least number there is, with the scale 0.
  static let least = Decimal(significand: .min, scale: 0)

  /// Significand and scale, which `==` does not tell apart.
  var parts: String { "\(significand) \(scale)" }
}
