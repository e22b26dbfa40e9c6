private import Foundation

extension String {
  /// A transcript without the digest at its end, so that a test may change it.
  package var unsealed: String {
    replacingOccurrences(
      of: #","seal":"sha256:[0-9a-f]{64}""#, with: "", options: .regularExpression)
  }
}
