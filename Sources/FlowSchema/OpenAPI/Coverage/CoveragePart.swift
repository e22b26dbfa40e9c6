/// A part of an operation that tests can cover.
public struct CoveragePart: Sendable, Hashable {
  /// The kinds of parts.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The operation itself.
    case operation
    /// A declared status, class of statuses, or all others.
    case status
    /// A parameter.
    case parameter
    /// The body of requests.
    case body
    /// A property of a JSON body or of a form.
    case property
  }

  /// The kind.
  public let kind: Kind
  /// The stable name: `GET /orders/{id} 404`, `POST /orders request /items/*/sku`.
  public let name: String
}
