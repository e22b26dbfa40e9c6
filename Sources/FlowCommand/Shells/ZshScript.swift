/// The completions for zsh, which use its own completion functions.
enum ZshScript {
  static func text(_ vocabulary: Vocabulary) -> String {
    """
    #compdef flow
    # Completions of flow for zsh: a file _flow in a folder of $fpath, or in ~/.zshrc, behind compinit:
    # source <(flow completions zsh)
    \(function("commands", "command", vocabulary.commandWords))
    \(function("plugins", "plugin", vocabulary.plugins))
    \(function("codes", "code", vocabulary.codes))
    _flow_named() {
      local kind=$argv[-1]
      local -a found=(${(f)"$($program completions zsh $kind -- ${(Q)words[2,-1]} 2>/dev/null)"})
      compadd "${(@)argv[1,-2]}" -a found
    }
    _flow_components() { _flow_named "$@" components }
    _flow() {
      local curcontext="$curcontext" state line program=$words[1]
      typeset -A opt_args
      _arguments -C '(- *)--help[Prints the help.]' '(- *)--version[Prints the version.]' \\
        '1:command:_flow_commands' '*::argument:->arguments' && return
      [[ $state == arguments ]] || return 1
      case $words[1] in
    \(vocabulary.commands.map { branch($0, vocabulary) }.joined())  esac
    }
    if [[ $funcstack[1] == _flow ]]; then _flow "$@"; else compdef _flow flow; fi

    """
  }

  private static func function(_ name: String, _ tag: String, _ words: [Vocabulary.Word]) -> String
  {
    let rows = words.map { word in
      "    " + quoted("\(word.text.replacing(":", with: "\\:")):\(word.summary)") + "\n"
    }
    return "_flow_\(name)() {\n  local -a words=(\n\(rows.joined())  )\n  _describe \(tag) words\n}"
  }

  private static func branch(_ command: CommandSyntax, _ vocabulary: Vocabulary) -> String {
    let (first, rest) = Vocabulary.operands(of: command)
    var specifications = command.allOptions.flatMap { option in
      option.written.map { specification(option, as: $0) }
    }
    for (index, completion) in first.enumerated() {
      specifications.append("\(index + 1):argument:\(action(completion))")
    }
    if rest != .nothing { specifications.append("*:argument:\(action(rest))") }
    let lines = specifications.map(quoted).joined(separator: " \\\n        ")
    return "    \(command.name))\n      _arguments \\\n        \(lines)\n      ;;\n"
  }

  private static func specification(_ option: Option, as name: String) -> String {
    let summary = "[" + escaped(option.summary, "[]:\\") + "]"
    let value = escaped(option.value.placeholder ?? "", ":\\") + ":" + action(option.completion)
    // A word behind `--name` or `-n` is the value. With '=-' only text behind '=' is.
    return switch option.value {
    case .none: name + summary
    case .required: "*\(name)\(name.hasPrefix("--") ? "=" : "+")\(summary):\(value)"
    case .optional: "*\(name)=-\(summary)::\(value)"
    }
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .commands: "_flow_commands"
    case .plugins: "_flow_plugins"
    case .codes: "_flow_codes"
    case .inputs: "_flow_named -S \"\" inputs"
    case .tags: "_flow_named tags"
    case .components: "_sequence _flow_components"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .list(let words): "_sequence compadd - \(words.joined(separator: " "))"
    }
  }

  private static func escaped(_ text: String, _ characters: String) -> String {
    String(text.flatMap { characters.contains($0) ? ["\\", $0] : [$0] })
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
