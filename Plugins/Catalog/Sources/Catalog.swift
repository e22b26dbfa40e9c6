public import FlowCore

/// Rows of a file, handed out in pages.
public struct Catalog: Component {
  /// The plugin `catalog`.
  public static let plugin = Plugin(
    "catalog", version: "1.0", summary: "Rows of a YAML or JSON file, handed out in pages.",
    state: .none)

  /// What `with:` of the component holds.
  public static let settings = Record(
    Settings.init(file:),
    Field("file", \.file, "The YAML or JSON file with the list of items."))

  /// What scenarios can ask of it.
  public static let operations: [Operation<Catalog>] = [
    Operation(
      "page", "Answers the items from a row on.", input: PageRequest.record, output: Page.record,
      errors: [.illegal], retry: .safe
    ) { catalog, input, _ in
      do { return try catalog.model.page(input) } catch {
        throw ComponentError(.illegal, "\(error)")
      }
    }
  ]

  private let model: CatalogModel

  /// Reads all items.
  ///
  /// - Throws: `FileError`, or `DocumentError` with the position of the first wrong value.
  public init(configuration: Settings, context: Context) async throws {
    model = CatalogModel(items: try context.document(configuration.file).decode([Item].self))
  }
}

extension ErrorCode {
  static let illegal = ErrorCode("illegal", "The start or the length is negative.")
}
