internal import FlowCore

/// A time zone by its name, after the definition's "Timezones".
enum TimeZone: Sendable {
  /// Seconds east of UTC, always.
  case fixed(Int)
  /// By the rules of a zone of the IANA database.
  case ruled(ZoneRules)

  /// Reads `UTC`, `+02:00` or a name of the IANA database; nil when there is no such zone.
  init?(_ name: String) {
    if name.isEmpty || name == "UTC" {
      self = .fixed(0)
    } else if let offset = Self.offset(name) {
      self = .fixed(offset)
    } else if Self.isZoneName(name), let bytes = FileBytes.read("/usr/share/zoneinfo/" + name),
      let rules = ZoneRules(bytes)
    {
      self = .ruled(rules)
    } else {
      return nil
    }
  }

  /// The instant whose UTC fields are the local fields of another; nil beyond the years 1 to 9999.
  func local(_ instant: Timestamp) -> Timestamp? {
    switch self {
    case .fixed(0): instant
    case .fixed(let offset):
      Timestamp(seconds: instant.seconds + offset, nanoseconds: instant.nanoseconds)
    case .ruled(let rules):
      Timestamp(
        seconds: instant.seconds + rules.offset(at: instant.seconds),
        nanoseconds: instant.nanoseconds)
    }
  }

  /// `FixedTZ`: a sign, which may be left out, and two digits each of hours and minutes.
  private static func offset(_ name: String) -> Int? {
    var text = Substring(name)
    let isWest = text.first == "-"
    if isWest || text.first == "+" { text.removeFirst() }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // Digits are counted, since the numbers' initialisers take signs of their own.
    guard parts.count == 2,
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(Lexer.isDigit) }),
      let hours = UInt8(parts[0]), let minutes = UInt8(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return (Int(hours) * 3_600 + Int(minutes) * 60) * (isWest ? -1 : 1)
  }

  /// Whether a name stays inside the database's folder: no empty part, no part of points.
  private static func isZoneName(_ name: String) -> Bool {
    guard name.utf8.count <= 64 else { return false }
    return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy {
          Lexer.isLetter($0) || Lexer.isDigit($0) || $0 == UInt8(ascii: "-")
            || $0 == UInt8(ascii: "+")
        }
    }
  }
}
