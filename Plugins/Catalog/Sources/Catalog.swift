public import FlowCore

/// Rows of a file, handed out in pages.
public struct Catalog: Component {
  /// The plugin `catalog`.
  public static let plugin = Plugin(
    "catalog", version: "1.0", "Rows of a YAML or JSON file, handed out in pages.", state: .none,
    settings: Parameter<String>("file", "The YAML or JSON file with the list of items."),
    operations: [
      Operation(
        "page", "Answers the items from a row on.",
        Parameter<Int>("start", "The first row, from 0."),
        Parameter<Int>("length", "How many rows at most."),
        answers: Page.record, errors: [.illegal], retry: .safe
      ) { catalog, _, start, length in try catalog.model.page(start: start, length: length) }
    ]
  ) { context, file in
    Catalog(model: CatalogModel(items: try context.document(file).decode([Item].self)))
  }

  let model: CatalogModel
}
