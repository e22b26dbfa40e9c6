/// The items of a catalog, in file order.
struct CatalogModel: Sendable {
  let items: [Item]

  /// The rows of a request that exist; none from a start beyond the end.
  func page(_ request: PageRequest) throws(CatalogError) -> Page {
    guard request.start >= 0 else { throw .negative("start", request.start) }
    guard request.length >= 0 else { throw .negative("length", request.length) }
    // Neither step adds two numbers of the caller's, whose sum may not fit.
    let rest = items.dropFirst(request.start)
    let rows = rest.prefix(request.length)
    return Page(items: Array(rows), total: items.count, end: rows.count == rest.count)
  }
}

/// Why there is no such page.
enum CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A number of the request, by its field's name, is below zero.
  case negative(String, Int)

  /// `start -1 is negative`.
  var description: String {
    switch self {
    case .negative(let field, let number): "\(field) \(number) is negative"
    }
  }
}
