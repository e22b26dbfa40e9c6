import BalancePlugin
import CatalogPlugin
import FlowCore
import HTTPPlugin
import ImagesPlugin

/// Every component that scenarios can use: add yours here.
let components: [any Component.Type] = [
  Balance.self,
  Catalog.self,
  HTTP.self,
  Images.self,
]
