/// What a diagnostic code means, for `flow explain`.
struct Rule: Sendable {
  /// What the examples of a rule are.
  enum Subject: String, Sendable {
    /// A whole scenario.
    case scenario
    /// A whole `flow.yaml`.
    case project = "flow.yaml"
  }

  /// The stable code.
  let code: String
  /// The rule in a few words.
  let title: String
  /// Why it is a rule, and what to do; whole lines.
  let explanation: String
  /// What the examples are.
  let subject: Subject
  /// A whole file that breaks the rule; empty for what no file alone can break.
  let bad: String
  /// The same file as it should be.
  let good: String
  /// A scenario beside both of them, in `part.yaml`; empty where they need none.
  let part: String

  init(
    _ code: String, _ title: String, _ explanation: String, of subject: Subject = .scenario,
    bad: String = "", good: String = "", part: String = ""
  ) {
    self.code = code
    self.subject = subject
    self.title = title
    self.explanation = explanation
    self.bad = bad
    self.good = good
    self.part = part
  }

  /// Every rule, by code.
  static let all: [Rule] =
    fileRules + stepRules + parallelRules + registryRules + inclusionRules + expressionRules
    + orderRules + inputRules + unusedRules + projectRules + runRules + transcriptRules
    + journalRules

  /// The text of `flow explain CODE`.
  var text: String {
    var text = "\(code): \(title)\n\n\(explanation)\n"
    let file = subject == .scenario ? "" : " \(subject.rawValue)"
    if !bad.isEmpty { text += "\nwrong\(file):\n\n" + Self.indented(bad) }
    if !good.isEmpty { text += "\nright\(file):\n\n" + Self.indented(good) }
    if !part.isEmpty { text += "\npart.yaml:\n\n" + Self.indented(part) }
    return text
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "    \($0)\n" }.joined()
  }
}
