import Foundation

/// The whole process, from its start to its end: `flow` on one step beside programs with as little
/// work.
enum StartUp {
  static let benchmark = Benchmark(name: "start-up", rounds: 41, cases: cases)

  private static let figures = [Case.Figure("elapsed", "ms"), Case.Figure("processor", "ms")]

  private static func cases() throws -> [Case] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let scenario = folder.appending(path: "one.yaml")
    try Data(Steps.scenario(steps: 1)).write(to: scenario)
    try Data("all:\n\t@true\n".utf8).write(to: folder.appending(path: "makefile"))
    let others = [
      ("/bin/true", ["/bin/true"]),
      ("a static Swift program", [Program.present.folder + "/flow-benchmarks-floor"]),
      ("make, one target", ["/usr/bin/make", "-f", folder.appending(path: "makefile").path]),
      ("bash, one command", ["/usr/bin/bash", "-c", "true"]),
      ("python3, one line", ["/usr/bin/python3", "-c", "pass"]),
    ].filter { FileManager.default.isExecutableFile(atPath: $0.1[0]) }
    let ours = [
      ("flow --version", ["--version"]), ("flow check, one step", ["check", scenario.path]),
      ("flow run, one step", ["run", scenario.path]),
    ]
    return others.map { name, command in
      Case(name: name, figures: figures, isReference: true) { _ in try sample(command) }
    }
      + ours.map { name, arguments in
        Case(name: name, figures: figures) { try sample([$0.flow] + arguments) }
      }
  }

  private static func sample(_ command: [String]) throws -> [Double] {
    let cost = try ChildProcess.run(command)
    return [cost.elapsed, cost.processor]
  }
}
