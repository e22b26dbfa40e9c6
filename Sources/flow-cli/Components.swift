import AlbumPlugin
import BalancePlugin
import BrowserPlugin
import CatalogPlugin
import DatabaseProxyPlugin
import FilePlugin
import FlowCore
import GRPCPlugin
import HTTPPlugin
import ImagesPlugin
import MCPPlugin
import ProcessPlugin
import RandomPlugin
import SQLPlugin
import ScreensPlugin
import TimePlugin
import UpstreamPlugin
import WebSocketPlugin

/// Every component that scenarios can use: add yours here.
let components: [any Component.Type] = [
  Album.self,
  Balance.self,
  Browser.self,
  Callbacks.self,
  Catalog.self,
  DatabaseProxy.self,
  Files.self,
  HTTP.self,
  Images.self,
  MCPStandIn.self,
  Processes.self,
  RandomValues.self,
  SQL.self,
  Screens.self,
  Times.self,
  Upstream.self,
  WebSocket.self,
]

/// Every kind of plugin that a project can declare in its flow.yaml.
let families: [any PluginFamily.Type] = [
  GRPC.self,
  MCP.self,
]
