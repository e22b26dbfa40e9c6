internal import FlowSystem

/// The dates, times and durations of RFC 3339.
enum DateFormat {
  static func isDateTime(_ text: String) -> Bool {
    var reader = FormatReader(text)
    guard takeDate(&reader), reader.take("T") || reader.take("t") else { return false }
    return takeTime(&reader) && reader.isAtEnd
  }

  static func isDate(_ text: String) -> Bool {
    var reader = FormatReader(text)
    return takeDate(&reader) && reader.isAtEnd
  }

  static func isTime(_ text: String) -> Bool {
    var reader = FormatReader(text)
    return takeTime(&reader) && reader.isAtEnd
  }

  private static func takeDate(_ reader: inout FormatReader) -> Bool {
    guard let year = reader.number(digits: 4), reader.take("-"),
      let month = reader.number(digits: 2), reader.take("-"),
      let day = reader.number(digits: 2)
    else { return false }
    guard 1...12 ~= month else { return false }
    let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1...days[month - 1] ~= day
  }

  private static func takeTime(_ reader: inout FormatReader) -> Bool {
    guard let hour = reader.number(digits: 2), reader.take(":"),
      let minute = reader.number(digits: 2), reader.take(":"),
      let second = reader.number(digits: 2),
      hour < 24, minute < 60, second <= 60,
      !reader.take(".") || reader.digits(atLeast: 1) != nil,
      let offset = takeOffset(&reader)
    else { return false }
    // A leap second is the last one of a day in UTC.
    let minutes = (hour * 60 + minute - offset + 2 * 1_440) % 1_440
    return second < 60 || minutes == 1_439
  }

  /// Reads the offset from UTC in minutes.
  private static func takeOffset(_ reader: inout FormatReader) -> Int? {
    if reader.take("Z") || reader.take("z") { return 0 }
    let isWest = reader.take("-")
    guard isWest || reader.take("+"), let hours = reader.number(digits: 2), reader.take(":"),
      let minutes = reader.number(digits: 2), hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  /// RFC 3339, appendix A: `P1Y2M3DT4H5M6S`, without gaps between the units, or `P4W`.
  static func isDuration(_ text: String) -> Bool {
    var reader = FormatReader(text)
    guard reader.take("P") else { return false }
    guard let dates = takeUnits("YMD", "W", &reader) else { return false }
    if reader.isAtEnd { return dates > 0 }
    guard !text.utf8.contains(UInt8(ascii: "W")), reader.take("T"),
      let times = takeUnits("HMS", "", &reader)
    else { return false }
    return times > 0 && reader.isAtEnd
  }

  /// Reads numbers with units in this order, or one with the unit that stands alone.
  private static func takeUnits(
    _ units: String, _ single: String, _ reader: inout FormatReader
  ) -> Int? {
    var (rest, count) = (Substring(units), 0)
    while reader.next?.isDigit == true {
      guard reader.digits(atLeast: 1) != nil, let unit = reader.next else { return nil }
      let sign = Unicode.Scalar(unit)
      if count == 0, single.unicodeScalars.contains(sign), reader.take(sign) { return 1 }
      guard let place = rest.unicodeScalars.firstIndex(of: sign), reader.take(sign),
        count == 0 || place == rest.startIndex
      else { return nil }
      rest = rest[place...].dropFirst()
      count += 1
    }
    return count
  }
}

/// Reads the fixed parts of a format from bytes.
struct FormatReader {
  private var bytes: ArraySlice<UInt8>

  init(_ text: some StringProtocol) { bytes = Array(text.utf8)[...] }

  var isAtEnd: Bool { bytes.isEmpty }
  var next: UInt8? { bytes.first }
  var rest: String { String(decoding: bytes, as: UTF8.self) }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard bytes.first == UInt8(ascii: scalar) else { return false }
    bytes.removeFirst()
    return true
  }

  /// Reads a number of exactly this many digits.
  mutating func number(digits count: Int) -> Int? {
    guard bytes.count >= count, bytes.prefix(count).allSatisfy(\.isDigit) else { return nil }
    let number = Int(String(decoding: bytes.prefix(count), as: UTF8.self))
    bytes.removeFirst(count)
    return number
  }

  /// Reads all digits here, or returns nil for too few.
  mutating func digits(atLeast count: Int) -> String? {
    let digits = bytes.prefix(while: \.isDigit)
    guard digits.count >= count else { return nil }
    bytes.removeFirst(digits.count)
    return String(decoding: digits, as: UTF8.self)
  }
}
