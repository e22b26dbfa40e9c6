public import FlowCore

/// Rows of a file or a server, handed out in pages.
public struct Catalog: Component {
  /// The name in `plugin:`.
  public static let pluginName = "catalog"

  /// The plugin `catalog`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Reads the rows of a file or a server, page by page.", state: .none,
    reaches: [.files],
    settings: Parameter<String?>(
      "file", "The YAML or JSON file with the list of items. Absent if a server has them."),
    uses: [get],
    operations: [
      Operation(
        "page", "Returns a page of items.",
        Parameter<Int>("start", "The first row, from 0."),
        Parameter<Int>("length", "The maximum number of rows."),
        answers: Page.record, errors: [.illegal, .unavailable], retry: .safe
      ) { catalog, context, start, length in try await catalog.page(start, length, context) }
      .readOnly
    ]
  ) { context, file in
    guard role.isFilled(in: context) == (file == nil) else {
      throw ComponentError(.settings, "the rows need either a 'file' or a server")
    }
    guard let file else { return Catalog(items: nil) }
    return Catalog(items: try context.document(file).decode([Item].self))
  }.reaching { (file: String?) in file == nil ? [] : [.files] }
    .example

  private static let role = Role(
    "server", "Provides the rows: an 'http' component for the shop's server.", optional: true)
  private static let get = role.call(
    "get", Parameter<String>("path", "The page."), answers: Reply.record,
    errors: [
      "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
    ].map { ErrorCode($0, "") })

  /// The rows in file order, or nil for a server.
  private let items: [Item]?

  private func page(_ start: Int, _ length: Int, _ context: Context) async throws -> Page {
    if let items { return try Page(of: items, start: start, length: length) }
    try Page.check(start, length)
    let reply = try await Self.reply("rows?start=\(start)&length=\(length)", context)
    guard reply.status == 200 else {
      throw ComponentError(.unavailable, "the server returned \(reply.status)")
    }
    return try reply.page()
  }

  /// Asks the server.
  ///
  /// Declared errors of the `http` component mean that it does not answer.
  private static func reply(_ path: String, _ context: Context) async throws -> Reply {
    do { return try await get(path, in: context) } catch let error as ComponentError
      where error.code != .unexpected
    {
      throw ComponentError(.unavailable, "\(error)")
    }
  }
}

extension ErrorCode {
  static let illegal = ErrorCode("illegal", "The start or the length is negative.")
  static let unavailable = ErrorCode("unavailable", "The server does not return a page.")
}

/// A response of the server.
private struct Reply: Sendable {
  var status: Int
  var json: Value

  static let record = Record(
    Reply.init(status:json:), Field("status", \.status, "The status code."),
    Field("json", \.json, "The page."))

  func page() throws(ComponentError) -> Page {
    do { return try Page.record.decode(json) } catch {
      throw ComponentError(.unavailable, "the server's response is not a page: \(error)")
    }
  }
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
    Field("city", \.city, "The city at or near the place."),
    Field("state", \.state, "The state, such as Washington."),
    Field("image", \.image, "The path of the picture."))
}

/// The answer of `page`.
struct Page: Sendable, Hashable {
  var items: [Item]
  var total: Int
  var end: Bool

  static let record = Record(
    Page.init(items:total:end:),
    Field("items", \.items, "The rows, in file order. Empty if there are none."),
    Field("total", \.total, "The number of rows in the catalog."),
    Field("end", \.end, "True for the last page."))
}

extension Page {
  static func check(_ start: Int, _ length: Int) throws(ComponentError) {
    guard start >= 0 else { throw ComponentError(.illegal, "start \(start) is negative") }
    guard length >= 0 else { throw ComponentError(.illegal, "length \(length) is negative") }
  }

  /// The existing rows of a page, none from a start beyond the end.
  init(of items: [Item], start: Int, length: Int) throws(ComponentError) {
    try Self.check(start, length)
    // Neither step adds two numbers of the caller, because their sum may not fit.
    let rest = items.dropFirst(start)
    let rows = rest.prefix(length)
    self.init(items: Array(rows), total: items.count, end: rows.count == rest.count)
  }
}
