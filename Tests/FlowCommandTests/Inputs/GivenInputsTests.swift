import FlowCommand
import TestKit
import Testing

/// Inputs from the command line and from files.
@Suite struct GivenInputsTests {
  private static let scenario = """
    flow: 1
    inputs:
      amount: {type: decimal, default: 12.50}
      names: {type: list(string), default: []}
      rates: {type: map(double), default: {}}
    components: {p: {plugin: probe}}
    steps:
      - uses: p.echo
        with: {value: "${{ {'amount': inputs.amount, 'names': inputs.names, 'rates': inputs.rates} }}"}

    """

  private static let secretive = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components: {p: {plugin: probe}}
    steps: [{uses: p.echo, with: {value: "${{ inputs.token }}"}}]

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.scenario, to: "s.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  // MARK: - The file

  @Test(arguments: [
    ("in.yaml", "amount: 30\nnames: [Ann, Bob]\n"),
    ("in.json", #"{"amount": 30, "names": ["Ann", "Bob"]}"#),
  ]) func `inputs come from a file, and an option goes before it`(
    _ name: String, _ text: String
  ) async throws {
    try folder.write(text, to: name)
    let file = try await flow("run", "@/s.yaml", "--inputs", "@/\(name)", "--dry-run")
    let both = try await flow(
      "run", "@/s.yaml", "--inputs", "@/\(name)", "--input", "amount=5", "--dry-run")

    #expect(file.output.contains("  amount: 30\n  names: [\"Ann\", \"Bob\"]\n  rates: {}\n"))
    #expect(both.output.contains("  amount: 5\n  names: [\"Ann\", \"Bob\"]\n  rates: {}\n"))
    #expect(file.errors + both.errors == "")
  }

  @Test func `every mistake in an inputs file is reported at its place`() async throws {
    try folder.write(
      """
      amuont: 30
      names: [Ann, {a: 1}]
      rates:
        a: 1
        b: x
      amount: lots

      """, to: "in.yaml")

    let run = try await flow("run", "@/s.yaml", "--inputs", "@/in.yaml")

    #expect(
      run.errors == """
        @/in.yaml:1:1: error: the scenario has no input 'amuont'; did you mean 'amount'? [F1401]
        @/in.yaml:2:14: error: the input 'names[1]': expected string, got a mapping [F1403]
            2 | names: [Ann, {a: 1}]
              |              ^^^^^^
        @/in.yaml:5:6: error: the input 'rates.b': expected double, got the string "x" [F1403]
            5 |   b: x
              |      ^
        @/in.yaml:6:9: error: the input 'amount': expected decimal, got the string "lots" [F1403]
            6 | amount: lots
              |         ^^^^

        """)
    #expect(run.code == .badInput)
  }

  @Test(
    arguments: [
      (
        "- amount=30\n",
        """
        @/in.yaml:1:1: error: an inputs file must be a mapping of names to values, not a list [F1407]

        """
      ),
      (
        "amount: [1\n",
        """
        @/in.yaml:1:11: error: expected ',' or ']' in the flow sequence [F1407]

        """
      ),
      (
        "KEY=t0p-secret-7\n",
        """
        @/in.yaml:1:1: error: an inputs file must be a mapping of names to values, not text [F1407]
          note: lines of 'NAME=VALUE' belong to a file named '.env', or with this ending

        """
      ),
      (
        "KEY=t0p-secret-7\namount: 1\n",
        "@/in.yaml:2:7: error: a ':' is not allowed here; quote the text or check the indentation [F1407]\n"
      ),
      (
        "amount: *t0p-secret-7\n",
        "@/in.yaml:1:9: error: unknown alias; put text that starts with '*' in quotes [F1407]\n"
      ),
      (
        "amount: !t0p-secret-7 1\n",
        "@/in.yaml:1:9: error: unknown tag; put text that starts with '!' in quotes [F1407]\n"
      ),
      (nil, "error: cannot read '@/in.yaml': no such file [F1407]\n"),
    ] as [(String?, String)])
  func `a file of inputs that cannot be used is reported`(
    _ text: String?, _ expected: String
  ) async throws {
    if let text { try folder.write(text, to: "in.yaml") }
    let run = try await flow("run", "@/s.yaml", "--inputs", "@/in.yaml")
    let test = try await flow("test", "@/s.yaml", "--inputs", "@/in.yaml")

    #expect(run.errors == expected)
    #expect(test.errors == expected)
    #expect([run.code, test.code] == [.badInput, .badInput])
  }

  @Test(arguments: ["run", "test"])
  func `a secret input is refused in a file, and its line is quoted without it`(
    _ command: String
  ) async throws {
    try folder.write(Self.secretive, to: "s.yaml")
    try folder.write("token: hunter2-hunter2\ntokne: hunter2-hunter3\n", to: "in.yaml")
    let run = try await flow(command, "@/s.yaml", "--inputs", "@/in.yaml")
    try folder.write("token: hunter2-hunter2\n", to: "in.yaml")
    let alone = try await flow(command, "@/s.yaml", "--inputs", "@/in.yaml")

    #expect(!(run.output + run.errors + alone.output + alone.errors).contains("hunter2"))
    #expect(
      alone.errors == """
        @/in.yaml:1:1: error: the secret input 'token' cannot be set in an inputs file [F1406]
            1 | token: ***************
              | ^^^^^
          note: pass it with --secret token=@FILE, or in FLOW_SECRET_TOKEN; in a Swift test, in LiveOptions

        """)
    #expect([run.code, alone.code] == [.badInput, .badInput])
  }

  // MARK: - Tests

  @Test func `a scenario is recorded with the given inputs, and replayed with the recorded ones`()
    async throws
  {
    let recorded = try await flow("test", "@/s.yaml", "--input", "amount=30")
    let same = try await flow("test", "@/s.yaml", "--input", "amount=30.00")
    let other = try await flow("test", "@/s.yaml", "--input", "amount=31", "--input", "names=[x]")

    #expect(try folder.text("s.transcript.jsonl").contains(#""inputs":{"amount":"30""#))
    #expect(recorded.errors + same.errors == "")
    #expect(
      other.errors == """
        note: the input 'amount' has its recorded value 30, not 31: 'flow test --live' uses given inputs
        note: the input 'names' has its recorded value [], not ["x"]: 'flow test --live' uses given inputs

        """)
    #expect([recorded.code, same.code, other.code] == [.passed, .passed, .passed])
  }

  @Test func `a live test takes the given inputs, which are no difference`() async throws {
    _ = try await flow("test", "@/s.yaml", "--input", "names=[Ann]")
    let live = try await flow("test", "--live", "@/s.yaml", "--input", "amount=31")
    let updated = try await flow("test", "--update", "all", "@/s.yaml", "--input", "amount=31")

    #expect(live.errors == "")
    #expect([live.code, updated.code] == [.passed, .passed])
    #expect(
      try folder.text("s.transcript.jsonl").contains(#""inputs":{"amount":"31","names":["Ann"]"#))
  }

  @Test func `each scenario of a suite takes the inputs that it has`() async throws {
    try folder.write("flow: 1\nsteps: []\n", to: "other.yaml")
    try folder.write("amount: 30\n", to: "in.yaml")
    let run = try await flow("test", "@/s.yaml", "@/other.yaml", "--inputs", "@/in.yaml")
    try folder.write("amuont: 30\n", to: "in.yaml")
    let unknown = try await flow(
      "test", "@/s.yaml", "@/other.yaml", "--inputs", "@/in.yaml", "--input", "rate=1")
    let wrong = try await flow("test", "@/s.yaml", "@/other.yaml", "--input", "amount=lots")

    #expect(run.errors == "")
    #expect(try folder.text("s.transcript.jsonl").contains(#""amount":"30""#))
    #expect(
      unknown.errors == """
        error: none of the scenarios has an input 'rate'; did you mean 'rates'? [F1401]
        @/in.yaml:1:1: error: none of the scenarios has an input 'amuont'; did you mean 'amount'? [F1401]

        """)
    #expect(
      wrong.errors
        == "@/s.yaml: error: the input 'amount': expected decimal, got \"lots\" [F1403]\n")
    #expect([run.code, unknown.code, wrong.code] == [.passed, .badInput, .badInput])
  }

  @Test func `a hidden input is given anew to a live test`() async throws {
    try folder.write("flow: 1\nredact: ['id-[0-9]+']\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      inputs: {user: {type: string, default: id-17}}
      components: {p: {plugin: probe}}
      steps: [{uses: p.echo, with: {value: "${{ inputs.user }}"}}]

      """, to: "s.yaml")
    _ = try await flow("test", "@/s.yaml")
    let without = try await flow("test", "--live", "@/s.yaml")
    let with = try await flow("test", "--live", "@/s.yaml", "--input", "user=id-18")

    #expect(without.errors.contains("[F1405]"))
    #expect(with.errors == "")
    #expect([without.code, with.code] == [.badInput, .passed])
  }
}
