internal import FlowCore
internal import FlowSystem

/// A call of a generated scenario.
package struct GeneratedCall: Sendable {
  /// The result of the call in the run.
  enum End: Sendable, Hashable {
    /// Unknown: whatever it is, the scenario goes on.
    case open
    /// It answers, or it is the failing call.
    case answer
    /// It answers with this declared error.
    case error(String)
    /// Never: nothing goes on in it.
    case stuck
  }

  /// `balance.subtract`.
  let name: String
  /// The type of its input.
  let type: RecordType
  /// The input.
  ///
  /// Absent fields have their defaults.
  var input: [(name: String, value: Value)]
  var end = End.open

  /// `balance.subtract {amount: 10.01}`.
  var title: String { input.isEmpty ? name : "\(name) \(inputText)" }

  fileprivate var inputText: String {
    "{"
      + input.map { "\(Value.keyText($0.name)): \($0.value.scenarioText)" }
      .joined(separator: ", ") + "}"
  }

  fileprivate func lines(indentation: String) -> String {
    var text = "\(indentation)- uses: \(name)\n"
    if !input.isEmpty { text += "\(indentation)  with: \(inputText)\n" }
    switch end {
    case .open: text += "\(indentation)  continue-on-error: true\n"
    case .answer: break
    case .error(let code): text += "\(indentation)  expect: {error: \(code)}\n"
    case .stuck: text += "\(indentation)  timeout: 10s\n"
    }
    return text
  }
}

/// A scenario's text with a place for further steps behind its own.
package struct ScenarioFrame: Sendable {
  private let before: String
  /// True if it has steps.
  private let hasSteps: Bool
  private let indentation: String
  private let after: String

  /// Creates the frame of a scenario with each key on a separate line.
  ///
  /// Returns nil for another form.
  package init?(_ text: String, name: String) {
    var sections = Self.sections(of: text)
    guard let steps = sections.firstIndex(where: { $0.key == "steps" }) else { return nil }
    let body = sections[steps].lines.dropFirst()
    let item = body.first { $0.trimmedStart == "-" || $0.trimmedStart.hasPrefix("- ") }
    let rest = sections[steps].lines[0].dropFirst("steps:".count).trimmedStart
    // A list in brackets, or another form without room for a line.
    guard rest.isEmpty || rest.hasPrefix("#") || rest.hasPrefix("[]"),
      item != nil || body.allSatisfy(\.hasNoContent)
    else { return nil }
    sections[steps].lines[0] = "steps:"
    hasSteps = item != nil
    indentation = String((item ?? "  ").prefix { $0 == " " })
    let lines = { (isMeant: (String) -> Bool) in
      sections.filter { isMeant($0.key) }.flatMap { $0.lines.trimmedEnd.map(String.init) }
    }
    let title = "name: \(Value.string(name).scenarioText)"
    let head = lines { Self.head.contains($0) } + [title] + lines { Self.isKept($0) }
    before = Self.text(head + sections[steps].lines.trimmedEnd.map(String.init))
    after = Self.text(lines { Self.tail.contains($0) })
  }

  /// The scenario with calls behind its own steps.
  package func text(with calls: [GeneratedCall]) -> String {
    let none = calls.isEmpty && !hasSteps ? "\(indentation)[]\n" : ""
    return before + none + calls.map { $0.lines(indentation: indentation) }.joined() + after
  }

  /// The keys before all others, and the keys after the steps.
  private static let head: Set<String> = ["", "flow"]
  private static let tail: Set<String> = ["finally", "outputs"]
  /// The keys that describe the original scenario.
  private static let dropped: Set<String> = ["name", "description", "tags", "steps"]

  private static func isKept(_ key: String) -> Bool {
    !head.contains(key) && !tail.contains(key) && !dropped.contains(key)
  }

  private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  /// The lines of each top-level key.
  ///
  /// Lines before the first key have an empty one.
  private static func sections(of text: String) -> [(key: String, lines: [Substring])] {
    var sections: [(key: String, lines: [Substring])] = [("", [])]
    // A carriage return with a line feed is one character.
    let isEnd = { (character: Character) in ["\n", "\r\n", "\r"].contains(character) }
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: isEnd) {
      if let first = line.first, first.isLetter, let colon = line.firstIndex(of: ":") {
        sections.append((String(line[..<colon]), []))
      }
      sections[sections.count - 1].lines.append(line)
    }
    return sections
  }
}

extension Substring {
  fileprivate var trimmedStart: Substring { drop { $0 == " " } }
  /// True if it is empty, or only a comment.
  fileprivate var hasNoContent: Bool { trimmedStart.isEmpty || trimmedStart.hasPrefix("#") }
}

extension [Substring] {
  /// Without empty lines at the end.
  fileprivate var trimmedEnd: [Substring] {
    var lines = self
    while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
    return lines
  }
}

extension Value {
  /// The value in the notation of scenarios, where its type is known.
  var scenarioText: String {
    switch self {
    case .string(let text): return JSON.string(text).text
    case .timestamp, .duration: return "\"\(self)\""
    case .list(let values): return "[" + values.map(\.scenarioText).joined(separator: ", ") + "]"
    case .map(let map):
      return "{"
        + map.entries.map { "\($0.key.scenarioText): \($0.value.scenarioText)" }
        .joined(separator: ", ") + "}"
    case .optional(let value): return value?.scenarioText ?? "null"
    default: return description
    }
  }
}
