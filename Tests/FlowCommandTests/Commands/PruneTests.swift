import FlowCommand
import FlowCore
import FlowSystem
import TestKit
import Testing

/// Bodies kept by `flow transcript prune` because a recording needs them.
@Suite struct PruneTests {
  private static let long = String(repeating: "long ", count: 1_000)
  private static let digest = SHA256(Array(long.utf8)).hexadecimal
  private static let transcript = "s.transcript.jsonl"

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {s: {plugin: sweeper}}
      inputs: {text: {type: string}}
      steps: [{uses: s.echo, with: {text: "${{ inputs.text }}"}}]

      """, to: "s.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [Sweeper.self])
  }

  private func record() async throws {
    _ = try await flow("run", "@/s.yaml", "--input", "text=\(Self.long)", "--record")
  }

  @Test func `bodies are found in a transcript that another tool has formatted`() async throws {
    try await record()
    let text = try folder.text(Self.transcript).unsealed
    try folder.write(
      text.replacing(existing: "\":", with: "\": ").replacing(existing: ",\"", with: ", \""),
      to: Self.transcript)

    let run = try await flow("transcript", "prune", "@/")

    #expect(run.output == "1 transcript and 1 body, nothing to remove\n")
    #expect(try await flow("replay", "@/\(Self.transcript)", "--quiet").code == .passed)
  }

  @Test func `a transcript beside a scenario is in use, whatever its header names`() async throws {
    try await record()
    try folder.write(try folder.text("s.yaml"), to: "t.yaml")
    try folder.write(try folder.text(Self.transcript), to: "t.transcript.jsonl")
    for name in ["s.yaml", Self.transcript] { try folder.remove(name) }

    let run = try await flow("transcript", "prune", "@/")

    #expect(run.output == "1 transcript and 1 body, nothing to remove\n")
  }

  @Test(arguments: ["explored", "failed"])
  func `a transcript of another run goes with its scenario`(_ kind: String) async throws {
    try await record()
    let name = "s.transcript.\(kind).jsonl"
    try folder.write(try folder.text(Self.transcript), to: name)

    let before = try await flow("transcript", "prune", "@/")
    try folder.write(try folder.text("s.yaml"), to: "s.generated.yaml")
    try folder.remove("s.yaml")
    let after = try await flow("transcript", "prune", "@/")

    #expect(before.output == "2 transcripts and 1 body, nothing to remove\n")
    #expect(after.output.contains("@/\(name): removed, its scenario 's.yaml' no longer exists\n"))
    #expect(try folder.names.contains("s.generated.yaml"))
    #expect(try !folder.names.contains(name))
  }

  @Test func `bodies of a linked folder are another project's`() async throws {
    try await record()
    try folder.write([1], to: "store/\(SHA256([1]).hexadecimal)")
    try folder.write("", to: "other/x")
    try folder.link("other/blobs", to: "../store")

    let run = try await flow("transcript", "prune", "@/")

    #expect(run.output == "1 transcript and 1 body, nothing to remove\n")
    #expect(try folder.names(in: "store").count == 1)
  }

  @Test(arguments: ["<<<<<<< ours\n", "{\"at\":\n"])
  func `a transcript with a line that is not JSON keeps the bodies beside it`(
    _ line: String
  ) async throws {
    try await record()
    try folder.write(line + (try folder.text(Self.transcript)), to: Self.transcript)
    try folder.write([1], to: "blobs/\(SHA256([1]).hexadecimal)")

    let run = try await flow("transcript", "prune", "@/")

    #expect(
      run.output
        == "@/\(Self.transcript): line 1 is not JSON, so the bodies next to it are kept\n")
    #expect(run.code == .failed)
    #expect(try folder.names(in: "blobs").count == 2)
  }

  /// The possible remains of a transcript of 4 lines, each with its message.
  private static let remains: [(lines: Int, rest: String, reason: String)] = [
    (0, "", "it has no end"), (0, #"{"transcript""#, "line 1 is cut off"),
    (1, "", "it has no end"), (1, #"{"at":"#, "line 2 is cut off"),
  ]

  @Test(arguments: remains.indices, [transcript, "golden"])
  func `a transcript that is cut off keeps the bodies beside it`(
    _ index: Int, _ name: String
  ) async throws {
    let (lines, rest, reason) = Self.remains[index]
    // Without its first line, a transcript is recognized only by its name.
    if lines == 0 && name != Self.transcript { return }
    try await record()
    let whole = try folder.text(Self.transcript).split(separator: "\n")
    try folder.remove(Self.transcript)
    try folder.write(whole.prefix(lines).map { $0 + "\n" }.joined() + rest, to: name)

    let run = try await flow("transcript", "prune", "@/")

    #expect(run.output == "@/\(name): \(reason), so the bodies next to it are kept\n")
    #expect(run.code == .failed)
    #expect(try folder.names(in: "blobs") == [Self.digest])
  }

  @Test func `a transcript without its last newline is whole`() async throws {
    try await record()
    try folder.write(String(try folder.text(Self.transcript).dropLast()), to: Self.transcript)

    #expect(try await flow("transcript", "prune", "@/").code == .passed)
  }

  @Test func `a torn journal keeps no more than it names`() async throws {
    _ = try await flow("run", "@/s.yaml", "--input", "text=\(Self.long)", "--journal", "@/j")
    try folder.write(try folder.text("j") + #"{"at":"#, to: "j")
    try folder.write([1], to: "blobs/\(SHA256([1]).hexadecimal)")

    #expect(try await flow("transcript", "prune", "@/").code == .passed)
    #expect(try folder.names(in: "blobs") == [Self.digest])
  }

  @Test(arguments: [["@/", "@/a", "@/./a/"], ["@/a", "@/"]])
  func `a folder that is named twice is cleared once`(_ folders: [String]) async throws {
    try folder.write([1], to: "a/blobs/\(SHA256([1]).hexadecimal)")

    let run = try await FlowCommandRun(["transcript", "prune"] + folders, in: folder)

    #expect(run.errors == "")
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.code == .passed)
  }

  // A journal has its bodies at once and holds the folder, and a recording writes them at its end.
  @Test(arguments: [(["--record"], 0), (["--journal", "@/j"], 1)])
  func `bodies of a run under way are kept`(_ options: [String], _ code: Int) async throws {
    let scenario = try folder.text("s.yaml")
    try folder.write(
      scenario.dropLast(2) + ", {uses: s.sweep, expect: {code: \(code)}}]\n", to: "s.yaml")

    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--input", "text=\(Self.long)"] + options, in: folder,
      components: [Sweeper.self])

    #expect(run.errors == "")
    #expect(run.code == .passed)
    #expect(try folder.names(in: "blobs") == [Self.digest])
    #expect(try await flow("transcript", "prune", "@/").code == .passed)
  }

  @Test(arguments: [["--record"], ["--journal", "@/\(transcript)"]])
  func `a run ends in a folder that somebody holds alone`(_ options: [String]) async throws {
    let lock = try #require(FolderLock(alone: folder.directory.path))

    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--input", "text=\(Self.long)"] + options, in: folder,
      components: [Sweeper.self])

    #expect(run.code == .passed)
    #expect(try folder.text(Self.transcript).contains(Self.digest))
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: [[], ["--check"]])
  func `no folder is held while something is told`(_ options: [String]) async throws {
    try folder.write([1], to: "blobs/\(SHA256([1]).hexadecimal)")
    let (path, output) = (folder.directory.path, OutputText())
    let process = ProcessEnvironment(
      output: { _ in output.append(FolderLock(alone: path) == nil ? "held " : "free ") },
      errorOutput: { output.append($0) }, environment: [:])

    _ = await FlowCommand(registry: try Registry([]), process: process)
      .run(["transcript", "prune", path] + options)

    #expect(output.text == "free ")
  }

  /// The remains of a process killed while it records, with a body.
  private func leaveRemains() throws -> [String] {
    let paths = [Self.transcript, "blobs/\(Self.digest)"]
    try folder.write("", to: "blobs/x")
    return try paths.map { path in
      let before = try folder.names(in: Path.folder(of: path))
      let file = try OutputFile(replacing: folder.path(path))
      let name = try folder.names(in: Path.folder(of: path)).first { !before.contains($0) } ?? ""
      file.discard()
      let remains = Path.joined(Path.folder(of: path), name)
      try folder.write("{\"transcript\":1", to: remains)
      return remains
    }
  }

  @Test(arguments: [[], ["--check"]])
  func `what a killed process was writing is removed`(_ options: [String]) async throws {
    try await record()
    let remains = try leaveRemains()

    let run = try await FlowCommandRun(["transcript", "prune", "@/"] + options, in: folder)

    let removed = options.isEmpty ? "removed, " : ""
    #expect(
      run.output
        == remains.map { "@/\($0): \(removed)it was left by a process that was killed\n" }.joined())
    #expect(run.code == (options.isEmpty ? .passed : .failed))
    #expect(remains.allSatisfy(folder.directory.contains) == !options.isEmpty)
    #expect(try folder.names(in: "blobs").contains(Self.digest))
  }

  @Test func `what a process is writing is left alone`() async throws {
    try await record()
    let file = try OutputFile(replacing: folder.path("t.jsonl"))
    let count = try folder.names.count

    let run = try await flow("transcript", "prune", "@/")

    #expect(run.output == "1 transcript and 1 body, nothing to remove\n")
    #expect(try folder.names.count == count)
    file.discard()
  }

  @Test(arguments: ["flow: 1\nstesp: []\n", "{\"flow\": 1, \"steps\": [", ""])
  func `a transcript whose scenario no longer looks like one is told and kept`(
    _ text: String
  ) async throws {
    try await record()
    try folder.write(text, to: "s.yaml")

    for options in [["--check"], []] {
      let run = try await FlowCommandRun(["transcript", "prune", "@/"] + options, in: folder)

      #expect(
        run.output == "@/\(Self.transcript): its scenario 's.yaml' cannot be read as a scenario\n")
      #expect(run.code == .failed)
    }
    #expect(folder.directory.contains(Self.transcript))
  }

  @Test func `a transcript beside a link that leads nowhere is told and kept`() async throws {
    try await record()
    try folder.remove("s.yaml")
    try folder.link("s.yaml", to: "nowhere")

    let run = try await flow("transcript", "prune", "@/")

    #expect(
      run.output == "@/\(Self.transcript): its scenario 's.yaml' cannot be read as a scenario\n")
    #expect(folder.directory.contains(Self.transcript))
  }

  @Test func `a check needs no folder for itself`() async throws {
    try folder.write([1], to: "blobs/\(SHA256([1]).hexadecimal)")
    let lock = try #require(FolderLock(alone: folder.directory.path))

    let run = try await flow("transcript", "prune", "--check", "@/")

    #expect(run.output == "@/blobs/\(SHA256([1]).hexadecimal): no transcript names it\n")
    withExtendedLifetime(lock) {}
  }
}

/// A component that prunes the folder of its scenario in the middle of a run.
private actor Sweeper: Component {
  static let plugin = Plugin(
    "sweeper", version: "1.0", "Prunes its folder.", state: .memory, operations: operations
  ) { _ in Sweeper() }
  static let operations: [Operation<Sweeper>] = [
    Operation("echo", "Answers its input.", input: Text.record, answers: Text.record) {
      _, _, text in text
    },
    Operation("sweep", "Prunes the folder.", answers: Sweep.record) {
      _, context in
      let process = ProcessEnvironment(output: { _ in }, errorOutput: { _ in }, environment: [:])
      let code = await FlowCommand(registry: try Registry([]), process: process)
        .run(["transcript", "prune", context.directory.path])
      return Sweep(code: Int(code.rawValue))
    },
  ]

  struct Text: Sendable {
    let text: String
    static let record = Record(Text.init(text:), Field("text", \.text, "The text."))
  }

  struct Sweep: Sendable {
    let code: Int
    static let record = Record(Sweep.init(code:), Field("code", \.code, "The exit code."))
  }
}
