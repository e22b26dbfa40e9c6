internal import FlowCore

/// What fits the last word of a command line.
///
/// Its text has a line with the kind, and a line with the start of the word that stays. A line for
/// each choice follows, with its summary behind a tab.
struct Offer: Sendable {
  enum Kind: String, Sendable {
    /// Words, each of them whole.
    case words
    /// Words to which something is added.
    case starts
    /// Paths of files, which the shell knows.
    case files
    /// Paths of folders, which the shell knows.
    case folders
  }

  struct Word: Sendable, Hashable {
    let text: String
    var summary = ""
  }

  var kind = Kind.words
  var prefix = ""
  var words: [Word] = []

  var text: String {
    "\(kind.rawValue)\n\(prefix)\n" + words.map { "\($0.text)\t\($0.summary)\n" }.joined()
  }
}

extension CommandContext {
  /// Returns what fits the last of the words behind `flow`.
  func offer(for given: [String]) throws(RegistryError) -> Offer {
    let words = given.joinedAtEqualSigns
    let (current, earlier) = (words.last ?? "", Array(words.dropLast()))
    guard let name = earlier.first else {
      return Offer(
        words: try self.words(.commands) + ["--help", "--version"].map { .init(text: $0) })
    }
    guard let syntax = Command.all.map(\.syntax).first(where: { $0.name == name }) else {
      return Offer()
    }
    let line = CommandLineStart(earlier.dropFirst(), of: syntax)
    if let option = line.pending { return try offer(option.completion, current, line) }
    if line.takesOptions, current.hasPrefix("-") {
      return try offer(forOption: current, of: syntax, line)
    }
    let operand = line.otherOperands ?? syntax.operands.completion(at: line.operands.count)
    return try offer(operand, current, line)
  }

  /// Returns the names of options, or the values of the one before a `=`.
  private func offer(
    forOption current: String, of syntax: CommandSyntax, _ line: CommandLineStart
  ) throws(RegistryError) -> Offer {
    guard let sign = current.firstIndex(of: "=") else {
      return Offer(
        words: syntax.allOptions.map { .init(text: "--\($0.name)", summary: $0.summary) })
    }
    let (name, start) = (String(current[..<sign]), current[...sign])
    guard let option = syntax.options.first(where: { $0.written.contains(name) }) else {
      return Offer()
    }
    var offer = try offer(option.completion, String(current.dropFirst(start.count)), line)
    offer.prefix = start + offer.prefix
    return offer
  }

  private func offer(
    _ completion: Completion, _ current: String, _ line: CommandLineStart
  ) throws(RegistryError) -> Offer {
    switch completion {
    case .nothing: return Offer()
    case .files: return Offer(kind: .files)
    case .folders: return Offer(kind: .folders)
    case .commands, .plugins, .codes, .words: return Offer(words: try words(completion))
    case .tags: return Offer(words: names(.tags, line))
    case .inputs:
      return current.contains("=") ? Offer() : Offer(kind: .starts, words: names(.inputs, line))
    case .list, .components:
      let start = current.lastIndex(of: ",").map { String(current[...$0]) } ?? ""
      let words = completion == .components ? names(.components, line) : try words(completion)
      return Offer(prefix: start, words: words)
    }
  }

  private func names(_ kind: NamedWords, _ line: CommandLineStart) -> [Offer.Word] {
    names(kind, on: line.operands).map { .init(text: $0) }
  }

  /// Returns the words of a fixed set, none for others.
  private func words(_ completion: Completion) throws(RegistryError) -> [Offer.Word] {
    switch completion {
    case .commands:
      return Command.all.map { .init(text: $0.syntax.name, summary: $0.syntax.summary) }
    case .codes: return Rule.all.map { .init(text: $0.code, summary: $0.title) }
    case .words(let texts), .list(let texts): return texts.map { .init(text: $0) }
    case .plugins:
      return try registry.pluginsBeforeExamples.flatMap { plugin in
        [.init(text: plugin.plugin.name, summary: plugin.plugin.summary)]
          + plugin.ownOperations.map {
            .init(text: "\(plugin.plugin.name).\($0.name)", summary: $0.summary)
          }
      }
    case .nothing, .files, .folders, .inputs, .tags, .components: return []
    }
  }
}

/// The words of a command before the one that is completed.
private struct CommandLineStart {
  private(set) var operands: [String] = []
  /// The option whose value is completed, or nil.
  private(set) var pending: Option?
  /// The completion of operands by an option that gives them another meaning, or nil.
  private(set) var otherOperands: Completion?
  /// False behind `--`.
  private(set) var takesOptions = true

  init(_ words: some Sequence<String>, of syntax: CommandSyntax) {
    for word in words {
      if pending != nil {
        pending = nil
      } else if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("-") {
        let option = syntax.options.first { $0.written.contains(word) }
        pending = option.flatMap { $0.value.follows ? $0 : nil }
        if let option, option.value.placeholder == nil, option.completion != .nothing {
          otherOperands = option.completion
        }
      } else {
        operands.append(word)
      }
    }
  }
}

extension Option {
  /// The spellings of the option: `--output` and `-o`.
  fileprivate var written: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}

extension [String] {
  /// The words of a command line as they are written: bash splits `--format=json` into three.
  fileprivate var joinedAtEqualSigns: [String] {
    var words: [String] = []
    var isJoining = false
    for word in self {
      if let last = words.last, isJoining || word == "=" && !last.isEmpty && !last.contains("=") {
        words[words.count - 1] = last + word
        isJoining = word == "="
      } else {
        words.append(word)
        isJoining = false
      }
    }
    return words
  }
}
