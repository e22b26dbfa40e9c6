/// The completions for bash, including version 3.2 of macOS without `mapfile` and `compopt`.
///
/// If no words are offered, bash offers files (`-o default`) and quotes their names.
enum BashScript {
  static func text(_ vocabulary: Vocabulary) -> String {
    """
    # Completions of flow for bash; in ~/.bashrc: source <(flow completions bash)
    _flow_offer() {
      local word
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@")
    }
    _flow_named() { "${COMP_WORDS[0]}" completions bash "$1" -- "${COMP_WORDS[@]:2}" 2>/dev/null; }
    _flow() {
      local current="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}"
      local options="" valued="" option="" pending="" words="" list="" word operands=0 index
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        _flow_offer -W "\(first(vocabulary))" -- "$current"
        return
      fi
      case "$command" in
    \(options(vocabulary))    *) return ;;
      esac
    \(words)
      if [ "$current" = "=" ] && [[ "${COMP_WORDS[COMP_CWORD-1]}" == -* ]]; then
        pending="$option" current=""
      fi
      if [ -n "$pending" ]; then
        case "$command $pending" in
    \(values(vocabulary))    esac
      elif [[ "$current" == -* ]]; then words="$options"
      else
        case "$command $operands" in
    \(operands(vocabulary))    esac
      fi
      if [ -n "$list" ]; then
        _flow_offer -P "${current%"${current##*,}"}" -W "$list" -- "${current##*,}"
      elif [ -n "$words" ]; then
        _flow_offer -W "$words" -- "$current"
        case "$words" in *=) compopt -o nospace 2>/dev/null ;; esac
      fi
    }
    complete -o default -F _flow flow

    """
  }

  /// The lines that find the option before the current value, and count the earlier operands.
  private static let words = """
      # bash splits --format=json at '=' into three words.
      for ((index = 2; index < COMP_CWORD; index++)); do
        word="${COMP_WORDS[index]}"
        if [ "$word" = "=" ]; then
          if [[ "${COMP_WORDS[index-1]}" == -* ]]; then pending="$option"; fi
        elif [ -n "$pending" ]; then pending=""
        elif [[ "$word" == -* ]]; then
          option="$word"
          case " $valued " in *" $word "*) pending="$word" ;; esac
        else operands=$((operands + 1)); fi
      done
    """

  private static func first(_ vocabulary: Vocabulary) -> String {
    (vocabulary.commands.map(\.name) + ["--help", "--version"]).joined(separator: " ")
  }

  private static func options(_ vocabulary: Vocabulary) -> String {
    vocabulary.commands.map { command in
      let names = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
      let valued = command.valuedOptions.joined(separator: " ")
      return "    \(command.name)) options=\"\(names)\" valued=\"\(valued)\" ;;\n"
    }.joined()
  }

  private static func values(_ vocabulary: Vocabulary) -> String {
    cases(
      vocabulary.commands.flatMap { command in
        command.options.flatMap { option in
          option.written.map { ("\(command.name) \($0)", option.completion) }
        }
      }, vocabulary)
  }

  private static func operands(_ vocabulary: Vocabulary) -> String {
    cases(
      vocabulary.commands.flatMap { command in
        let (first, rest) = Vocabulary.operands(of: command)
        return first.enumerated().map { ("\(command.name) \($0.offset)", $0.element) } + [
          ("\(command.name) *", rest)
        ]
      }, vocabulary)
  }

  /// Returns a branch for each set of words, with all its patterns.
  private static func cases(
    _ pairs: [(pattern: String, completion: Completion)], _ vocabulary: Vocabulary
  ) -> String {
    var patterns: [Completion: [String]] = [:]
    var order: [Completion] = []
    for (pattern, completion) in pairs
    where completion.asked != nil || !vocabulary.words(completion).isEmpty {
      if patterns[completion] == nil { order.append(completion) }
      let quoted = pattern.hasSuffix(" *") ? "\"\(pattern.dropLast())\"*" : "\"\(pattern)\""
      patterns[completion, default: []].append(quoted)
    }
    return order.map { completion in
      let variable =
        switch completion {
        case .list, .components: "list"
        default: "words"
        }
      let words =
        completion.asked.map { "$(_flow_named \($0.rawValue))" }
        ?? vocabulary.words(completion).map(\.text).joined(separator: " ")
      return
        "      \((patterns[completion] ?? []).joined(separator: " | "))) \(variable)=\"\(words)\" ;;\n"
    }.joined()
  }
}

extension Option {
  /// The spellings of the option: `--output` and `-o`.
  var written: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}
