import BalancePlugin
import CatalogPlugin
import FlowCore
import ImagesPlugin

/// Every component that scenarios can use: add yours here.
func components() throws(RegistryError) -> Registry {
  try Registry([
    Balance.self,
    Catalog.self,
    Images.self,
  ])
}
