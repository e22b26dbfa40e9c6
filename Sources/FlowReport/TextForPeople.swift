extension Duration {
  /// The duration for people, three digits or so: `0.12 ms`, `35 ms`, `1.2 s`, `3 min 20 s`.
  package var reportText: String {
    let (seconds, attoseconds) = components
    // Wide, so that no duration is too long.
    let microseconds = max(0, Int128(seconds) * 1_000_000 + Int128(attoseconds / 1_000_000_000_000))
    switch microseconds {
    case ..<1_000: return "\(Self.twoDigits(microseconds / 10)) ms"
    case ..<10_000: return "\(microseconds / 1_000).\(microseconds / 100 % 10) ms"
    case ..<1_000_000: return "\(microseconds / 1_000) ms"
    case ..<60_000_000: return "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
    default: return Self.long(seconds: microseconds / 1_000_000)
    }
  }

  /// Two units for what takes longer than a minute: `3 min 20 s`, `5 h 0 min`, `38 d 10 h`.
  private static func long(seconds: Int128) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3_600)
    if minutes < 60 { return "\(minutes) min \(seconds % 60) s" }
    return hours < 24 ? "\(hours) h \(minutes % 60) min" : "\(hours / 24) d \(hours % 24) h"
  }

  private static func twoDigits(_ hundredths: Int128) -> String {
    "0.\(hundredths / 10)\(hundredths % 10)"
  }
}

extension String {
  /// The text, cut to `limit` unicode scalars with an ellipsis.
  func shortened(to limit: Int) -> String {
    // By scalars: one character can be as long as a book.
    let scalars = unicodeScalars
    if scalars.prefix(limit + 1).count <= limit { return self }
    return String(scalars.prefix(limit - 1)) + "…"
  }
}
