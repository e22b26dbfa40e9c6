import FlowCore
import Foundation
import TestKit
import Testing

/// `flow watch` in a separate process, interrupted at the end.
@Suite struct WatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let start = try BuiltFlow(#""$0" init . --ci none"#, in: folder)
    try #require(start.code == 0)
    try folder.write("flow: 1\nsteps: [{wait: 1s}]\n", to: "Scenarios/pause.yaml")
  }

  private func watch(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(BuiltFlow.path, ["watch"] + arguments, in: folder.directory.path)
  }

  /// Its next line, without how long it took.
  private func line(of watch: ChildProcess) -> String {
    let line = watch.firstLine()
    guard let time = line.range(of: "passed in "), let end = line.range(of: ": ") else {
      return line
    }
    return String(line[..<time.upperBound] + "…" + line[end.lowerBound...])
  }

  @Test func `scenarios are replayed at first, and again when they change`() throws {
    let watch = try watch()

    #expect(line(of: watch) == "1 scenario checked, no mistakes")
    #expect(line(of: watch) == "passed in …: scenarios 1 passed")

    let hello = try folder.text("Scenarios/hello.yaml")
    try folder.write(hello + "# changed\n", to: "Scenarios/hello.yaml")
    #expect(line(of: watch) == "passed in …: scenarios 1 passed")

    try folder.write("flow: 1\nsteps: [{wait: 2s}]\n", to: "Scenarios/pause.yaml")
    #expect(line(of: watch) == "1 scenario checked, no mistakes")

    try folder.write(
      hello.replacing("greeting: \"Hello", with: "greeting: \"Hi"), to: "Scenarios/hello.yaml")
    #expect(line(of: watch).hasPrefix("failed   Scenarios/hello.yaml  ("))
    #expect(line(of: watch).hasSuffix(": scenarios 0 passed, 1 failed"))
  }

  @Test func `another file and a new folder are noticed, and all scenarios are replayed`() throws {
    let watch = try watch()
    for _ in 1...2 { _ = watch.firstLine() }

    try folder.write("flow: 1\nscenarios: [Scenarios]\njobs: 1\n", to: "flow.yaml")
    #expect(line(of: watch) == "1 scenario checked, no mistakes")
    #expect(line(of: watch) == "passed in …: scenarios 1 passed")

    try folder.write("flow: 1\nsteps: [{wait: 1s}]\n", to: "Scenarios/new/pause.yaml")
    #expect(line(of: watch) == "1 scenario checked, no mistakes")
    try folder.write("flow: 1\nsteps: [{wait: 2s}]\n", to: "Scenarios/new/pause.yaml")
    #expect(line(of: watch) == "1 scenario checked, no mistakes")
  }

  @Test func `a file that the recorded run read replays its scenario alone`() throws {
    try folder.write("Barn", to: "Scenarios/data/note.txt")
    try folder.write(
      """
      flow: 1
      components: {files: {plugin: file}}
      steps: [{uses: files.read, with: {path: data/note.txt}}]

      """, to: "Scenarios/note.yaml")
    let run = try BuiltFlow(#""$0" run Scenarios/note.yaml --record"#, in: folder)
    try #require(run.code == 0, "\(run.errors)")
    let watch = try watch()
    #expect(line(of: watch) == "1 scenario checked, no mistakes")
    #expect(line(of: watch) == "passed in …: scenarios 2 passed")

    try folder.write("Bern", to: "Scenarios/data/note.txt")
    #expect(line(of: watch).hasPrefix("failed   Scenarios/note.yaml  ("))
    #expect(line(of: watch).hasSuffix(": scenarios 0 passed, 1 failed"))

    try folder.write("Barn", to: "Scenarios/data/note.txt")
    #expect(line(of: watch) == "passed in …: scenarios 1 passed")
  }

  @Test func `an interrupt ends it`() throws {
    let watch = try watch()
    for _ in 1...2 { _ = watch.firstLine() }
    // A change between the end of the replay and the wait is lost.
    while watch.isRunning { watch.send(SIGINT) }
    let ending = watch.ending()

    #expect(ending.code == 130 || ending.signal == SIGINT)
  }

  @Test(arguments: ["INT", "TERM"])
  func `a request to stop ends it where the shell ignores such`(_ signal: String) throws {
    let line = "trap '' \(signal); exec \(BuiltFlow.path) watch"
    let watch = try ChildProcess("/bin/sh", ["-c", line], in: folder.directory.path)
    for _ in 1...2 { _ = watch.firstLine() }
    while watch.isRunning { watch.send(signal == "INT" ? SIGINT : SIGTERM) }

    #expect(watch.ending().code == (signal == "INT" ? 130 : 143))
  }

  @Test func `a folder that vanishes ends nothing`() throws {
    try folder.write("flow: 1\nsteps: [{wait: 1s}]\n", to: "branch/pause.yaml")
    let watch = try watch("branch/pause.yaml", "Scenarios/pause.yaml")
    #expect(line(of: watch) == "2 scenarios checked, no mistakes")

    try folder.remove("branch")
    try folder.write("flow: 1\nsteps: [{wait: 2s}]\n", to: "Scenarios/pause.yaml")
    #expect(line(of: watch) == "1 scenario checked, no mistakes")

    try folder.write("flow: 1\nsteps: [{wait: 1s}]\n", to: "branch/pause.yaml")
    #expect(line(of: watch) == "1 scenario checked, no mistakes")
  }

  @Test func `an excluded folder is watched for the parts in it alone`() throws {
    let part = "flow: 1\nsteps: [{wait: 1s}]\n"
    for file in ["parts/inner/word.yaml", "other/word.yaml"] {
      try folder.write(part, to: "Scenarios/\(file)")
    }
    try folder.write(
      "flow: 1\nsteps: [{scenario: parts/inner/word.yaml}]\n", to: "Scenarios/pause.yaml")
    try folder.write(
      "flow: 1\nscenarios: [Scenarios]\nexclude: [Scenarios/parts, Scenarios/other]\n",
      to: "flow.yaml")
    let watch = try watch()
    #expect(line(of: watch) == "1 scenario checked, no mistakes")
    #expect(line(of: watch) == "passed in …: scenarios 1 passed")

    try folder.write(part + "# changed\n", to: "Scenarios/other/word.yaml")
    try folder.write(try folder.text("Scenarios/hello.yaml") + "#\n", to: "Scenarios/hello.yaml")
    #expect(line(of: watch) == "passed in …: scenarios 1 passed")

    try folder.write(part + "# changed\n", to: "Scenarios/parts/inner/word.yaml")
    #expect(line(of: watch) == "1 scenario checked, no mistakes")
    #expect(line(of: watch) == "passed in …: scenarios 1 passed")
  }

  @Test(arguments: [
    ("nowhere.yaml", "error: cannot read 'nowhere.yaml': no such file [F1001]\n", 65),
    ("Scenarios nowhere/", "error: cannot read 'nowhere': no such file [F1001]\n", 65),
    ("empty", "flow: no scenario was found in 'empty'\nsee 'flow help watch'\n", 64),
  ])
  func `what has no scenario is not watched`(
    _ paths: String, _ errors: String, _ code: Int32
  ) throws {
    try folder.write("", to: "empty/README.md")
    let run = try BuiltFlow(#""$0" watch "# + paths, in: folder)

    #expect(run.output == "")
    #expect(run.errors == errors)
    #expect(run.code == code)
  }
}
