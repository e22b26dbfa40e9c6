import FlowCommand
import TestKit
import Testing

/// The ways to give secrets to a run, and their forms in its recording.
@Suite struct SecretInputTests {
  private static let scenario = """
    flow: 1
    inputs: {api_token: {type: string, secret: true}}
    components: {p: {plugin: probe}}
    steps:
      - uses: p.echo
        with: {value: "Bearer ${{ inputs.api_token }}"}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write("s3cret+token\n", to: "token")
    try folder.write("\u{FEFF}s3cret+token\n", to: "marked")
  }

  private func flow(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, environment: environment)
  }

  @Test(arguments: [
    (["--secret", "api_token=@@/token"], [:]), (["--secret", "api_token=@@/marked"], [:]),
    (["--secret", "api_token"], ["api_token": "s3cret+token"]),
    ([], ["FLOW_SECRET_API_TOKEN": "s3cret+token"]), (["--input", "api_token=s3cret+token"], [:]),
  ]) func `a secret input is given in several ways, and recorded by its name`(
    _ options: [String], _ environment: [String: String]
  ) async throws {
    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--record"] + options, in: folder, environment: environment)
    let transcript = try folder.text("s.transcript.jsonl")

    #expect(run.errors == "")
    #expect(run.code == .passed)
    #expect(transcript.contains(#""inputs":{"api_token":"${secret:api_token}"}"#))
    #expect(transcript.contains(#""input":{"value":"Bearer ${secret:api_token}"}"#))
    #expect(transcript.contains(#""ok":{"value":"Bearer ${secret:api_token}"}"#))
  }

  @Test(arguments: [
    "assert: [\"${{ inputs.api_token.split('+')[0].upperAscii() == 'x' }}\"]",
    "repeat: {until: \"${{ inputs.api_token.split('+')[0].upperAscii() == 'x' }}\", limit: 1}\n    do: [{set: {x: 1}}]",
  ])
  func `what a condition makes of a secret is not shown`(_ step: String) async throws {
    try folder.write(
      "flow: 1\ninputs: {api_token: {type: string, secret: true}}\nsteps:\n  - \(step)\n",
      to: "s.yaml")
    let run = try await flow("run", "@/s.yaml", "--secret", "api_token=@@/token")

    #expect(
      run.errors.contains(
        "  note: inputs.api_token.split('+')[0].upperAscii() is ${secret:api_token}\n"),
      "\(run.errors)")
    #expect(!run.errors.contains("S3CRET"))
  }

  @Test(arguments: ["\n\n", " \n", "\r", "\r\n\r\n", "\nsecond line\n"])
  func `what a scenario trims or splits off a secret file is recorded by the secret's name`(
    _ end: String
  ) async throws {
    try folder.write("s3cret+token" + end, to: "token")
    try folder.write(
      Self.scenario.replacing(
        "inputs.api_token }}", with: "inputs.api_token.trim().split('\\\\n')[0] }}"),
      to: "s.yaml")
    let run = try await flow("run", "@/s.yaml", "--record", "--secret", "api_token=@@/token")
    let replay = try await flow("replay", "@/s.transcript.jsonl")

    #expect(try !folder.text("s.transcript.jsonl").contains("s3cret"))
    #expect(run.errors + replay.errors == "")
    #expect([run.code, replay.code] == [.passed, .passed])
  }

  @Test func `a replay and a test need no secret`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record", "--secret", "api_token=@@/token")
    let replay = try await flow("replay", "@/s.transcript.jsonl")
    let test = try await flow("test", "@/s.yaml")

    #expect(replay.errors + test.errors == "")
    #expect([replay.code, test.code] == [.passed, .passed])
  }

  @Test func `a live test needs the secret, and compares redacted forms`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record", "--secret", "api_token=@@/token")
    let without = try await flow("test", "--live", "@/s.yaml")
    let with = try await flow(
      "test", "--live", "@/s.yaml", environment: ["FLOW_SECRET_API_TOKEN": "another one"])
    let given = try await flow("test", "--live", "@/s.yaml", "--secret", "api_token=@@/token")

    #expect(
      without.errors == """
        @/s.yaml: error: the secret input 'api_token' is missing [F1402]
          note: pass it with --secret api_token=@FILE, or in FLOW_SECRET_API_TOKEN; in a Swift test, in LiveOptions

        """)
    #expect(without.code == .badInput)
    let diff = try await flow("diff", "@/s.transcript.jsonl", "--secret", "api_token=@@/token")
    #expect(with.errors + given.errors + diff.errors == "")
    #expect([with.code, given.code, diff.code] == [.passed, .passed, .passed])
  }

  @Test(arguments: [
    (
      ["--secret", "api_token=s3cret"],
      "'--secret api_token': anyone can see a value on the command line; write "
        + "'--secret api_token=@FILE', or '--secret api_token' for the variable 'api_token'"
    ),
    (
      ["--secret", "api-token=s3cret"],
      "'--secret': 'api-token' cannot be the name of a secret: use letters, digits and '_'"
    ),
    (
      ["--secret", "api_token"],
      "'--secret': the secret 'api_token': the environment has no variable 'api_token'"
    ),
    (
      ["--secret", "api_token=@@/none"],
      "'--secret': the secret 'api_token': cannot read '@/none': no such file"
    ),
    (
      ["--secret", "api_token=@@/wide"],
      "'--secret': the secret 'api_token': '@/wide' is in UTF-16, not UTF-8"
    ),
    (
      ["--secret", "api_token=@@/short"],
      "'--secret': the secret 'api_token' has fewer than 4 bytes and cannot be hidden"
    ),
    (
      ["--secret", "api_token=@@/token", "--secret=api_token=@@/token"],
      "'--secret api_token' is given twice"
    ),
    (
      ["--secret", "api_token=@@/token", "--input", "api_token=x"],
      "'--input api_token' cannot be combined with '--secret api_token'"
    ),
  ]) func `a secret that cannot be had is a wrong command line`(
    _ options: [String], _ message: String
  ) async throws {
    try folder.write("abc", to: "short")
    try folder.write("s3cret".utf8.flatMap { [$0, 0] }, to: "wide")
    let run = try await FlowCommandRun(["run", "@/s.yaml"] + options, in: folder)

    #expect(run.errors == "flow: \(message)\nsee 'flow help run'\n")
    #expect(run.code == .badCommandLine)
    #expect(!run.errors.contains("s3cret"))
  }

  @Test func `a secret input that is missing or too short is wrong input`() async throws {
    let missing = try await flow("run", "@/s.yaml")
    let short = try await flow("run", "@/s.yaml", "--input", "api_token=abc")

    #expect(
      missing.errors == """
        error: the secret input 'api_token' is missing [F1402]
          note: pass it with --secret api_token=@FILE, or in FLOW_SECRET_API_TOKEN; in a Swift test, in LiveOptions

        """)
    #expect(
      short.errors
        == "error: the secret 'api_token' has fewer than 4 bytes and cannot be hidden [F1404]\n")
    #expect([missing.code, short.code] == [.badInput, .badInput])
  }

  @Test func `a secret changes nothing else of a recording`() async throws {
    let plain = Self.scenario.replacing(existing: ", secret: true", with: "")
    try folder.write(plain, to: "plain.yaml")
    _ = try await flow(
      "run", "@/plain.yaml", "--record", "--input", "api_token=${secret:api_token}")
    _ = try await flow("run", "@/s.yaml", "--record", "--secret", "api_token=@@/token")
    let lines = try ["plain", "s"].map {
      try folder.text("\($0).transcript.jsonl").unsealed.split(separator: "\n").dropFirst()
    }

    #expect(lines[0] == lines[1])
  }

  @Test func `what a plugin marks is listed as secret`() async throws {
    let run = try await FlowCommandRun(["list", "keeper"], in: folder, components: [Keeper.self])

    #expect(run.output.contains("  password            string, secret. A secret.\n"))
    #expect(run.output.contains("  token               optional(string), secret. A secret.\n"))
  }

  @Test func `a setting that is too short is hidden in its field, and a check warns of it`()
    async throws
  {
    try folder.write(
      "flow: 1\ncomponents: {k: {plugin: keeper, with: {password: abc}}}\nsteps: []\n",
      to: "s.yaml")
    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--record"], in: folder, components: [Keeper.self])
    let check = try await FlowCommandRun(
      ["check", "@/s.yaml"], in: folder, components: [Keeper.self])

    #expect(
      check.errors.contains(
        "warning: the secret 'password' has fewer than 4 bytes, so it is hidden only in its field [F1404]"
      ))
    #expect(run.code == .passed)
    #expect(
      try folder.text("s.transcript.jsonl").contains(#""input":{"password":"${secret:password}""#))
  }

  @Test(arguments: [
    (#"{plugin: keeper, with: {password: abcd, asks: it}}"#, "the secret 'it' is missing")
  ]) func `a secret that cannot be used fails the run by its name`(
    _ component: String, _ message: String
  ) async throws {
    try folder.write("flow: 1\ncomponents: {k: \(component)}\nsteps: []\n", to: "s.yaml")
    let run = try await FlowCommandRun(["run", "@/s.yaml"], in: folder, components: [Keeper.self])

    #expect(run.errors.contains(message))
    #expect(run.code == .failed)
  }
}
