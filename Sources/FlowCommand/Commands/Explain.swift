extension Command {
  static let explain = Command(
    syntax: CommandSyntax(
      name: "explain", summary: "Explains a diagnostic code, such as F1203.",
      operands: .upToOne("CODE"), options: [],
      details: "Without a code, lists all codes. 'f1203' and '1203' also mean F1203.")
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
