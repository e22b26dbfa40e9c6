import FlowCore

/// The items of a catalog, in file order.
struct CatalogModel: Sendable {
  let items: [Item]

  /// The rows that exist; none from a start beyond the end.
  func page(start: Int, length: Int) throws(CatalogError) -> Page {
    guard start >= 0 else { throw .negative("start", start) }
    guard length >= 0 else { throw .negative("length", length) }
    // Neither step adds two numbers of the caller's, whose sum may not fit.
    let rest = items.dropFirst(start)
    let rows = rest.prefix(length)
    return Page(items: Array(rows), total: items.count, end: rows.count == rest.count)
  }
}

/// Why there is no such page.
enum CatalogError: CodedError, Hashable, CustomStringConvertible {
  /// A number of the caller, by its field's name, is below zero.
  case negative(String, Int)

  /// `start -1 is negative`.
  var description: String {
    switch self {
    case .negative(let field, let number): "\(field) \(number) is negative"
    }
  }

  var code: ErrorCode { .illegal }
}

extension ErrorCode {
  static let illegal = ErrorCode("illegal", "The start or the length is negative.")
}
