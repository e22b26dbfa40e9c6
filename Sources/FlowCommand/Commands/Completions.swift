internal import FlowCore

extension Command {
  static let completions = Command(
    syntax: CommandSyntax(
      name: "completions",
      summary: "Prints a completion script for a shell.",
      operands: .many("bash|zsh|fish [KIND] [WORD]"), options: [],
      details: """
        The script completes commands, options, their values, plugins, operations, codes and files. It
        runs this command with a KIND (inputs, tags or components) and the words of the command line
        for the names in the scenarios among them.

        It fits this version of flow, so load it whenever the shell starts:

          source <(flow completions bash)    # in ~/.bashrc
          source <(flow completions zsh)     # in ~/.zshrc, after compinit
          flow completions fish | source     # in ~/.config/fish/config.fish
        """)
  ) { (flow, arguments) throws(UsageError) in
    let name = arguments.operands[0]
    guard let shell = shells.first(where: { $0.name == name }) else {
      throw .unknownShell(name, known: shells.map(\.name).alternatives)
    }
    if arguments.operands.count > 1 {
      return flow.printNames(arguments.operands[1], on: Array(arguments.operands.dropFirst(2)))
    }
    do throws(RegistryError) {
      flow.process.documentOutput(shell.script(try flow.vocabulary))
      return .passed
    } catch {
      return flow.unusable(error)
    }
  }

  private static let shells: [(name: String, script: @Sendable (Vocabulary) -> String)] = [
    ("bash", { BashScript.text($0) }), ("zsh", { ZshScript.text($0) }),
    ("fish", { FishScript.text($0) }),
  ]
}

extension CommandContext {
  fileprivate var vocabulary: Vocabulary {
    get throws(RegistryError) {
      Vocabulary(
        commands: Command.all.map(\.syntax),
        plugins: try registry.pluginsBeforeExamples.flatMap { plugin in
          [.init(text: plugin.plugin.name, summary: plugin.plugin.summary)]
            + plugin.operations.map {
              .init(text: "\(plugin.plugin.name).\($0.name)", summary: $0.summary)
            }
        },
        codes: Rule.all.map { .init(text: $0.code, summary: $0.title) })
    }
  }
}
