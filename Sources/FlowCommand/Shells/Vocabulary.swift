/// What completion scripts are made from: the commands, and the words that they take.
struct Vocabulary: Sendable {
  struct Word: Sendable {
    let text: String
    let summary: String
  }

  let commands: [CommandSyntax]
  /// The plugins, each followed by its operations as `plugin.operation`.
  let plugins: [Word]
  let codes: [Word]

  var commandWords: [Word] { commands.map { Word(text: $0.name, summary: $0.summary) } }

  /// The words of a fixed set; empty for files and for what only the user knows.
  func words(_ completion: Completion) -> [Word] {
    switch completion {
    case .nothing, .files, .folders: []
    case .commands: commandWords
    case .plugins: plugins
    case .codes: codes
    case .words(let texts), .list(let texts): texts.map { Word(text: $0, summary: "") }
    }
  }

  /// The operands of a command that have completions of their own, by their index from 0, and what is offered for all
  /// those behind them.
  static func operands(of syntax: CommandSyntax) -> (first: [Completion], rest: Completion) {
    // No command names more operands than that.
    let all = (0...4).map(syntax.operands.completion)
    let rest = all[4]
    let count = (all.lastIndex { $0 != rest } ?? -1) + 1
    return (Array(all.prefix(count)), rest)
  }
}

extension CommandSyntax {
  /// The options whose value may be the next word, in all the ways to write them.
  var valuedOptions: [String] { options.filter(\.value.follows).flatMap(\.written) }
}
