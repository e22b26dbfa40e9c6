/// A revision of the Model Context Protocol.
enum Revision: String, CaseIterable, Sendable {
  // The newest first.
  case july2026 = "2026-07-28"
  case november2025 = "2025-11-25"
  case june2025 = "2025-06-18"
  case march2025 = "2025-03-26"
  case november2024 = "2024-11-05"

  /// True if each request says everything, and there is no handshake.
  var isStateless: Bool { self == .july2026 }

  /// The newest revision with a handshake.
  static let newestWithHandshake = Revision.november2025

  /// All revisions in words.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
