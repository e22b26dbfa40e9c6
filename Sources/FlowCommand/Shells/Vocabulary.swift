/// The source of completion scripts: the commands, and their words.
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

  /// Returns the words of a fixed set.
  ///
  /// Empty for files and for free text.
  func words(_ completion: Completion) -> [Word] {
    switch completion {
    case .nothing, .files, .folders, .inputs, .tags, .components: []
    case .commands: commandWords
    case .plugins: plugins
    case .codes: codes
    case .words(let texts), .list(let texts): texts.map { Word(text: $0, summary: "") }
    }
  }

  /// Returns the completions of a command's first operands, by their index from 0, and the
  /// completion of all later ones.
  static func operands(of syntax: CommandSyntax) -> (first: [Completion], rest: Completion) {
    // No command names more operands.
    let all = (0...4).map(syntax.operands.completion)
    let rest = all[4]
    let count = (all.lastIndex { $0 != rest } ?? -1) + 1
    return (Array(all.prefix(count)), rest)
  }
}

extension Completion {
  /// The kind of words for which a script asks flow whenever it needs them, or nil.
  var asked: NamedWords? {
    switch self {
    case .inputs: .inputs
    case .tags: .tags
    case .components: .components
    case .nothing, .files, .folders, .commands, .plugins, .codes, .words, .list: nil
    }
  }
}

extension CommandSyntax {
  /// The options that take the next word as their value, in all their spellings.
  var valuedOptions: [String] { options.filter(\.value.follows).flatMap(\.written) }
}
