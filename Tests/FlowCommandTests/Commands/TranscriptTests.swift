import FlowCommand
import FlowCore
import TestKit
import Testing

/// `flow transcript`, and bodies in separate files.
@Suite struct TranscriptTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    inputs: {text: {type: string}}
    steps:
      - {uses: p.echo, with: {value: "${{ inputs.text }}"}}
      - {uses: p.fail, with: {code: refused}, expect: {error: refused}}

    """
  private static let long = String(repeating: "long ", count: 1_000)

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  private func record(_ text: String = long, to path: String = "s.transcript.jsonl") async throws {
    let run = try await flow("run", "@/s.yaml", "--input", "text=\(text)", "--record", "@/\(path)")
    #expect(run.code == .passed)
  }

  @Test func `a recorded body is kept beside the transcript and replays`() async throws {
    try await record()

    let name = SHA256(Array(Self.long.utf8)).hexadecimal
    #expect(try folder.names(in: "blobs") == [name])
    #expect(try folder.text("blobs/\(name)") == Self.long)
    #expect(try !folder.text("s.transcript.jsonl").contains("long long"))
    #expect(try await flow("replay", "@/s.transcript.jsonl", "--quiet").code == .passed)
    #expect(try await flow("test", "@/").code == .passed)
    #expect(try await flow("test", "--live", "@/").code == .passed)
    #expect(try await flow("diff", "@/s.transcript.jsonl").code == .passed)
  }

  @Test func `a journal keeps its bodies too, and resumes with them`() async throws {
    let run = try await flow("run", "@/s.yaml", "--input", "text=\(Self.long)", "--journal", "@/j")
    #expect(run.code == .passed)
    #expect(try !folder.text("j").contains("long long"))
    let lines = try folder.text("j").split(separator: "\n")
    try folder.write(lines.dropLast(3).joined(separator: "\n") + "\n", to: "j")

    #expect(try await flow("resume", "@/j").code == .passed)
  }

  @Test func `a body that was changed fails the replay`() async throws {
    try await record()
    let name = SHA256(Array(Self.long.utf8)).hexadecimal
    try folder.write(Self.long.dropLast() + "x", to: "blobs/\(name)")

    let run = try await flow("replay", "@/s.transcript.jsonl")

    #expect(run.code == .badInput)
    #expect(
      run.errors == """
        @/s.transcript.jsonl:1:1: error: the body 'sha256:\(name)' has content that does not match its name [F3116]

        """)
  }

  @Test func `flow test keeps the bodies of what it records`() async throws {
    let text = Self.scenario.replacing(
      existing: "{type: string}", with: "{type: string, default: \(Self.long)}")
    try folder.write(text, to: "s.yaml")

    #expect(try await flow("test", "--update", "missing", "@/").code == .passed)
    #expect(try folder.names(in: "blobs").count == 1)
    #expect(try await flow("test", "@/").code == .passed)
  }

  @Test func `a transcript that was changed by hand is refused until it is sealed`() async throws {
    try await record("short")
    let text = try folder.text("s.transcript.jsonl")
    let changed = text.replacing(
      existing: #""ok":{"value":"short"}"#, with: #""ok":{"value":"long"}"#)
    try folder.write(changed, to: "s.transcript.jsonl")

    let refused = try await flow("replay", "@/s.transcript.jsonl")
    let sealed = try await flow("transcript", "seal", "@/s.transcript.jsonl")

    #expect(refused.code == .badInput)
    #expect(refused.errors.hasSuffix("accept it with 'flow transcript seal' [F3117]\n"))
    #expect(sealed.output == "sealed @/s.transcript.jsonl\n")
    #expect(try await flow("replay", "@/s.transcript.jsonl").code == .passed)
    #expect(try folder.text("s.transcript.jsonl").unsealed == changed.unsealed)
  }

  @Test func `a transcript with the line ends of another system says so, and can be mended`()
    async throws
  {
    try await record("short")
    let text = try folder.text("s.transcript.jsonl")
    try folder.write(text.replacing(existing: "\n", with: "\r\n"), to: "s.transcript.jsonl")

    let replay = try await flow("replay", "@/s.transcript.jsonl")
    #expect(
      replay.errors == """
        @/s.transcript.jsonl:8:1: error: the transcript's lines end in CR and LF, so its seal is broken; keep version control from changing them ('*.jsonl -text' and '**/blobs/* -text' in .gitattributes), \
        or repair them with 'flow transcript seal' [F3117]

        """)
    #expect(try await flow("transcript", "seal", "@/s.transcript.jsonl").code == .passed)
    #expect(try folder.text("s.transcript.jsonl") == text)
  }

  @Test(arguments: [("\r\n", "\n"), ("\n", "\r\n")])
  func `a body whose line ends were changed says so, and is mended by a seal`(
    _ recorded: String, _ changed: String
  ) async throws {
    let text = String(repeating: "a line of a table\(recorded)", count: 300)
    try await record(text)
    let name = SHA256(Array(text.utf8)).hexadecimal
    try folder.write(text.replacing(recorded, with: changed), to: "blobs/\(name)")

    let replay = try await flow("replay", "@/s.transcript.jsonl")
    let seal = try await flow("transcript", "seal", "@/s.transcript.jsonl")

    #expect(
      replay.errors == """
        @/s.transcript.jsonl:1:1: error: the body 'sha256:\(name)' has other line ends than recorded; keep version control from changing them ('**/blobs/* -text' in .gitattributes), and repair it with \
        'flow transcript seal' [F3116]

        """)
    #expect(
      seal.output
        == "restored the line ends of 1 body of @/s.transcript.jsonl\nsealed @/s.transcript.jsonl\n"
    )
    #expect(try folder.text("blobs/\(name)") == text)
    #expect(try await flow("replay", "@/s.transcript.jsonl").code == .passed)
  }

  @Test func `what is not there cannot be sealed`() async throws {
    let run = try await flow("transcript", "seal", "@/none.jsonl")

    #expect(run.errors == "flow: cannot read '@/none.jsonl': no such file\n")
    #expect(run.code == .badInput)
  }

  @Test func `a transcript is shown for people`() async throws {
    try await record("short")

    #expect(
      try await flow("transcript", "show", "@/s.transcript.jsonl").output == """
        s.yaml, recorded with probe 1.2
          text: "short"
        components/p#1  p {"start":0}
          ok {}
        p.echo#1  p.echo {"value":"short"}
          ok {"value":"short"}
        p.fail#1  p.fail {"code":"refused"}
          error refused: asked to fail with refused
        passed

        """)
  }

  @Test func `long values are cut unless all is wanted`() async throws {
    try await record()

    let short = try await flow("transcript", "show", "@/s.transcript.jsonl").output
    let full = try await flow("transcript", "show", "--full", "@/s.transcript.jsonl").output

    #expect(!short.contains(Self.long) && short.contains("long…"))
    #expect(full.contains(Self.long))
  }

  @Test func `what is left of old transcripts is told and removed`() async throws {
    try await record()
    try await record(Self.long + "more", to: "old.transcript.jsonl")
    let names = [Self.long, Self.long + "more"].map { SHA256(Array($0.utf8)).hexadecimal }
    let old = try folder.text("old.transcript.jsonl").replacing(
      existing: #""s.yaml""#, with: #""gone.yaml""#)
    try folder.write(old, to: "old.transcript.jsonl")
    let orphan = SHA256([1]).hexadecimal
    try folder.write([1], to: "blobs/\(orphan)")
    let problems = [
      "@/old.transcript.jsonl: its scenario 'gone.yaml' no longer exists",
      "@/blobs/\(orphan): no transcript names it",
    ]

    let check = try await flow("transcript", "prune", "--check", "@/")
    #expect(check.output == problems.joined(separator: "\n") + "\n")
    #expect(check.code == .failed)
    #expect(try folder.names(in: "blobs").count == 3)

    #expect(try await flow("transcript", "prune", "@/").code == .passed)
    // Nobody names the body of the removed transcript now.
    #expect(try await flow("transcript", "prune", "@/").output.contains(names[1]))
    #expect(try folder.names(in: "blobs") == [names[0]])
    let clean = try await flow("transcript", "prune", "--check", "@/")
    #expect(clean.output == "1 transcript and 1 body, nothing to remove\n")
    #expect(clean.code == .passed)
  }

  @Test func `a missing body is an error that nothing removes`() async throws {
    try await record()
    let name = SHA256(Array(Self.long.utf8)).hexadecimal
    try folder.remove("blobs/\(name)")

    let run = try await flow("transcript", "prune", "@/")
    #expect(run.errors == "")

    #expect(
      run.output == "@/s.transcript.jsonl: names the body 'sha256:\(name)', which is missing\n")
    #expect(run.code == .failed)
    #expect(try folder.names.contains("s.transcript.jsonl"))
  }

  @Test func `a journal names its bodies and is no litter`() async throws {
    _ = try await flow("run", "@/s.yaml", "--input", "text=\(Self.long)", "--journal", "@/j")
    try folder.remove("s.yaml")

    #expect(try await flow("transcript", "prune", "@/").code == .passed)
    #expect(try folder.names(in: "blobs").count == 1)
    #expect(try folder.names.contains("j"))
  }
}
