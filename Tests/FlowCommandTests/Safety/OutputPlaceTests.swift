import FlowCommand
import PluginHarness
import Testing

/// A mistyped path of an option costs no scenario and no recording.
@Suite struct OutputPlaceTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.folder.write("flow: 1\nsteps: []\n", to: "s.yaml")
    try suite.folder.write("flow: 1\nsteps: []\n", to: "other.yml")
    try suite.folder.write("to do\n", to: "notes.txt")
    try suite.folder.write("", to: "empty.jsonl")
    try suite.folder.write(#"{"transcript":1,"scenario":"s.yaml"}"# + "\n", to: "old.jsonl")
    try suite.folder.write(
      #"{"transcript":1,"scenario":"s.yaml","run":"r"}"# + "\n", to: "held.journal")
  }

  @Test(arguments: [
    ("s.yaml", "what is there is not a transcript"),
    ("other.yml", "what is there is not a transcript"),
    ("notes.txt", "what is there is not a transcript"),
    ("held.journal", "a journal is there; 'flow resume' continues it"),
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

  @Test(arguments: ["old.jsonl", "empty.jsonl", "new.jsonl"])
  func `a transcript takes the place of another one, and of nothing`(_ path: String) async throws {
    let run = try await suite.flow("run", "@/s.yaml", "--record=@/\(path)")

    #expect(run.code == .passed)
    #expect(try suite.folder.text(path).hasSuffix("\n"))
    #expect(try suite.folder.text(path).contains("digest"))
  }

  @Test(arguments: [
    (["run", "@/s.yaml"], "s.yaml", "a scenario is there"),
    (["test", "@/s.yaml"], "other.yml", "a scenario is there"),
    (["run", "@/s.yaml"], "old.jsonl", "a transcript is there"),
    (["report", "@/old.jsonl"], "old.jsonl", "a transcript is there"),
    (["test", "@/s.yaml"], "held.journal", "a journal is there"),
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

  @Test func `a report replaces another one, and what else there is`() async throws {
    let run = try await suite.flow("run", "@/s.yaml", "--report", "tap=@/notes.txt")

    #expect(run.code == .passed)
    #expect(try suite.folder.text("notes.txt").hasPrefix("TAP version 13\n"))
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

  @Test func `a transcript and a journal cannot have one place`() async throws {
    let run = try await suite.flow(
      "run", "@/s.yaml", "--journal", "@/x.jsonl", "--record=@/x.jsonl")

    #expect(run.errors.hasPrefix("flow: '--record' and '--journal' both name '@/x.jsonl'\n"))
    #expect(run.code == .badCommandLine)
  }
}
