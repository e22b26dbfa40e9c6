import AlbumPlugin
import BalancePlugin
import BrowserPlugin
import CatalogPlugin
import DatabaseProxyPlugin
import FilePlugin
import FlowCommand
import FlowCore
import HTTPPlugin
import ImagesPlugin
import ProcessPlugin
import RandomPlugin
import SQLPlugin
import ScreensPlugin
import TestKit
import TimePlugin
import UpstreamPlugin
import WebSocketPlugin

/// One command of `flow` over the components that it is shipped with.
struct FlowRun {
  let output: String
  let errors: String
  let code: ExitCode

  /// The components that `flow` is shipped with.
  static let shipped: [any Component.Type] = [
    Album.self, Balance.self, Browser.self, Catalog.self, DatabaseProxy.self, Files.self, HTTP.self,
    Images.self,
    Processes.self, RandomValues.self, SQL.self, Screens.self, MCPStandIn.self,
    Times.self, Upstream.self, WebSocket.self,
  ]

  init(_ arguments: String...) async throws {
    try await self.init(arguments)
  }

  /// Runs a command with the components of a test, too.
  init(_ arguments: [String], with others: [any Component.Type] = []) async throws {
    let run = try await FlowCommandRun(arguments, components: Self.shipped + others)
    code = run.code
    // The folder's place differs from machine to machine.
    output = run.output.replacing(ScenarioFolder.path + "/", with: "")
    errors = run.errors.replacing(ScenarioFolder.path + "/", with: "")
  }
}
