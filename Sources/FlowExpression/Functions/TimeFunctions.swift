internal import FlowCore
internal import FlowSystem

/// The parts of instants and spans ("Date/Time Functions").
enum TimeFunctions {
  static let all: [Function] = Part.allCases.flatMap { part in
    let spans = part.isOfDurations ? [Signature([.duration], .int)] : []
    return [
      Function(
        part.rawValue, isMember: true, [Signature([.timestamp], .int)] + spans,
        .unary { (value, _) throws(EvaluationError) in
          if case .duration(let span) = value { return .int(try part.value(of: span)) }
          return .int(try part.value(of: value, in: .fixed(0)))
        }),
      Function(
        part.rawValue, isMember: true, [Signature([.timestamp, .string], .int)],
        .prepared(
          { (value, zone, frame) throws(EvaluationError) in
            // Reading a file takes as long as some hundred steps.
            try frame.charge(500)
            return .int(try part.value(of: value, in: try timeZone(zone)))
          },
          { (zone) throws(EvaluationError) in
            let zone = try timeZone(zone)
            return { (value, _) throws(EvaluationError) in .int(try part.value(of: value, in: zone))
            }
          })),
    ]
  }

  private static func timeZone(_ name: Value) throws(EvaluationError) -> TimeZone {
    guard case .string(let name) = name else { throw .noOverload }
    guard let zone = TimeZone(name) else { throw .zone(name) }
    return zone
  }

  private enum Part: String, CaseIterable, Sendable {
    case getFullYear, getMonth, getDate, getDayOfMonth, getDayOfWeek, getDayOfYear
    case getHours, getMinutes, getSeconds, getMilliseconds

    var isOfDurations: Bool {
      switch self {
      case .getHours, .getMinutes, .getSeconds, .getMilliseconds: true
      default: false
      }
    }

    func value(of value: Value, in zone: TimeZone) throws(EvaluationError) -> Int {
      guard case .timestamp(let instant) = value else { throw .noOverload }
      let local = zone.local(instant)
      guard let local else { throw .overflow("timestamp") }
      let fields = local.calendarFields
      switch self {
      case .getFullYear: return fields.year
      case .getMonth: return fields.month - 1
      case .getDate: return fields.day
      case .getDayOfMonth: return fields.day - 1
      // Counted from Sunday, 31 December of the year 0, so that no instant comes before.
      case .getDayOfWeek: return (local.seconds + 719_163 * 86_400) / 86_400 % 7
      case .getDayOfYear: return Self.dayOfYear(local, fields.year)
      case .getHours: return fields.hour
      case .getMinutes: return fields.minute
      case .getSeconds: return fields.second
      case .getMilliseconds: return local.nanoseconds / 1_000_000
      }
    }

    /// The whole duration in a unit.
    ///
    /// Milliseconds are those beyond whole seconds.
    func value(of span: Duration) throws(EvaluationError) -> Int {
      let (seconds, attoseconds) = span.components
      switch self {
      case .getHours: return Int(seconds) / 3_600
      case .getMinutes: return Int(seconds) / 60
      case .getSeconds: return Int(seconds)
      case .getMilliseconds: return Int(attoseconds / 1_000_000_000_000_000)
      default: throw .noOverload
      }
    }

    private static func dayOfYear(_ local: Timestamp, _ year: Int) -> Int {
      var first = Timestamp.epoch.calendarFields
      first.year = year
      return Timestamp(first).map { (local.seconds - $0.seconds) / 86_400 } ?? 0
    }
  }
}

/// A time zone by its name, after the definition's "Timezones".
enum TimeZone: Sendable {
  /// Seconds east of UTC, always.
  case fixed(Int)
  /// By the rules of a zone of the IANA database.
  case ruled(ZoneRules)

  /// Reads `UTC`, `+02:00` or a name of the IANA database.
  ///
  /// Nil for an unknown zone.
  init?(_ name: String) {
    if name.isEmpty || name == "UTC" {
      self = .fixed(0)
    } else if let offset = Self.offset(name) {
      self = .fixed(offset)
    } else if Self.isZoneName(name), let bytes = Self.file(of: name), let rules = ZoneRules(bytes) {
      self = .ruled(rules)
    } else {
      return nil
    }
  }

  private static func file(of name: String) -> [UInt8]? {
    // A name without a file, or with one that is not readable, is not a zone to the expression.
    try? FileSystem.contents(of: "/usr/share/zoneinfo/" + name, limit: 1_000_000)
  }

  /// The instant whose UTC fields are the local fields of another, or nil beyond the years 1 to
  /// 9999.
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

  /// `FixedTZ`: an optional sign, and two digits each of hours and minutes.
  private static func offset(_ name: String) -> Int? {
    var text = Substring(name)
    let isWest = text.first == "-"
    if isWest || text.first == "+" { text.removeFirst() }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // Digits are counted, since the numbers' initialisers take signs of their own.
    guard parts.count == 2,
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isDigit) }),
      let hours = UInt8(parts[0]), let minutes = UInt8(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return (Int(hours) * 3_600 + Int(minutes) * 60) * (isWest ? -1 : 1)
  }

  /// True if a name stays inside the database's folder: no empty part, no part of points.
  private static func isZoneName(_ name: String) -> Bool {
    guard name.utf8.count <= 64 else { return false }
    return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy {
          $0.isWordCharacter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
        }
    }
  }
}
