import AlbumPlugin
import BalancePlugin
import CatalogPlugin
import FlowCore
import ImagesPlugin

/// Every component that scenarios can use: add yours here.
let components: [any Component.Type] = [
  Album.self,
  Balance.self,
  Catalog.self,
  Images.self,
]
