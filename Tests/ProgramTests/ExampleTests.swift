import Foundation
import TestKit
import Testing

/// The everyday jobs of `Examples/`, whose output is that of their pages, live and replayed.
@Suite struct ExampleTests {
  private static let examples = [
    Example("command-line-tool"),
    Example("login", takesServer: true, environment: ["FLOW_SECRET_PASSWORD": Example.password]),
    Example("migration"),
    Example("service", takesServer: true),
  ]

  @Test(arguments: examples)
  fileprivate func `an example runs as its page says, and replays with everything absent`(
    _ example: Example
  ) async throws {
    let folder = try example.copied()
    let names = try folder.names
    let port = try freePort()

    let run = try await BuiltProgram.run(
      "flow", ["run", example.scenario, "--record"] + example.inputs(port: port), in: folder,
      environment: example.environment)

    #expect(run.errors == "")
    #expect(try run.output.withoutDurations == example.shown)
    #expect(try folder.names == (names + [example.transcript]).sorted())
    #expect(try example.masked(folder.text(example.transcript), port: port) == example.stored)
    try await example.replays(folder.text(example.transcript))
  }

  @Test(arguments: examples + [Example("nightly")])
  fileprivate func `the transcript beside an example replays with everything absent`(
    _ example: Example
  ) async throws {
    try await example.replays(Example.text("\(example.name)/\(example.transcript)"))
  }

  @Test func `a case of the table that fails is named, and the others run all the same`()
    async throws
  {
    let folder = try Example("command-line-tool").copied()
    try folder.write("9\n", to: "expected/sort-numbers.txt")
    try folder.write("", to: "expected/second-column.txt")

    let run = try await BuiltProgram.run("flow", ["run", "command-line-tool.yaml"], in: folder)

    #expect(
      run.output.withoutDurations == """
        Tools and the files that they should print
          passed The table of cases  (T)
          failed Every case prints its file  (12 steps, T)
          not run An archive is unpacked as it was packed
        failed in T: steps 11 passed, 2 failed, 1 not run

        """)
    let notes = run.errors.split(separator: "\n").filter { $0.contains("name is") }
    #expect(
      notes == [
        #"  note: the step's name is "sort-numbers""#,
        #"  note: the step's name is "second-column""#,
      ])
  }

  @Test(arguments: ["login", "login.failing"])
  func `neither the password nor a token is in anything that a login writes`(
    _ name: String
  ) async throws {
    let example = Self.examples[1]
    let folder = try example.copied()
    if name == "login.failing" {
      try folder.write(
        try folder.text("login.yaml")
          .replacing(existing: #"balance: "15.00""#, with: "token: \"${{ token }}\""),
        to: "login.yaml")
    }

    let run = try await BuiltProgram.run(
      "flow",
      ["run", "login.yaml", "--record", "--journal", "journal"]
        + example.inputs(port: try freePort()), in: folder, environment: example.environment)

    #expect(run.code == (name == "login" ? 0 : 1), "\(run.errors)")
    let texts = try [folder.text("journal"), folder.text(example.transcript)]
    for text in texts { #expect(text.contains(#""Bearer ${redacted:1}""#)) }
    for text in texts + [run.output, run.errors] {
      #expect(!text.contains("sesame") && !text.contains(/shop_[0-9a-f]/), "\(text)")
    }
  }

  @Test func `every example is in the list, and the list is of examples`() throws {
    let listed = try Example.text("README.md").matches(of: /\]\(([a-z-]+)\/README\.md\)/)
    let folders = try FileManager.default.contentsOfDirectory(atPath: Example.folder.path)

    #expect(listed.map { String($0.1) } == folders.filter { $0 != "README.md" }.sorted())
  }
}

/// A folder of `Examples/`, with a scenario of its name.
struct Example: Sendable, CustomTestStringConvertible {
  static let folder = URL(filePath: ProjectFiles.root + "/Examples")
  static let password = "open sesame"

  let name: String
  /// True if it starts the server of the shop, on a port.
  var takesServer = false
  var environment: [String: String] = [:]

  init(_ name: String, takesServer: Bool = false, environment: [String: String] = [:]) {
    self.name = name
    self.takesServer = takesServer
    self.environment = environment
  }

  var scenario: String { "\(name).yaml" }
  var transcript: String { "\(name).transcript.jsonl" }
  var testDescription: String { name }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// A copy of the folder without its transcript.
  func copied() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    let folder = Self.folder.appending(path: name)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file != transcript {
      try FileManager.default.copyItem(
        at: folder.appending(path: file), to: URL(filePath: copy.path(file)))
    }
    return copy
  }

  func inputs(port: Int) -> [String] {
    guard takesServer else { return [] }
    let program = BuiltProgram.url("shop-server").path
    return ["--input", "program=\(program)", "--input", "port=\(port)"]
  }

  /// The page's output of the command with this start, without durations.
  func shown(_ command: String) throws -> String {
    let page = try Self.text("\(name)/README.md")
    let behind = try #require(page.firstRange(of: "$ \(command)"), "\(command)").upperBound
    let lines = page[behind...].split(separator: "\n", omittingEmptySubsequences: false)
      .dropFirst().prefix { !$0.hasPrefix("$") && !$0.hasPrefix("```") }
    return lines.map { $0 + "\n" }.joined().withoutDurations
  }

  var shown: String {
    get throws { try shown("flow run \(scenario)") }
  }

  /// A transcript without the values that vary, as if the run had had the usual inputs.
  func masked(_ text: String, port: Int = 0) throws -> [Substring] {
    var text = text.unsealed.replacing(
      /"example":("(\\.|[^"\\])*"|\{[^{}]*\}|[^,{}"]*)/, with: #""example":0"#
    )
    .replacing(/,"defaults":\[[^\]]*\]/, with: "")
    if takesServer, port != 0 {
      let usual = try #require(
        try Self.text("\(name)/\(scenario)").firstMatch(of: /port: .*default: (\d+)/))
      text = text.replacing(try Regex("\\b\(port)\\b"), with: usual.1)
        .replacing(
          existing: BuiltProgram.url("shop-server").path, with: "../../.build/debug/shop-server")
    }
    return text.split(separator: "\n")
  }

  var stored: [Substring] {
    get throws { try masked(Self.text("\(name)/\(transcript)")) }
  }

  /// Replays a transcript in a folder with nothing else than the scenario and the project's file.
  func replays(_ text: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: transcript)
    try folder.write(Self.text("\(name)/\(scenario)"), to: scenario)
    if let project = try? Self.text("\(name)/flow.yaml") {
      try folder.write(project, to: "flow.yaml")
    }
    let names = try folder.names

    let replay = try await BuiltProgram.run(
      "flow", ["replay", transcript], in: folder, environment: ["PATH": "/nowhere"])

    #expect(replay.errors == "")
    #expect(
      try replay.output.withoutDurations
        == shown.replacing("recorded \(transcript)\n", with: "")
        .replacing(" in T:", with: " in T of virtual time:"))
    #expect(try folder.names == names)
  }
}
