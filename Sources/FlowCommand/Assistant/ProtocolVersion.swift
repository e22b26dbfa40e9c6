internal import FlowSystem

/// A version of the Model Context Protocol.
///
/// https://modelcontextprotocol.io/specification
enum ProtocolVersion: String, CaseIterable {
  /// Without sessions: every request declares its version and capabilities.
  case stateless = "2026-07-28"
  case november2025 = "2025-11-25"
  case june2025 = "2025-06-18"
  case march2025 = "2025-03-26"
  case november2024 = "2024-11-05"

  /// The newest version that starts with `initialize`.
  static let newestSession = november2025

  static let all = JSON.array(allCases.map { .string($0.rawValue) })

  /// True if a client may send several messages in an array.
  var hasBatches: Bool { self == .march2025 }

  /// Returns a result in the form of the version.
  ///
  /// The list of tools never changes, so `isFixed` results may be kept by anyone for an hour.
  func result(_ members: [JSON.Member], isFixed: Bool = false) -> JSON {
    guard self == .stateless else { return .object(members) }
    let caching: [JSON.Member] = [
      .init("ttlMs", .number("3600000")), .init("cacheScope", .string("public")),
    ]
    return .object(
      [.init("resultType", .string("complete"))] + members + (isFixed ? caching : []))
  }
}
