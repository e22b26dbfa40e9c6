public import FlowCore

/// The date, with the calendar and formats that expressions lack.
public struct Times: Component {
  /// The name in `plugin:`.
  public static let pluginName = "time"

  /// The plugin `time`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Returns the time, and reads, writes and shifts dates.",
    state: .none,
    operations: [
      Operation("now", "Returns the current time of the run.", answers: present, retry: .safe) {
        _, context in
        context.date
      },
      Operation(
        "format", "Formats a time as text, in UTC.", Parameter<Timestamp>("time", "The time."),
        format, answers: Record<String>("text", "The formatted time."), errors: [.invalid],
        retry: .safe
      ) { _, _, time, format in
        format == HTTPDate.name ? HTTPDate.text(of: time) : try TimeFormat(format).text(of: time)
      },
      Operation(
        "parse", "Parses a time from text, in UTC.",
        Parameter<String>("text", "The formatted time."),
        format, answers: time, errors: [.invalid, .malformed], retry: .safe
      ) { _, context, text, format in
        guard format == HTTPDate.name else { return try TimeFormat(format).time(in: text) }
        guard let time = HTTPDate.time(in: text, now: context.date) else {
          throw TimeFormat.malformed(text)
        }
        return time
      },
      Operation(
        "add", "Adds years, months, days and a duration to a time. Negative values subtract.",
        Parameter<Timestamp>("time", "The time."),
        Parameter<Int>("years", "The number of years.", default: 0),
        Parameter<Int>(
          "months", "The number of months. A day after the end of a month becomes its last day.",
          default: 0),
        Parameter<Int>("days", "The number of days.", default: 0),
        Parameter<Duration>("duration", "The duration, added last.", default: .zero),
        answers: Self.time, errors: [.range], retry: .safe
      ) { _, _, time, years, months, days, duration in
        let moved = time.moved(years: years, months: months, days: days, duration)
        guard let moved else {
          throw ComponentError(.range, "the time would be outside of the years 1 to 9999")
        }
        return moved
      },
    ]
  ) { _ in Times() }

  static let time = Record<Timestamp>("time", "The time.")
  static let present = Record<Timestamp>("time", "The time.", volatile: true)
  static let format = Parameter<String>(
    "format",
    "The format: %Y %m %d %H %M %S, %L for milliseconds, %% for a percent sign; or 'http' for a date of HTTP."
  )
}

extension Timestamp {
  /// The instant some years, months and days later in the UTC calendar, plus a duration.
  ///
  /// Nil outside the years 1 to 9999.
  func moved(years: Int, months: Int, days: Int, _ duration: Duration) -> Timestamp? {
    var fields = calendarFields
    let month = Int128(years) * 12 + Int128(months) + Int128(fields.year * 12 + fields.month - 1)
    // The calendar repeats every 400 years, so a year without a `Timestamp` is counted from a year
    // with one. Only the sum has to be in range.
    let cycle: Int128 = 400 * 12
    let monthOfCycle = (month % cycle + cycle) % cycle
    fields.year = 400 + Int(monthOfCycle / 12)
    fields.month = Int(monthOfCycle % 12) + 1
    // The 31st of a shorter month is its last day.
    var start = Timestamp(fields)
    while start == nil, fields.day > 28 {
      fields.day -= 1
      start = Timestamp(fields)
    }
    guard let start else { return nil }
    let cycles = (month - monthOfCycle) / cycle - 1
    let sum = Int128(start.seconds) + (cycles * 146_097 + Int128(days)) * 86_400
    return Timestamp(second: sum, nanoseconds: nanoseconds, later: duration)
  }

  /// The instant a duration after a second since the epoch, or nil outside the years 1 to 9999.
  private init?(second: Int128, nanoseconds: Int, later duration: Duration) {
    let (seconds, attoseconds) = duration.components
    guard let sum = Int(exactly: second + Int128(seconds)) else { return nil }
    self.init(seconds: sum, nanoseconds: nanoseconds + Int(attoseconds / 1_000_000_000))
  }
}

/// A format of times: texts, and parts with a fixed number of digits.
struct TimeFormat: Sendable {
  private enum Part: Sendable {
    case text(Unicode.Scalar)
    case number(Unicode.Scalar)
  }

  private let parts: [Part]

  /// Reads a format.
  ///
  /// - Throws: `.invalid` for an unknown part.
  init(_ format: String) throws(ComponentError) {
    var parts: [Part] = []
    var rest = Substring(format).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        parts.append(.text(scalar))
        continue
      }
      let letter = rest.popFirst()
      guard let letter, letter == "%" || Self.digits(of: letter) != nil else {
        throw ComponentError(
          .invalid, "the format has an unknown part '%\(letter.map { "\($0)" } ?? "")'")
      }
      parts.append(letter == "%" ? .text(letter) : .number(letter))
    }
    self.parts = parts
  }

  private static func digits(of letter: Unicode.Scalar) -> Int? {
    switch letter {
    case "Y": 4
    case "L": 3
    case "m", "d", "H", "M", "S": 2
    default: nil
    }
  }

  /// The time as a text.
  func text(of time: Timestamp) -> String {
    let fields = time.calendarFields
    var text = ""
    for part in parts {
      switch part {
      case .text(let scalar): text.unicodeScalars.append(scalar)
      case .number(let letter):
        let number = String(Self.number(letter, fields, time.nanoseconds))
        let width = Self.digits(of: letter) ?? 0
        text += String(repeating: "0", count: max(0, width - number.count)) + number
      }
    }
    return text
  }

  private static func number(
    _ letter: Unicode.Scalar, _ fields: Timestamp.CalendarFields, _ nanoseconds: Int
  ) -> Int {
    switch letter {
    case "Y": fields.year
    case "m": fields.month
    case "d": fields.day
    case "H": fields.hour
    case "M": fields.minute
    case "S": fields.second
    default: nanoseconds / 1_000_000
    }
  }

  /// The time in a text of this format.
  ///
  /// Missing parts are those of 1970-01-01T00:00:00Z.
  ///
  /// - Throws: `.malformed`.
  func time(in text: String) throws(ComponentError) -> Timestamp {
    var fields = Timestamp.epoch.calendarFields
    var milliseconds = 0
    var rest = Substring(text).unicodeScalars
    for part in parts {
      switch part {
      case .text(let scalar): guard rest.popFirst() == scalar else { throw Self.malformed(text) }
      case .number(let letter):
        let digits = rest.prefix(Self.digits(of: letter) ?? 0)
        rest = rest.dropFirst(digits.count)
        guard digits.count == Self.digits(of: letter), digits.allSatisfy({ "0"..."9" ~= $0 }),
          let number = Int(String(digits))
        else { throw Self.malformed(text) }
        Self.set(letter, to: number, in: &fields, &milliseconds)
      }
    }
    guard rest.isEmpty, let time = Timestamp(fields) else { throw Self.malformed(text) }
    return Timestamp(seconds: time.seconds, nanoseconds: milliseconds * 1_000_000) ?? time
  }

  private static func set(
    _ letter: Unicode.Scalar, to number: Int, in fields: inout Timestamp.CalendarFields,
    _ milliseconds: inout Int
  ) {
    switch letter {
    case "Y": fields.year = number
    case "m": fields.month = number
    case "d": fields.day = number
    case "H": fields.hour = number
    case "M": fields.minute = number
    case "S": fields.second = number
    default: milliseconds = number
    }
  }

  static func malformed(_ text: String) -> ComponentError {
    ComponentError(.malformed, "'\(text)' is not a time of this format")
  }
}

extension ErrorCode {
  static let invalid = ErrorCode("invalid", "The format has an unknown part.")
  static let malformed = ErrorCode("malformed", "The text does not match the format.")
  static let range = ErrorCode("range", "The result is outside the years 1 to 9999.")
}
