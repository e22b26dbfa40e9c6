internal import FlowCore
package import FlowPlan
internal import FlowRedaction
internal import FlowSystem

// The only words for a difference between an expected and an actual value: the console and all
// reports print them.

extension Mismatch {
  /// The difference in a sentence, the changed lines of long texts, and the values behind it.
  func notes(of operand: (OperandText) -> [String] = { [$0.message] }) -> [String] {
    [message] + changedLines.map { "  " + $0 } + operands.flatMap(operand) + advice
  }

  /// True if both sides are hidden, and therefore look the same.
  private var isHidden: Bool {
    if case .value(let wanted) = expected {
      wanted == actual && Redactor.hasPlaceholder(wanted)
    } else {
      false
    }
  }

  /// The advice about a secret written as an expected value.
  private var advice: [String] {
    isHidden
      ? [
        "a secret is hidden wherever its text occurs, also in this value: "
          + "choose a secret that is not a common word, or do not compare this value"
      ] : []
  }

  /// `balance: expected 90.00, got 87.50`.
  private var message: String {
    let place = path.isEmpty ? "" : "\(path): "
    if case .value(let wanted) = expected, isHidden {
      return
        "\(place)expected \(wanted.summary()), got a different string that is hidden in the same way"
    }
    if let texts, texts.areLong {
      return "\(place)the lines differ at line \(texts.difference.line): - expected, + got"
    }
    if case .schema(let violation) = expected {
      return "\(place)\(violation.message) (\(violation.location))"
    }
    if case .rule(let message, let source) = expected {
      return place + message + (source.map { " (\($0))" } ?? "")
    }
    let sides = sides(limit: Self.longest)
    let ending = bytePlace ?? texts?.place(limit: Self.longest) ?? ""
    return "\(place)expected \(sides.expected), got \(sides.actual)\(ending)"
  }

  private static let longest = 80

  /// The first different byte, from 1 as cmp(1) counts, or nil if a value is none of bytes.
  private var bytePlace: String? {
    guard case .value(.bytes(let wanted)) = expected, case .bytes(let found)? = actual else {
      return nil
    }
    let offset = zip(wanted.content, found.content).prefix { $0 == $1 }.count
    return "; they differ at byte \(offset + 1)"
  }

  /// Returns the expected and the actual value, each on one line and cut around the difference.
  package func sides(limit: Int) -> (expected: String, actual: String) {
    if let texts {
      let shown = texts.difference.quoted(limit: limit)
      return (shown[0], shown[1])
    }
    let got =
      actual.map { $0.summary(limit: limit) } ?? "nothing"
      + (reason.map { ": \($0)" } ?? Suggestion.ending(near))
    switch expected {
    case .value(let wanted):
      guard let actual else { return (wanted.summary(limit: limit), got) }
      let shown = TextDifference(wanted.description, actual.description).plain(limit: limit)
      return (shown[0], shown[1])
    case .condition(let text, let problem): return (text, got + (problem.map { ": \($0)" } ?? ""))
    case .schema(let violation): return ("\(violation.expectation) (\(violation.location))", got)
    case .record: return ("a record", got)
    case .rule(let message, let source):
      return (message + (source.map { " (\($0))" } ?? ""), got)
    case .count(let count):
      guard case .list(let values)? = actual else { return ("a list of \(count)", got) }
      return ("\(count) \(count == 1 ? "element" : "elements")", "\(values.count): \(got)")
    }
  }

  /// The changed lines and their surroundings if both values are texts of several lines, with `-`
  /// before an expected one and `+` before an actual one.
  ///
  /// Otherwise empty.
  package var changedLines: [String] {
    guard let texts, texts.areLong, !isHidden else { return [] }
    return LineDifference(from: texts.expected, to: texts.actual).text(limit: Self.mostLines)
  }

  /// The most lines shown of a difference.
  private static let mostLines = 40

  /// Both values as texts, or nil if one is none.
  private var texts: ComparedTexts? {
    guard case .value(let wanted) = expected, let actual else { return nil }
    return ComparedTexts(wanted, actual)
  }
}

/// An expected and an actual text.
private struct ComparedTexts {
  let expected: String
  let actual: String
  let difference: TextDifference

  /// Creates the texts of two strings, or of bytes in UTF-8.
  init?(_ wanted: Value, _ found: Value) {
    switch (wanted, found) {
    case (.string(let wanted), .string(let found)): (expected, actual) = (wanted, found)
    case (.bytes(let wanted), .bytes(let found)):
      guard let first = String(validating: wanted.content, as: UTF8.self),
        let second = String(validating: found.content, as: UTF8.self)
      else { return nil }
      (expected, actual) = (first, second)
    default: return nil
    }
    difference = TextDifference(expected, actual)
  }

  /// True if both have lines to compare.
  var areLong: Bool { [expected, actual].allSatisfy { $0.utf8.dropLast().contains(0x0A) } }

  /// Returns the place of the difference if the texts do not show it, or an empty string.
  func place(limit: Int) -> String {
    guard difference.isCut(limit: limit) else { return "" }
    return difference.line > 1
      ? "; they differ at line \(difference.line)"
      : "; they differ at character \(difference.offset + 1)"
  }
}

extension OperandText {
  /// `steps.load.balance is 70.00`.
  var message: String { "\(text) is \(value.shortened(to: 80))" }
}
