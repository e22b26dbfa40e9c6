import AlbumPlugin
import BalancePlugin
import BrowserPlugin
import CatalogPlugin
import FilePlugin
import FlowCore
import HTTPPlugin
import ImagesPlugin
import ProcessPlugin
import RandomPlugin
import SQLPlugin
import ScreensPlugin
import TimePlugin
import UpstreamPlugin

/// Every component that scenarios can use: add yours here.
let components: [any Component.Type] = [
  Album.self,
  Balance.self,
  Browser.self,
  Catalog.self,
  Files.self,
  HTTP.self,
  Images.self,
  Processes.self,
  RandomValues.self,
  SQL.self,
  Screens.self,
  Times.self,
  Upstream.self,
]
