import FlowCommand
import TestKit
import Testing

/// A mistyped path of an option costs no scenario and no recording.
@Suite struct OutputPlaceTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.folder.write("flow: 1\nsteps: []\n", to: "s.yaml")
    try suite.folder.write("flow: 1\nsteps: []\n", to: "other.yml")
    try suite.folder.write("to do\n", to: "notes.txt")
    try suite.folder.write(#"{"flow":1,"steps":[]}"#, to: "s.json")
    try suite.folder.write("# A part.\nname: x\nflow: 1\nsteps: []\n", to: "part.flow")
    try suite.folder.link("link.jsonl", to: "other.yml")
    let start = #""transcript":1,"scenario":"s.yaml""#
    try suite.folder.write("{ \(start)}\n", to: "spaced.jsonl")
    let long = #""inputs":{"a":"\#(String(repeating: "x", count: 70_000))"}"#
    try suite.folder.write("{\(start),\(long),\"run\":\"r\"}\n", to: "long.journal")
    try suite.folder.write("", to: "empty.jsonl")
    try suite.folder.write(#"{"flow" : 1, "steps": [] }"#, to: "blank.json")
    try suite.folder.write("{flow: 1,\n steps: []}\n", to: "braces.txt")
    try suite.folder.write("'flow': 1\nsteps: []\n", to: "quoted.txt")
    try suite.folder.write("\u{FEFF}flow: 1\nsteps: []\n", to: "marked.txt")
    try suite.folder.write("--- {flow: 1, steps: []}\n", to: "begun.txt")
    try suite.folder.write("flow: 1\nsteps: [\n", to: "damaged.txt")
    try suite.folder.write(
      #"{"steps": [{"x": "\"}"}],"# + "\n\n  \"flow\": 1}\n", to: "late.json")
    try suite.folder.write("a body", to: Self.body)
    try suite.folder.write(
      #"{"version":1,"kind":"step","payload":{"flow":1}}"# + "\n{}\n", to: "report.jsonl")
    try suite.folder.write(#"{"transcript":1,"scenario":"s.yaml"}"# + "\n", to: "old.jsonl")
    try suite.folder.write(
      #"{"transcript":1,"scenario":"s.yaml","run":"r"}"# + "\n", to: "held.journal")
  }

  private static let body = "blobs/" + String(repeating: "0a", count: 32)

  @Test(arguments: [
    ("s.yaml", "it exists and is not a transcript"),
    ("other.yml", "it exists and is not a transcript"),
    ("notes.txt", "it exists and is not a transcript"),
    ("held.journal", "it is a journal; 'flow resume' continues it"),
    ("long.journal", "it is a journal; 'flow resume' continues it"),
    ("s.json", "it exists and is not a transcript"),
  ])
  func `a transcript replaces nothing but a transcript`(
    _ path: String, _ reason: String
  ) async throws {
    let before = try suite.folder.text(path)
    let run = try await suite.flow("run", "@/s.yaml", "--record=@/\(path)")

    #expect(
      run.errors
        == "flow: the transcript was not written: cannot write '@/\(path)': \(reason)\n")
    #expect(run.code == .cannotWrite)
    #expect(run.output == "")
    #expect(try suite.folder.text(path) == before)
  }

  @Test(arguments: ["old.jsonl", "spaced.jsonl", "empty.jsonl", "new.jsonl"])
  func `a transcript takes the place of another one, and of nothing`(_ path: String) async throws {
    let run = try await suite.flow("run", "@/s.yaml", "--record=@/\(path)")

    #expect(run.code == .passed)
    #expect(try suite.folder.text(path).hasSuffix("\n"))
    #expect(try suite.folder.text(path).contains("digest"))
  }

  @Test(arguments: [
    (["run", "@/s.yaml"], "s.yaml", "it is a scenario"),
    (["test", "@/s.yaml"], "other.yml", "it is a scenario"),
    (["run", "@/s.yaml"], "s.json", "it is a scenario"),
    (["run", "@/s.yaml"], "part.flow", "it is a scenario"),
    (["run", "@/s.yaml"], "link.jsonl", "it is a scenario"),
    (["run", "@/s.yaml"], "blank.json", "it is a scenario"),
    (["run", "@/s.yaml"], "braces.txt", "it is a scenario"),
    (["run", "@/s.yaml"], "quoted.txt", "it is a scenario"),
    (["run", "@/s.yaml"], "marked.txt", "it is a scenario"),
    (["run", "@/s.yaml"], "begun.txt", "it is a scenario"),
    (["run", "@/s.yaml"], "damaged.txt", "it is a scenario"),
    (["run", "@/s.yaml"], "late.json", "it is a scenario"),
    (["run", "@/s.yaml"], body, "it is a body of a recording"),
    (["run", "@/s.yaml"], "spaced.jsonl", "it is a transcript"),
    (["run", "@/s.yaml"], "old.jsonl", "it is a transcript"),
    (["report", "@/old.jsonl"], "old.jsonl", "it is a transcript"),
    (["test", "@/s.yaml"], "held.journal", "it is a journal"),
  ])
  func `a report replaces no scenario and no recording`(
    _ command: [String], _ path: String, _ reason: String
  ) async throws {
    let before = try suite.folder.text(path)
    let run = try await suite.flow(command + ["--report", "html=@/\(path)"])

    #expect(run.errors.contains("cannot write '@/\(path)': \(reason)\n"))
    #expect(run.code == .cannotWrite)
    #expect(try suite.folder.text(path) == before)
  }

  @Test(arguments: ["notes.txt", "report.jsonl"])
  func `a report replaces another one, and what else there is`(_ path: String) async throws {
    let run = try await suite.flow("run", "@/s.yaml", "--report", "tap=@/\(path)")

    #expect(run.code == .passed)
    #expect(try suite.folder.text(path).hasPrefix("TAP version 13\n"))
  }

  @Test func `a report does not replace what the same command has recorded`() async throws {
    let run = try await suite.flow(
      "test", "@/s.yaml", "--update", "missing", "--report", "junit=@/s.transcript.jsonl")

    #expect(run.code == .cannotWrite)
    #expect(try suite.folder.text("s.transcript.jsonl").hasPrefix("{\"transcript\":"))
  }

  @Test func `a comparison replaces no recording`() async throws {
    #expect(try await suite.flow("run", "@/s.yaml", "--record").code == .passed)
    let path = "s.transcript.jsonl"
    let before = try suite.folder.text(path)
    let run = try await suite.flow(
      "report", "--compare", "@/\(path)", "@/\(path)", "--report", "html=@/\(path)")

    #expect(run.code == .cannotWrite)
    #expect(try suite.folder.text(path) == before)
  }

  @Test(arguments: [
    (["--journal", "@/x.jsonl", "--record=@/x.jsonl"], "'--record' and '--journal'"),
    (["--journal", "@/x.jsonl", "--record=@/./x.jsonl"], "'--record' and '--journal'"),
    (["--journal", "@/x.jsonl", "--report", "jsonl=@/x.jsonl"], "'--journal' and '--report'"),
    (["--record=@/x.jsonl", "--report", "jsonl=@/x.jsonl"], "'--record' and '--report'"),
    (["--record", "--report", "tap=@/s.transcript.jsonl"], "'--record' and '--report'"),
    (["--record", "--journal", "@/s.transcript.jsonl"], "'--record' and '--journal'"),
  ])
  func `two outputs of a run cannot have one place`(
    _ options: [String], _ expected: String
  ) async throws {
    let run = try await suite.flow(["run", "@/s.yaml"] + options)

    #expect(run.errors.hasPrefix("flow: \(expected) both name '@/"))
    #expect(run.code == .badCommandLine)
  }

  @Test(arguments: ["--record=@/page.txt", "--report=tap=@/page.txt"])
  func `a journal that somebody began meanwhile is not replaced`(_ output: String) async throws {
    let journal = #"{"transcript":1,"scenario":"s.yaml","run":"r"}"#
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps: [{uses: n.write, with: {text: '\(journal)'}}]

      """, to: "w.yaml")
    let run = try await suite.flow("run", "@/w.yaml", output)

    #expect(run.code == .cannotWrite)
    #expect(try suite.folder.text("page.txt") == journal)
    #expect(try suite.folder.names.filter { $0.contains("page.txt") } == ["page.txt"])
  }
}
