internal import FlowCore

extension Command {
  static let completions = Command(
    syntax: CommandSyntax(
      name: "completions",
      summary: "Prints a completion script for a shell.",
      operands: .one("bash|zsh|fish"), options: [],
      details: """
        The script completes commands, options, their values, plugins, operations, codes, files, and the
        inputs, tags and components of scenarios. It asks the program that is called, so it fits every
        version of flow:

          source <(flow completions bash)    # in ~/.bashrc
          source <(flow completions zsh)     # in ~/.zshrc, after compinit
          flow completions fish | source     # in ~/.config/fish/config.fish
        """)
  ) { (flow, arguments) throws(UsageError) in
    let name = arguments.operands[0]
    guard let shell = ShellScript(rawValue: name) else {
      throw .unknownShell(name, known: ShellScript.allCases.map(\.rawValue).alternatives)
    }
    flow.process.documentOutput(shell.text)
    return .passed
  }
}

extension CommandContext {
  /// Prints what fits the last word of a command line, for the scripts.
  func complete(_ words: [String]) -> ExitCode {
    do throws(RegistryError) {
      process.documentOutput(try offer(for: words).text)
      return .passed
    } catch {
      return unusable(error)
    }
  }
}
