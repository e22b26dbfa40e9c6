extension Command {
  static let explain = Command(
    syntax: CommandSyntax(
      name: "explain", summary: "Explains a diagnostic code, such as F1203.",
      operands: .upToOne("CODE"), options: [],
      details: "Without a code it lists all of them. 'f1203' and '1203' mean F1203.")
  ) { (flow, arguments) throws(UsageError) in
    guard let code = arguments.operands.first else {
      flow.process.output(HelpText.columns(Rule.all.map { ($0.code, $0.title) }))
      return .passed
    }
    guard let rule = Rule.all.first(where: { $0.isNamed(code) }) else { throw .unknownCode(code) }
    flow.process.output(rule.text)
    return .passed
  }
}

/// What a diagnostic code means: one section of `Docs/rules.md`, which is embedded in the program.
struct Rule: Sendable {
  enum Subject: Sendable {
    case scenario
    case project
  }

  let code: String
  let title: String
  /// Why it is a rule, and what to do; whole lines.
  private(set) var explanation = ""
  /// A whole file that breaks the rule; empty for what no file alone can break.
  private(set) var bad = ""
  /// The same file as it should be.
  private(set) var good = ""
  /// A scenario beside both of them, in `part.yaml`; empty where they need none.
  private(set) var part = ""

  /// What the examples are: the codes of the project file begin with F16.
  var subject: Subject { code.hasPrefix("F16") ? .project : .scenario }

  /// Whether a text is the code, in lower case or without its letter, too.
  func isNamed(_ text: String) -> Bool { [text.uppercased(), "F" + text].contains(code) }

  static let all = Rule.read(String(decoding: PackageResources.rules_md, as: UTF8.self))

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

  /// The rules of a page.
  ///
  /// A rule begins with `## CODE: title`; its explanation follows, then fenced examples, each after a line that ends in a
  /// colon and says what it is. A heading `#` ends a rule.
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
        // A table of the explanation is fenced for the page alone.
        if !line.hasPrefix("```") { explanation.append(line) }
        continue
      }
      self[keyPath: example] = rest.popFence()
    }
    self.explanation = explanation.trimmed.joined(separator: "\n")
  }

  /// What the fenced text after a line is; nil for a line of the explanation.
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

extension [Substring] {
  fileprivate var trimmed: ArraySlice<Substring> {
    guard let first = firstIndex(where: { !$0.isEmpty }),
      let last = lastIndex(where: { !$0.isEmpty })
    else { return [] }
    return self[first...last]
  }
}
