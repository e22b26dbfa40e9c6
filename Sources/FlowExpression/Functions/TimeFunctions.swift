internal import FlowCore

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

    /// The whole span in a unit; milliseconds are those beyond whole seconds.
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
