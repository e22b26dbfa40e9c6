import Foundation

/// `flow test` as a whole process, from its start to its end: suites of scenarios with transcripts.
enum Suite {
  static let benchmark = Benchmark(name: "suite", rounds: 11, cases: cases)

  private static let sizes = [1, 10, 200, 1_000]
  private static let figures = [
    Case.Figure("elapsed", "ms"), Case.Figure("processor", "ms"),
    Case.Figure("elapsed", "µs/scenario"),
  ]

  private static func cases() throws -> [Case] {
    try sizes.flatMap { size in
      let folder = try folder(size)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { !$0.hasPrefix(".") }
        .map { folder.appending(path: $0).path }
      return [
        Case(name: "files, cat", size: size, figures: figures, isReference: true) { _ in
          try sample(["/bin/cat"] + files, size)
        },
        Case(name: "scenarios of ten steps, flow test", size: size, figures: figures) {
          try sample([$0.flow, "test", folder.path, "--update", "never"], size)
        },
      ] + reports(of: folder, size)
    }
  }

  /// The same with each report, and with all of them, for one size.
  private static func reports(of folder: URL, _ size: Int) -> [Case] {
    guard size == 200 else { return [] }
    let formats = ["junit", "tap", "tap14", "jsonl", "trace", "markdown", "html"]
    let kinds = formats.map { (name: $0, formats: [$0]) } + [("all reports", formats)]
    return kinds.map { name, formats in
      // Beside the folder, since what is in it is tested.
      let options = formats.flatMap { ["--report", "\($0)=\(folder.path)-\(name).\($0)"] }
      return Case(name: "the same with \(name)", size: size, figures: figures) {
        try sample([$0.flow, "test", folder.path, "--update", "never"] + options, size)
      }
    }
  }

  private static func sample(_ command: [String], _ size: Int) throws -> [Double] {
    let cost = try ChildProcess.run(command)
    return [cost.elapsed, cost.processor, cost.elapsed * 1_000 / Double(size)]
  }

  /// A folder of scenarios with their transcripts, which the system removes when it likes.
  private static func folder(_ size: Int) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("flow: 1\n".utf8).write(to: folder.appending(path: "flow.yaml"))
    for number in 0..<size {
      try Data(scenario(number)).write(to: folder.appending(path: "scenario\(number).yaml"))
    }
    // Also where CI is set transcripts belong beside their scenarios here.
    try ChildProcess.run([
      "/usr/bin/env", "-u", "CI", Program.present.flow, "test", folder.path, "--update", "all",
    ])
    return folder
  }

  /// Ten steps as people write them, no two files the same.
  private static func scenario(_ number: Int) -> [UInt8] {
    let head = """
      flow: 1
      name: Scenario \(number)
      tags: [suite]
      inputs:
        amount: {type: decimal, default: 0.01}
      components:
        balance: {plugin: balance, with: {opening: \(number).00}}
      steps:

      """
    return Array(head.utf8)
      + (0..<10).flatMap { step in
        Array(
          """
            - id: step\(step)
              uses: balance.add
              with: {amount: "${{ inputs.amount }}"}
              expect: {balance: \(number).\(step < 9 ? "0" : "")\(step + 1)}

          """.utf8)
      }
  }
}
