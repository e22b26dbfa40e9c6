import FlowCommand
import Foundation
import TestKit
import Testing

/// The completions of real shells with the scripts of `flow completions`.
@Suite struct CompletionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    let words: [String]
    var testDescription: String { line }
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "work/shop.yaml")
    try folder.write("", to: "work/inner/x")
    try folder.write(
      """
      flow: 1
      tags: [slow, smoke, '$(touch x)', '`id`', 'a b']
      inputs: {city: {type: string}, note: {type: string, default: x}}
      components: {files: {plugin: file}, filter: {plugin: file}, pages: {plugin: file}}
      steps: [{uses: files.remove, with: {path: x}}]

      """, to: "work/barn.yaml")
    try folder.write("", to: "bin/README")
    try folder.link("bin/flow", to: BuiltFlow.path)
  }

  private static let cases: [Case] = [
    Case(line: "flow re", words: ["replay", "report", "resume"]),
    Case(line: "flow check --f", words: ["--format"]),
    Case(line: "flow check --format ", words: ["json", "sarif", "text"]),
    Case(line: "flow test --update=m", words: ["missing"]),
    Case(
      line: "flow run x.yaml --report ",
      words: [
        "contract", "html", "jsonl", "junit", "junit-steps", "markdown", "tap", "tap14", "trace",
        "usage", "usage-json",
      ]),
    Case(line: "flow list ra", words: random),
    Case(line: "flow list --json balance.l", words: ["balance.load"]),
    Case(line: "flow list --tests --format ", words: ["json", "text"]),
    Case(line: "flow explain F121", words: (0...9).map { "F121\($0)" }),
    Case(line: "flow help com", words: ["completions"]),
    Case(line: "flow transcript ", words: ["prune", "redact", "seal", "show"]),
    Case(line: "flow new p", words: ["plugin"]),
    Case(line: "flow new --flow . p", words: ["plugin"]),
    Case(line: "flow new --language ", words: ["javascript", "python", "swift"]),
    Case(line: "flow init --ci g", words: ["github", "gitlab"]),
    Case(line: "flow completions ", words: ["bash", "fish", "zsh"]),
    Case(line: "flow schema ", words: ["inputs", "project", "scenario"]),
  ]

  private static let named: [Case] = [
    Case(line: "flow run barn.yaml --input ", words: ["city=", "note="]),
    Case(line: "flow test --tag s", words: ["slow", "smoke"]),
    Case(line: "flow test --tag ", words: ["slow", "smoke"]),
    Case(line: "flow test barn.yaml --skip-tag sm", words: ["smoke"]),
  ]

  private static let random =
    ["random"] + ["bytes", "choose", "integer", "uuid"].map { "random.\($0)" }

  @Test(.enabled(if: Shell.bash.isHere, "bash is not installed"))
  func `bash completes names of the scenario`() async throws {
    for sample in Self.named {
      #expect(try await words(of: .bash, sample.line) == sample.words)
    }
    #expect(
      try await words(of: .bash, "flow mutate barn.yaml --live pages,fi")
        == ["pages,files", "pages,filter"])
    #expect(try await words(of: .bash, "flow run barn.yaml --input city=") == [])
  }

  @Test(.enabled(if: Shell.zsh.isHere, "zsh is not installed"))
  func `zsh completes names of the scenario`() async throws {
    for sample in Self.named {
      #expect(try await words(of: .zsh, sample.line) == sample.words)
    }
    #expect(
      try await words(of: .zsh, "flow mutate barn.yaml --live pages,fi") == ["files", "filter"])
  }

  @Test(.enabled(if: Shell.fish.isHere, "fish is not installed"))
  func `fish completes names of the scenario`() async throws {
    for sample in Self.named {
      #expect(try await words(of: .fish, sample.line) == sample.words)
    }
    #expect(
      try await words(of: .fish, "flow mutate barn.yaml --live pages,fi")
        == ["pages,files", "pages,filter"])
  }

  @Test(.enabled(if: Shell.bash.isHere, "bash is not installed"), arguments: cases)
  func `bash offers what fits`(_ sample: Case) async throws {
    #expect(try await words(of: .bash, sample.line) == sample.words)
  }

  @Test(.enabled(if: Shell.zsh.isHere, "zsh is not installed"), arguments: cases)
  func `zsh offers what fits`(_ sample: Case) async throws {
    #expect(try await words(of: .zsh, sample.line) == sample.words)
  }

  @Test(.enabled(if: Shell.fish.isHere, "fish is not installed"), arguments: cases)
  func `fish offers what fits`(_ sample: Case) async throws {
    let prefix = sample.line.contains("=") ? "--update=" : ""

    #expect(try await words(of: .fish, sample.line) == sample.words.map { prefix + $0 })
  }

  @Test(.enabled(if: Shell.bash.isHere, "bash is not installed"))
  func `bash completes the last word of a list`() async throws {
    #expect(try await words(of: .bash, "flow run --deny network,p") == ["network,process"])
  }

  @Test(.enabled(if: Shell.zsh.isHere, "zsh is not installed"))
  func `zsh completes the last word of a list, files and folders`() async throws {
    #expect(try await words(of: .zsh, "flow run --deny network,p") == ["process"])
    #expect(try await words(of: .zsh, "flow transcript show sh") == ["shop.yaml"])
    #expect(try await words(of: .zsh, "flow list --tests sh") == ["shop.yaml"])
    #expect(try await words(of: .zsh, "flow init ") == ["inner"])
  }

  @Test(.enabled(if: Shell.fish.isHere, "fish is not installed"))
  func `fish completes the last word of a list, files and folders`() async throws {
    #expect(try await words(of: .fish, "flow run --deny network,p") == ["network,process"])
    #expect(try await words(of: .fish, "flow transcript show sh") == ["shop.yaml"])
    #expect(try await words(of: .fish, "flow list --tests sh") == ["shop.yaml"])
    #expect(try await words(of: .fish, "flow init ") == ["inner/"])
  }

  @Test(arguments: [
    (["run", "--report=j"], "words", "--report="),
    (["run", "--deny", "network,p"], "words", "network,"),
    (["mutate", "a.yaml", "--live=a,b"], "words", "--live=a,"), (["run", ""], "files", ""),
    (["run", "--", "--inp"], "files", ""), (["run", "--input", "city="], "words", ""),
    (["run", "--report", "=", "j"], "words", "--report="), (["init", ""], "folders", ""),
    (["none", ""], "words", ""), ([], "words", ""),
  ])
  func `a script is told the kind of a word, and the part that stays`(
    _ words: [String], _ kind: String, _ prefix: String
  ) async throws {
    let run = try await FlowCommandRun(["__complete"] + words, in: folder)

    #expect(
      run.output.split(separator: "\n", omittingEmptySubsequences: false).prefix(2) == [
        kind[...], prefix[...],
      ])
    #expect(run.code == .passed)
  }

  @Test func `another shell is refused`() async throws {
    let run = try await FlowCommandRun(["completions", "tcsh"], in: folder)

    #expect(
      run.errors == """
        flow: completions exist for bash, zsh or fish, not for 'tcsh'
        see 'flow help completions'

        """)
    #expect(run.code == .badCommandLine)
  }

  private func words(of shell: Shell, _ line: String) async throws -> [String] {
    let run = try await FlowCommandRun(["completions", shell.rawValue], in: folder)
    try #require(run.code == .passed)
    try folder.write(run.output, to: "script")
    try folder.write(shell.setup, to: "home/.zshrc")
    let variables = [
      "LINE": line, "SCRIPT": folder.path("script"), "HOME": folder.path("home"),
      "ZDOTDIR": folder.path("home"), "PATH": "\(folder.path("bin")):/usr/local/bin:/usr/bin:/bin",
    ]
    let ending = try ChildProcess(
      try #require(shell.path), shell.arguments, in: folder.path("work"), environment: variables
    ).ending()
    #expect(ending.errors == "")
    return Set(ending.output.split(separator: "\n").map(String.init)).sorted()
  }
}

/// A shell that may be installed, and the way to list its completions.
private enum Shell: String {
  case bash, zsh, fish

  var isHere: Bool { path != nil }

  var path: String? {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(rawValue)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  var arguments: [String] {
    switch self {
    case .bash: ["--norc", "--noprofile", "-c", Self.bashProgram]
    case .zsh: ["-f", "-c", Self.zshProgram]
    case .fish:
      [
        "--no-config", "-c",
        "source $SCRIPT; complete -C \"$LINE\" | string replace --regex '\\t.*' ''",
      ]
    }
  }

  /// The startup file of an interactive shell, which only zsh needs.
  ///
  /// The function replaces zsh's own `compadd` and prints its matches.
  var setup: String {
    #"""
    PROMPT=
    autoload -Uz compinit
    compinit -u -D
    source $SCRIPT
    compadd() {
      local -a hits
      if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)* ]]; then
        builtin compadd -A hits "$@"
        (( $#hits )) && print -rl -- "<"${^hits}">"
      fi
      builtin compadd "$@"
    }
    offer() { compstate[insert]= compstate[list]=; _main_complete; print -r -- "<>" }
    zle -C offer complete-word offer
    bindkey '^I' offer
    print -r -- "<>"

    """#
  }

  /// bash splits words at `=`, too.
  private static let bashProgram = #"""
    source "$SCRIPT"
    COMP_WORDS=(${LINE//=/ = })
    [[ "$LINE" == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _flow
    printf '%s\n' "${COMPREPLY[@]}"
    """#

  /// Types the line and a tab into a zsh at a terminal, and reads what it prints.
  private static let zshProgram = #"""
    zmodload zsh/zpty
    zpty inner zsh -i
    until [[ $text == *"<>"* ]]; do zpty -r inner text || exit 1; done
    zpty -w -n inner "$LINE"$'\t'
    text=
    until [[ $text == *"<>"* ]]; do zpty -r inner part || exit 1; text+=$part; done
    print -r -- "$text" | tr -d '\r' | grep -o '<[^<>][^<>]*>' | tr -d '<>'
    zpty -d inner
    """#
}
