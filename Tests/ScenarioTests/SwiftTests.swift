import AlbumPlugin
import BalancePlugin
import BrowserPlugin
import CatalogPlugin
import FilePlugin
import FlowCore
import FlowTesting
import Foundation
import HTTPPlugin
import ImagesPlugin
import ProcessPlugin
import SQLPlugin
import ScreensPlugin
import TestKit
import Testing
import UpstreamPlugin

/// Every file of `Scenarios/`, tested as a user's Swift tests would.
@Suite struct SwiftTests {
  private static let folder = "../../Scenarios"
  private static let parts = ["rejected", "failing", "parts", "data"]
  private static let registry = Result {
    try Registry([
      Album.self, Balance.self, Browser.self, Catalog.self, Files.self, HTTP.self, Images.self,
      Processes.self, SQL.self, Screens.self, Upstream.self,
    ])
  }

  @Test(arguments: try Scenarios.all(in: folder, excluding: parts))
  func `a scenario replays`(_ scenario: ScenarioFile) async throws {
    try await scenario.replay(try Self.registry.get())
  }

  @Test(arguments: try Scenarios.all(in: folder, excluding: parts))
  func `a scenario passes on its components and does what its transcript says`(
    _ scenario: ScenarioFile
  ) async throws {
    let run = try await scenario.run(try Self.registry.get())

    let recorded = try ScenarioFolder.text(
      scenario.name.replacing(".yaml", with: ".transcript.jsonl"))
    #expect(String(decoding: run.transcript, as: UTF8.self) == recorded)
  }

  @Test(arguments: try Scenarios.all(in: folder, excluding: parts))
  func `a transcript replays without the data`(_ scenario: ScenarioFile) async throws {
    let copy = try TemporaryFolder()
    let included = try Scenarios.all(in: Self.folder + "/parts").map { "parts/\($0.name)" }
    let transcript = scenario.name.replacing(".yaml", with: ".transcript.jsonl")
    let schemas = try FileManager.default.contentsOfDirectory(
      atPath: ScenarioFolder.path + "/schemas")
    for file in [scenario.name, transcript] + included + schemas.map({ "schemas/\($0)" }) {
      try copy.write(try ScenarioFolder.text(file), to: file)
    }

    try await ScenarioFile(copy.directory.path + "/" + scenario.name)
      .replay(try Self.registry.get())
  }

  /// The command line shortens failed rows, and its page has the rest.
  private static let rows = "rows.yaml"

  @Test func `several failed rows are told whole, since there is no page`() async throws {
    let rows = try Scenarios.all(in: Self.folder + "/failing", excluding: ["parts", "data"])
      .first { $0.name == Self.rows }

    let run = try #require(await rows?.attempt(try Self.registry.get()))

    let brief = try ScenarioFolder.text("failing/rows.err").split(separator: "\n")
    let whole = (run.failures + "\n").replacing(ScenarioFolder.path + "/", with: "")
      .split(separator: "\n")
    #expect(
      whole.filter { !brief.contains($0) } == [
        "  input: {amount: 9000.00}",
        #"  in 'rows', iteration 2: row is {name: "car", price: 9000.00}"#,
        "  input: {amount: 9500.00}",
        #"  in 'rows', iteration 4: row is {name: "car", price: 9500.00}"#,
      ])
  }

  @Test(
    arguments: try Scenarios.all(in: folder + "/failing", excluding: ["parts", "data"])
      .filter { $0.name != rows })
  func `a scenario that must fail says what the command line says`(_ scenario: ScenarioFile)
    async throws
  {
    let run = await scenario.attempt(try Self.registry.get())

    let expected = try ScenarioFolder.text(
      "failing/" + scenario.name.replacing(".yaml", with: ".err"))
    #expect(
      (run.failures + "\n").replacing(ScenarioFolder.path + "/", with: "") == expected)
  }

  @Test(arguments: try Scenarios.all(in: folder + "/rejected", excluding: ["parts"]))
  func `a scenario that must not load says what the command line says`(_ scenario: ScenarioFile)
    async throws
  {
    let problems = await scenario.problemsOfReplay(try Self.registry.get())

    let expected = try ScenarioFolder.text(
      "rejected/" + scenario.name.replacing(".yaml", with: ".err"))
    let isError = expected.contains(": error: ")
    let text = problems.map { $0.text + "\n" }.joined()
    #expect(!isError || text.replacing(ScenarioFolder.path + "/", with: "") == expected)
    // What is only odd is nothing a test fails for, but it has no transcript.
    #expect(isError || problems.map(\.code) == ["F3101"])
  }
}
