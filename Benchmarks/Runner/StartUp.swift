import Foundation

/// The whole process, from its start to its end: `flow run` on one step beside `/bin/true`.
enum StartUp {
  private static let rounds = 41

  static func run() throws {
    guard let flow = ChildProcess.flow else {
      print("  build it first: swift build -c release --product flow")
      return
    }
    let scenario = FileManager.default.temporaryDirectory.appending(
      path: "flow-\(UUID().uuidString).yaml")
    try Data(Steps.scenario(steps: 1)).write(to: scenario)
    defer { try? FileManager.default.removeItem(at: scenario) }
    var (bare, whole): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      bare.append(try ChildProcess.milliseconds(["/bin/true"]))
      whole.append(try ChildProcess.milliseconds([flow, "run", scenario.path]))
    }
    printTable([
      ["", "ms", "/bin/true"],
      ["/bin/true", decimal(median(bare)), "1.0"],
      ["flow run, one step", decimal(median(whole)), decimal(median(whole) / median(bare))],
    ])
  }
}
