/// The options of a command that belong into every command that its advice names.
///
/// Without them the advice would be about another run: one that may reach more, or has no secrets.
struct RepeatedOptions: Sendable {
  /// The options that more than one command has.
  static let common = [Option.secret.name, "deny", "allow-host"]

  /// The options with a space before each: ` --secret token --deny network`.
  ///
  /// A secret has its name and where it comes from, never its value: no command line has one.
  let text: String

  /// The options of these names that were given, in their order.
  init(_ arguments: ParsedArguments, of names: [String] = common) {
    text = arguments.options.filter { names.contains($0.name) }
      .map { " --\($0.name)" + ($0.value.isEmpty ? "" : " \($0.value.shellWord)") }
      .joined()
  }
}
