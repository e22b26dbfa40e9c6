import Foundation

/// `flow test` as a whole process, from its start to its end: suites of scenarios with transcripts.
enum Suite {
  private static let sizes = [1, 200, 1_000]
  private static let rounds = 15

  static func run() throws {
    guard let flow = ChildProcess.flow else {
      print("  build it first: swift build -c release --static-swift-stdlib --product flow")
      return
    }
    var rows = [["scenarios of ten steps", "ms", "least", "most", "µs/scenario"]]
    for size in sizes {
      let times = try sample(flow, size)
      rows.append([
        "\(size)", decimal(median(times)), decimal(times.min() ?? 0), decimal(times.max() ?? 0),
        decimal(median(times) * 1_000 / Double(size)),
      ])
    }
    printTable(rows)
  }

  /// The milliseconds of several runs, after one that records.
  private static func sample(_ flow: String, _ size: Int) throws -> [Double] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("flow: 1\n".utf8).write(to: folder.appending(path: "flow.yaml"))
    for number in 0..<size {
      try Data(scenario(number)).write(to: folder.appending(path: "scenario\(number).yaml"))
    }
    // Also where CI is set transcripts belong beside their scenarios here.
    let record = ["/usr/bin/env", "-u", "CI", flow, "test", folder.path, "--update", "all"]
    try ChildProcess.run(record)
    return try (0..<rounds).map { _ in
      try ChildProcess.milliseconds([flow, "test", folder.path, "--update", "never"])
    }
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
