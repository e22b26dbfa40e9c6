/// What a diagnostic code means, for `flow explain`.
struct Rule: Sendable {
  /// The stable code.
  let code: String
  /// The rule in a few words.
  let title: String
  /// Why it is a rule, and what to do; whole lines.
  let explanation: String
  /// A whole scenario that breaks the rule; empty for what no scenario alone can break.
  let bad: String
  /// The same scenario as it should be.
  let good: String
  /// A scenario beside both of them, in `part.yaml`; empty where they need none.
  let part: String

  init(
    _ code: String, _ title: String, _ explanation: String, bad: String = "", good: String = "",
    part: String = ""
  ) {
    self.code = code
    self.title = title
    self.explanation = explanation
    self.bad = bad
    self.good = good
    self.part = part
  }

  /// Every rule, by code.
  static let all: [Rule] =
    fileRules + stepRules + registryRules + inclusionRules + expressionRules + orderRules
    + inputRules + unusedRules + runRules + transcriptRules + journalRules

  /// The text of `flow explain CODE`.
  var text: String {
    var text = "\(code): \(title)\n\n\(explanation)\n"
    if !bad.isEmpty { text += "\nwrong:\n\n" + Self.indented(bad) }
    if !good.isEmpty { text += "\nright:\n\n" + Self.indented(good) }
    if !part.isEmpty { text += "\npart.yaml:\n\n" + Self.indented(part) }
    return text
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "    \($0)\n" }.joined()
  }
}
