/// The options of a command repeated in every command of its advice.
///
/// Without them the advice would be about another run, one with more permissions or without
/// secrets.
struct RepeatedOptions: Sendable {
  /// The options shared by several commands.
  static let common = [Option.secret.name, "deny", "allow-host"]

  /// The options with a space before each: ` --secret token --deny network`.
  ///
  /// A secret is repeated with its name and origin, never with its value.
  let text: String

  /// Collects the given options of these names, in their order.
  init(_ arguments: ParsedArguments, of names: [String] = common) {
    text = arguments.options.filter { names.contains($0.name) }
      .map { " --\($0.name)" + ($0.value.isEmpty ? "" : " \($0.value.shellWord)") }
      .joined()
  }
}
