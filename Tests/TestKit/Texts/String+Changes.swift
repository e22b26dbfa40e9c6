private import Foundation
package import Testing

extension String {
  /// The text with another in the place of an existing part.
  ///
  /// A missing part fails the test, which would prove nothing without the change.
  package func replacing(
    existing old: String, with new: String, maxReplacements: Int = .max,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    if !contains(old) {
      Issue.record(
        "nothing to replace: '\(old)' is not in the text", sourceLocation: sourceLocation)
    }
    return replacing(old, with: new, maxReplacements: maxReplacements)
  }

  /// The text with `T` in the place of every duration, as reports write them: `0.12 ms`, `2 min 3 s`.
  package var withoutDurations: String {
    replacing(/\d+ (?:d \d+ h|h \d+ min|min \d+ s)\b|\d+(?:\.\d+)? (?:ms|s)\b/, with: "T")
  }
}
