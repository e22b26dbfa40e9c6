internal import FlowSystem
internal import FlowTexts

/// The meaning of a diagnostic code: one section of `Docs/rules.md`, which is embedded in the
/// program.
struct Rule: Sendable {
  enum Subject: Sendable {
    case scenario
    case project
  }

  let code: String
  let title: String
  /// The reason for the rule, and the remedy, in whole lines.
  private(set) var explanation = ""
  /// A whole file that breaks the rule.
  ///
  /// Empty if no file alone can break it.
  private(set) var bad = ""
  /// The corrected file.
  private(set) var good = ""
  /// An included scenario next to both files, `part.yaml`.
  ///
  /// Empty if they need none.
  private(set) var part = ""

  /// The kind of the examples.
  ///
  /// Codes of the project file start with F16.
  var subject: Subject { code.hasPrefix("F16") ? .project : .scenario }

  /// Returns true if a text is the code, also in lower case or without its letter.
  func isNamed(_ text: String) -> Bool { [text.uppercased(), "F" + text].contains(code) }

  static let all = Rule.read(String(decoding: Texts.rules, as: UTF8.self))

  var text: String {
    var text = "\(code): \(title)\n\n\(explanation)\n"
    let file = subject == .scenario ? "" : " flow.yaml"
    if !bad.isEmpty { text += "\nwrong\(file):\n\n" + Self.indented(bad) }
    if !good.isEmpty { text += "\nright\(file):\n\n" + Self.indented(good) }
    if !part.isEmpty { text += "\npart.yaml:\n\n" + Self.indented(part) }
    return text
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "    \($0)\n" }.joined()
  }

  // MARK: - Reading the page

  /// Reads the rules of a page.
  ///
  /// A rule starts with `## CODE: title`. Its explanation follows, then fenced examples, each after
  /// a line that ends in a colon and describes it. A heading `#` ends a rule.
  static func read(_ page: String) -> [Rule] {
    var rules: [Rule] = []
    for section in page.sections where section.heading.contains(": ") {
      let code = section.heading.prefix { $0 != ":" }
      var rule = Rule(code: String(code), title: String(section.heading.dropFirst(code.count + 2)))
      rule.read(section.lines)
      rules.append(rule)
    }
    return rules
  }

  private mutating func read(_ lines: ArraySlice<Substring>) {
    var explanation: [Substring] = []
    var rest = lines
    while let line = rest.popFirst() {
      guard let example = Self.example(line) else {
        // Fences around a table of the explanation are only for the page.
        if !line.hasPrefix("```") { explanation.append(line) }
        continue
      }
      self[keyPath: example] = rest.popFence()
    }
    self.explanation = explanation.trimming(while: \.isEmpty).joined(separator: "\n")
  }

  /// Returns the kind of the fenced text after a line, or nil for a line of the explanation.
  private static func example(_ line: Substring) -> WritableKeyPath<Rule, String>? {
    switch line {
    case "Wrong:", "Wrong `flow.yaml`:": \.bad
    case "Right:", "Right `flow.yaml`:": \.good
    case "`part.yaml`:": \.part
    default: nil
    }
  }
}

extension String {
  fileprivate var sections: [(heading: Substring, lines: ArraySlice<Substring>)] {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    let starts = lines.indices.filter { lines[$0].hasPrefix("## ") }
    return starts.map { start in
      let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("# ") || $0.hasPrefix("## ") }
      return (lines[start].dropFirst(3), lines[(start + 1)..<(end ?? lines.endIndex)])
    }
  }
}

extension ArraySlice<Substring> {
  fileprivate mutating func popFence() -> String {
    while let line = popFirst(), !line.hasPrefix("```") {}
    var text = ""
    while let line = popFirst(), line != "```" { text += "\(line)\n" }
    return text
  }
}
