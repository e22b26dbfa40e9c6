/// The completions for fish: a line for each word and each option.
enum FishScript {
  static func text(_ vocabulary: Vocabulary) -> String {
    """
    # Completions of flow for fish; in ~/.config/fish/config.fish: flow completions fish | source
    function __flow_command
        set -l words (commandline -opc)
        test (count $words) -ge 2; and test $words[2] = $argv[1]
    end
    function __flow_named
        set -l words (commandline -opc)
        $words[1] completions fish $argv[1] -- $words[3..-1] 2>/dev/null
    end
    function __flow_operands
        set -l words (commandline -opc)
        set -l valued
        set -l count 0
        set -l follows 0
        switch "$words[2]"
    \(valued(vocabulary))    end
        for word in $words[3..-1]
            if test $follows -eq 1
                set follows 0
            else if contains -- $word $valued
                set follows 1
            else if not string match --quiet -- '-*' $word
                set count (math $count + 1)
            end
        end
        test $count $argv
    end
    complete -c flow -f
    complete -c flow -n 'test (count (commandline -opc)) -eq 1' -l help -d 'Prints the help.'
    complete -c flow -n 'test (count (commandline -opc)) -eq 1' -l version -d 'Prints the version.'
    \(vocabulary.commandWords.map { word(
      $0, when: "test (count (commandline -opc)) -eq 1") }.joined())\
    \(vocabulary.commands.map { command($0, vocabulary) }.joined())
    """
  }

  /// Returns the options of each command that take the next word as their value, so that it is no
  /// operand.
  private static func valued(_ vocabulary: Vocabulary) -> String {
    vocabulary.commands.filter { !$0.valuedOptions.isEmpty }.map {
      "        case \($0.name)\n"
        + "            set valued \($0.valuedOptions.joined(separator: " "))\n"
    }.joined()
  }

  private static func command(_ syntax: CommandSyntax, _ vocabulary: Vocabulary) -> String {
    let condition = "__flow_command \(syntax.name)"
    var text = syntax.allOptions.map { option($0, when: condition, vocabulary) }.joined()
    let (first, rest) = Vocabulary.operands(of: syntax)
    for (index, completion) in first.enumerated() {
      text += operand(
        completion, when: "\(condition); and __flow_operands -eq \(index)", vocabulary)
    }
    return text
      + operand(rest, when: "\(condition); and __flow_operands -ge \(first.count)", vocabulary)
  }

  private static func option(
    _ option: Option, when condition: String, _ vocabulary: Vocabulary
  ) -> String {
    let letter = option.letter.map { " -s \($0)" } ?? ""
    return "complete -c flow -n \(quoted(condition)) -l \(option.name)\(letter)"
      + value(option, vocabulary) + " -d \(quoted(option.summary))\n"
  }

  /// Returns the arguments of `complete` for the value of an option.
  private static func value(_ option: Option, _ vocabulary: Vocabulary) -> String {
    let follows = option.value.follows ? " -x" : " -f"
    let words = vocabulary.words(option.completion).map(\.text).joined(separator: " ")
    return switch option.completion {
    case .nothing: follows
    case .files: option.value.follows ? " -r -F" : " -F"
    case .folders: follows + " -a '(__fish_complete_directories)'"
    case .list: follows + " -a '(__fish_append , \(words))'"
    case .components: follows + " -a '(__fish_append , (__flow_named components))'"
    case .inputs: follows + " -a '(__flow_named inputs)'"
    case .tags: follows + " -a '(__flow_named tags)'"
    case .commands, .plugins, .codes, .words: follows + " -a '\(words)'"
    }
  }

  private static func operand(
    _ completion: Completion, when condition: String, _ vocabulary: Vocabulary
  ) -> String {
    switch completion {
    case .nothing, .inputs, .tags, .components: ""
    case .files: "complete -c flow -n \(quoted(condition)) -F\n"
    case .folders:
      "complete -c flow -n \(quoted(condition)) -a '(__fish_complete_directories)'\n"
    case .commands, .plugins, .codes, .words, .list:
      vocabulary.words(completion).map { word($0, when: condition) }.joined()
    }
  }

  private static func word(_ word: Vocabulary.Word, when condition: String) -> String {
    let summary = word.summary.isEmpty ? "" : " -d \(quoted(word.summary))"
    return "complete -c flow -n \(quoted(condition)) -a \(quoted(word.text))\(summary)\n"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
