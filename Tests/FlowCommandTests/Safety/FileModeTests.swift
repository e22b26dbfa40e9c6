import TestKit
import Testing

/// The permissions of the files that a run writes.
@Suite struct FileModeTests {
  /// A scenario, named by its kind of secret.
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var inputs = "{}"
    var components = ""
    var step = ""
  }

  private static let secret: [Sample] = [
    Sample(testDescription: "an input", inputs: "{it: {type: string, secret: true}}"),
    Sample(
      testDescription: "a setting",
      components: ", k: {plugin: keeper, with: {password: swordfish}}"),
    Sample(
      testDescription: "what a component asks for",
      components: #", k: {plugin: keeper, with: {password: "", asks: it}}"#),
    Sample(
      testDescription: "what a component answers",
      components: #", k: {plugin: keeper, with: {password: ""}}"#,
      step: "{uses: k.issue, with: {text: x}}, "),
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes the scenario, with a last answer so long that it is stored in a separate file.
  private func write(_ sample: Sample) throws {
    let long = String(repeating: "long ", count: 1_000)
    try folder.write(
      """
      flow: 1
      inputs: \(sample.inputs)
      components: {p: {plugin: probe}\(sample.components)}
      steps: [\(sample.step){uses: p.echo, with: {value: "\(long)"}}]

      """, to: "s.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, environment: ["FLOW_SECRET_IT": "s3cret+token"],
      components: [Probe.self, Keeper.self])
  }

  /// The modes of the files that the commands write, and of the body beside them.
  private func modes(_ names: String...) throws -> [Int?] {
    let bodies = try folder.names(in: "blobs").map { "blobs/" + $0 }
    #expect(bodies.count == 1)
    return try (names + bodies).map(folder.mode)
  }

  @Test(arguments: secret)
  func `what a run with secrets records is its owner's alone`(_ sample: Sample) async throws {
    try write(sample)

    let run = try await flow("run", "@/s.yaml", "--record")

    #expect(run.errors == "")
    #expect(try modes("s.transcript.jsonl") == [0o600, 0o600])
  }

  @Test(arguments: secret)
  func `the journal of a run with secrets is its owner's alone`(_ sample: Sample) async throws {
    try write(sample)

    let run = try await flow("run", "@/s.yaml", "--journal", "@/j")

    #expect(run.errors == "")
    #expect(try modes("j") == [0o600, 0o600])
  }

  @Test(arguments: secret)
  func `what a test with secrets records is its owner's alone`(_ sample: Sample) async throws {
    try write(sample)

    let test = try await flow("test", "@/s.yaml", "--update", "missing")

    #expect(test.errors == "")
    #expect(try modes("s.transcript.jsonl") == [0o600, 0o600])
  }

  @Test(arguments: secret)
  func `a new report of a run with secrets is its owner's alone, and the console says so`(
    _ sample: Sample
  ) async throws {
    try write(sample)
    try folder.write("", to: "old.xml")
    try folder.setMode(0o644, of: "old.xml")

    let run = try await flow(
      "run", "@/s.yaml", "--report", "html=@/r.html", "--report", "junit=@/old.xml")

    #expect(
      run.errors == "note: only its owner can read '@/r.html', because the run had secrets\n")
    #expect(try folder.mode(of: "r.html") == 0o600)
    #expect(try folder.mode(of: "old.xml") == 0o644)
  }

  @Test(arguments: ["html", "junit", "jsonl", "tap", "markdown"])
  func `a report without secrets can be read as the umask says`(_ format: String) async throws {
    try write(Sample(testDescription: ""))

    let run = try await flow("run", "@/s.yaml", "--report", "\(format)=@/report")

    #expect(run.errors == "")
    #expect(try folder.mode(of: "report") == folder.commonMode())
  }

  @Test func `what a run without secrets writes can be read as the umask says`() async throws {
    try write(Sample(testDescription: ""))
    _ = try await flow("run", "@/s.yaml", "--record", "--journal", "@/j")
    let common = try folder.commonMode()

    #expect(try modes("s.transcript.jsonl", "j") == [common, common, common])
  }

  @Test(arguments: [0o600, 0o664])
  func `a transcript keeps its mode when it is recorded or sealed again`(_ mode: Int) async throws {
    try write(Self.secret[0])
    try folder.write("", to: "s.transcript.jsonl")
    try folder.setMode(mode, of: "s.transcript.jsonl")

    for arguments in [
      ["run", "@/s.yaml", "--record"], ["test", "@/s.yaml", "--update", "all"],
      ["transcript", "seal", "@/s.transcript.jsonl"],
    ] {
      let run = try await FlowCommandRun(
        arguments, in: folder, environment: ["FLOW_SECRET_IT": "s3cret+token"])

      #expect(run.errors == "")
      #expect(try folder.mode(of: "s.transcript.jsonl") == mode)
    }
  }
}
