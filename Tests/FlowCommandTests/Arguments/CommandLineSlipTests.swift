import FlowCommand
import TestKit
import Testing

/// Slips on the command line and in `flow.yaml`: each is named for what it is, and shows no secret.
@Suite struct CommandLineSlipTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs:
        api_token: {type: string, secret: true}
        counts: {type: list(int), default: [1]}
        rates: {type: map(list(duration)), default: {}}
      components: {p: {plugin: probe}}
      steps: [{uses: p.count}]

      """, to: "s.yaml")
    try folder.write("s3cret+token\n", to: "token")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  @Test func `an empty path for the transcript is no path`() async throws {
    let run = try await flow("run", "@/s.yaml", "--record=")

    #expect(run.errors == "flow: '--record' needs a value, PATH\nsee 'flow help run'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test(arguments: ["run", "check", "test", "graph"])
  func `a file that is something else than a scenario is named for what it is`(_ command: String)
    async throws
  {
    try folder.write("flow: 1\nscenarios: [s.yaml]\n", to: "flow.yaml")
    try folder.write("{\"transcript\":1,\"scenario\":\"s.yaml\"}\n{}\n", to: "s.transcript.jsonl")
    let messages = [
      "@/s.transcript.jsonl:1:1: error: this is a transcript or a journal, not a scenario; "
        + "run it with 'flow replay' or 'flow resume' [F1002]\n",
      "@/flow.yaml:1:1: error: this is a project file, not a scenario [F1103]\n",
    ]
    for (file, message) in zip(["s.transcript.jsonl", "flow.yaml"], messages) {
      let run = try await flow(command, "@/\(file)")

      #expect((run.output + run.errors).contains(message))
      #expect(run.code == .badInput)
    }
  }

  @Test func `pruning a file says that it is not a folder`() async throws {
    let run = try await flow("transcript", "prune", "@/s.yaml")

    #expect(run.errors == "flow: cannot read '@/s.yaml': not a folder\n")
    #expect(run.code == .badInput)
  }

  @Test func `an empty pattern is refused`() async throws {
    try folder.write("flow: 1\nredact: ['']\n", to: "flow.yaml")
    let run = try await flow("config", "@/s.yaml")

    #expect(
      run.errors == """
        @/flow.yaml:2:10: error: an empty pattern hides nothing [F1607]
            2 | redact: ['']
              |          ^^

        """)
    #expect(run.code == .badInput)
  }

  // MARK: - Secrets

  @Test(arguments: [
    ["run", "@/s.yaml", "--secret", "api_token", "hunter22"],
    ["run", "--secret", "api_token", "hunter22", "@/s.yaml"],
    ["run", "--secret", "api_token", "hunter22"],
    ["run", "--secret=api_token", "hunter22"],
    ["test", "--live", "@/s.yaml", "--secret", "api_token", "hunter22"],
    ["run", "@/s.yaml", "--secret", "api_token=hunter22"],
  ])
  func `the value of a secret on the command line is not printed`(
    _ arguments: [String]
  ) async throws {
    let run = try await FlowCommandRun(arguments, in: folder)

    #expect(
      run.errors == """
        flow: '--secret api_token': anyone can see a value on the command line; write \
        '--secret api_token=@FILE', or '--secret api_token' for the variable 'api_token'
        see 'flow help \(arguments[0])'

        """)
    #expect(run.output == "")
    #expect(run.code == .badCommandLine)
  }

  @Test func `a value in the place of a secret's name is not printed`() async throws {
    let run = try await flow("run", "@/s.yaml", "--secret", "hunter22!")

    #expect(
      run.errors
        == "flow: '--secret': a name has only letters, digits and '_'\nsee 'flow help run'\n")
  }

  @Test func `a misspelt name of a secret is told from a missing one`() async throws {
    let run = try await flow("run", "@/s.yaml", "--secret", "api_tokn=@@/token")

    #expect(
      run.errors == """
        flow: '--secret api_tokn': the scenario has no secret input 'api_tokn'; did you mean \
        'api_token'?
        see 'flow help run'

        """)
    #expect(run.code == .badCommandLine)
  }

  // MARK: - Inputs

  @Test(arguments: [
    ("counts=[1, a]", #"'counts[1]': expected int, got the string "a""#),
    ("counts=[1, [2]]", "'counts[1]': expected int, got a list"),
    ("counts=1", #"'counts': expected list(int), got "1""#),
    (
      "rates={a: [1s], b: [2s, 3]}",
      "'rates.b[1]': expected duration, got the number 3; did you mean '3s'?"
    ),
  ])
  func `an element that does not fit an input is named`(
    _ input: String, _ problem: String
  ) async throws {
    let run = try await flow(
      "run", "@/s.yaml", "--secret", "api_token=@@/token", "--input", input)

    #expect(run.errors == "error: the input \(problem) [F1403]\n")
    #expect(run.code == .badInput)
  }

  // MARK: - Folders

  @Test func `checking a folder checks its scenarios`() async throws {
    try folder.write("flow: 1\nsteps: [{wait: 1s}]\n", to: "s.yaml")
    try folder.write("flow: 1\nsteps: [{wiat: 1s}]\n", to: "inner/wrong.yaml")
    try folder.write("items: [1]\n", to: "inner/data.yaml")
    try folder.write("flow: 1\nsteps: [{wait: 1}]\n", to: "inner/left/out.yaml")
    try folder.write("flow: 1\nexclude: [inner/left]\n", to: "flow.yaml")
    let run = try await flow("check", "@/", "@/inner/wrong.yaml")

    #expect(
      run.errors == """
        @/inner/wrong.yaml:2:10: error: unknown key 'wiat' in a step; did you mean 'wait'? [F1102]
            2 | steps: [{wiat: 1s}]
              |          ^^^^

        """)
    #expect(run.code == .badInput)
  }

  @Test func `a folder without scenarios is a wrong command line`() async throws {
    try folder.write("items: [1]\n", to: "data/items.yaml")
    let run = try await flow("check", "@/data")

    #expect(run.errors == "flow: no scenario was found in '@/data'\nsee 'flow help check'\n")
    #expect(run.code == .badCommandLine)
  }
}
