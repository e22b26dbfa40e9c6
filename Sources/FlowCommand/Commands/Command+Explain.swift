internal import FlowCore

extension Command {
  /// `flow explain CODE`.
  static let explain = Command(
    syntax: CommandSyntax(
      name: "explain", summary: "Explains a diagnostic code, such as F1203.",
      operands: .upToOne("CODE"), options: [],
      details: "Without a code it lists all of them.")
  ) { (flow, arguments) throws(UsageError) in
    guard let code = arguments.operands.first else {
      flow.world.output(HelpText.columns(Rule.all.map { ($0.code, $0.title) }))
      return .passed
    }
    guard let rule = Rule.all.first(where: { $0.code == code.uppercased() }) else {
      throw .unknownCode(code)
    }
    flow.world.output(rule.text)
    return .passed
  }
}
