import BrowserPlugin
import FilePlugin
import FlowCore
import FlowTesting
import Foundation
import HTTPPlugin
import ProcessPlugin
import TestKit
import Testing

/// One test at a time: the samples use one folder.
@Suite(.serialized) struct BrowserChecksTests {
  @Test(arguments: ComponentCheck.allCases)
  func `the browser passes the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../visit.yaml")

    try await ComponentChecks(
      Browser.self, sample: sample, with: [.standIn(try TestDriver().standIn())]
    ).verify(check)
  }

  @Test(arguments: [[], ["browser"]])
  func `what was recorded replays without a browser`(_ live: [String]) async throws {
    let scenario = try ScenarioFile("../Scenarios/notes.yaml")

    try await scenario.replay(try Self.registry, live: live)
  }

  @Test(.enabled(if: Chromium.isHere, Chromium.absence), arguments: [false, true])
  func `notes are written in a real browser`(_ isVirtualTime: Bool) async throws {
    let scenario = try ScenarioFile("../Scenarios/notes.yaml")

    try await scenario.run(
      try Self.registry, inputs: ["port": try freePort()],
      options: LiveOptions(isVirtualTime: isVirtualTime))
  }

  @Test func `a recorded visit of a shop replays without a browser`() async throws {
    try await ScenarioFile("../Scenarios/shop.yaml").replay(try Self.registry)
  }

  @Test(.enabled(if: Chromium.isHere, Chromium.absence))
  func `a shop is visited in a real browser`() async throws {
    let scenario = try ScenarioFile("../Scenarios/shop.yaml")

    try await scenario.run(
      try Self.registry, inputs: ["port": try freePort(), "shop": try freePort()])
  }

  private static var registry: Registry {
    get throws { try Registry([Browser.self, Files.self, HTTP.self, Processes.self]) }
  }
}

/// The programs of a real browser.
enum Chromium {
  /// True if both are in the path.
  static let isHere = ["chromium", "chromedriver"].allSatisfy { name in
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  /// The reason of a skipped test.
  static let absence: Comment =
    "a real browser was not tested: there is no chromium and chromedriver in the PATH"

  /// A browser, and what its driver runs in.
  static func open(
    in folder: TemporaryFolder
  ) async throws -> (programs: OpenComponent, browser: OpenComponent) {
    let port = try freePort()
    let programs = try await OpenComponent(Processes.self, in: folder.directory.path)
    _ = try await programs.call(
      "start", ["name": "driver", "argv": ["chromedriver", "--port=\(port)"]])
    _ = try await programs.call("wait_for", ["name": "driver", "port": port])
    let http = try await OpenComponent(
      HTTP.self, with: ["base": "http://127.0.0.1:\(port)", "timeout": Duration.seconds(120)])
    let browser = try await OpenComponent(
      Browser.self, with: ["arguments": ["--no-sandbox", "--disable-dev-shm-usage"]],
      using: ["driver": http], in: folder.directory.path)
    return (programs, browser)
  }
}
