import AlbumPlugin
import BalancePlugin
import BrowserPlugin
import CatalogPlugin
import FilePlugin
import FlowCommand
import FlowCore
import HTTPPlugin
import ImagesPlugin
import ProcessPlugin
import RandomPlugin
import SQLPlugin
import ScreensPlugin
import TestSupport
import TimePlugin

/// One command of `flow` over the components it is shipped with.
struct FlowRun {
  let output: String
  let errors: String
  let code: ExitCode

  init(_ arguments: String...) async throws {
    try await self.init(arguments)
  }

  /// The same with the components of a test besides.
  init(_ arguments: [String], with others: [any Component.Type] = []) async throws {
    let (output, errors) = (OutputText(), OutputText())
    let process = ProcessEnvironment(
      output: { output.append($0) }, errorOutput: { errors.append($0) })
    let shipped: [any Component.Type] = [
      Album.self, Balance.self, Browser.self, Catalog.self, Files.self, HTTP.self, Images.self,
      Processes.self, RandomValues.self, SQL.self, Screens.self, Times.self,
    ]
    let registry = try Registry(shipped + others)
    code = await FlowCommand(registry: registry, process: process).run(arguments)
    // The folder's place differs from machine to machine.
    self.output = output.text.replacing(ScenarioFolder.path + "/", with: "")
    self.errors = errors.text.replacing(ScenarioFolder.path + "/", with: "")
  }
}
