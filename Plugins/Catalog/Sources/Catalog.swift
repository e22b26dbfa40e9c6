public import FlowCore

/// Rows of a file, handed out in pages.
public struct Catalog: Component {
  /// The plugin `catalog`.
  public static let plugin = Plugin(
    "catalog", version: "1.0", "Rows of a YAML or JSON file, handed out in pages.", state: .none,
    reaches: [.files],
    settings: Parameter<String>("file", "The YAML or JSON file with the list of items."),
    operations: [
      Operation(
        "page", "Answers the items from a row on.",
        Parameter<Int>("start", "The first row, from 0."),
        Parameter<Int>("length", "How many rows at most."),
        answers: Page.record, errors: [.illegal], retry: .safe
      ) { catalog, _, start, length in try Page(of: catalog.items, start: start, length: length) }
    ]
  ) { context, file in Catalog(items: try context.document(file).decode([Item].self)) }

  /// In file order.
  let items: [Item]
}

extension ErrorCode {
  static let illegal = ErrorCode("illegal", "The start or the length is negative.")
}

/// One row of the catalog.
struct Item: RecordRepresentable, Hashable {
  var title: String
  var city: String
  var state: String
  var image: String

  static let record = Record(
    Item.init(title:city:state:image:),
    Field("title", \.title, "The name of the place."),
    Field("city", \.city, "The city that it is in or near."),
    Field("state", \.state, "The state that the city is in."),
    Field("image", \.image, "The path of its picture."))
}

/// What `page` answers.
struct Page: Sendable, Hashable {
  var items: [Item]
  var total: Int
  var end: Bool

  static let record = Record(
    Page.init(items:total:end:),
    Field("items", \.items, "The rows that exist, in file order; may be empty."),
    Field("total", \.total, "How many rows the catalog has."),
    Field("end", \.end, "Whether no row follows this page."))
}

extension Page {
  /// The rows that exist; empty from a start beyond the end.
  init(of items: [Item], start: Int, length: Int) throws(ComponentError) {
    guard start >= 0 else { throw ComponentError(.illegal, "start \(start) is negative") }
    guard length >= 0 else { throw ComponentError(.illegal, "length \(length) is negative") }
    // Neither step adds two numbers of the caller's, whose sum may not fit.
    let rest = items.dropFirst(start)
    let rows = rest.prefix(length)
    self.init(items: Array(rows), total: items.count, end: rows.count == rest.count)
  }
}
