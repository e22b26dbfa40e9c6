private import Foundation

extension String {
  /// A transcript without the digest at its end, or a journal without checksums, so that a test may change it.
  package var unsealed: String {
    replacingOccurrences(
      of: #","(seal":"sha256:[0-9a-f]{64}|crc":"[0-9a-f]{8})""#, with: "",
      options: .regularExpression)
  }
}
