internal import FlowCore
internal import FlowSystem

/// The rules of a time zone: a file of the IANA database in the format of RFC 8536, "TZif".
struct ZoneRules: Sendable {
  private let transitions: [Int]
  /// Seconds east of UTC from each transition on.
  private let offsets: [Int]
  private let firstOffset: Int
  private let footer: ZoneFooter?

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let first = Header(&reader) else { return nil }
    var header = first
    // From version 2 on, a second block with times of 64 bits follows the first.
    if first.version >= 2 {
      guard reader.skip(first.dataLength(timeSize: 4)), let second = Header(&reader) else {
        return nil
      }
      header = second
    }
    let timeSize = first.version >= 2 ? 8 : 4
    guard header.typeCount > 0,
      let transitions = reader.numbers(header.transitionCount, size: timeSize),
      let indices = reader.bytes(header.transitionCount),
      let types = reader.types(header.typeCount), indices.allSatisfy({ $0 < types.count })
    else { return nil }
    self.transitions = transitions
    offsets = indices.map { types[Int($0)] }
    firstOffset = types[0]
    guard reader.skip(header.restLength(timeSize: timeSize)) else { return nil }
    footer = first.version >= 2 ? ZoneFooter(reader.remaining) : nil
  }

  func offset(at seconds: Int) -> Int {
    guard let last = transitions.last, seconds >= transitions[0] else {
      return transitions.isEmpty ? footer?.offset(at: seconds) ?? firstOffset : firstOffset
    }
    if seconds >= last, let footer { return footer.offset(at: seconds) }
    var (low, high) = (0, transitions.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle } else { high = middle }
    }
    return offsets[low]
  }

  /// Section 3.1, "TZif Header".
  private struct Header {
    let version: Int
    let utcCount: Int
    let standardCount: Int
    let leapCount: Int
    let transitionCount: Int
    let typeCount: Int
    let characterCount: Int

    init?(_ reader: inout ByteReader) {
      guard reader.bytes(4) == Array("TZif".utf8), let version = reader.bytes(1)?.first,
        reader.skip(15), let counts = reader.numbers(6, size: 4), counts.allSatisfy({ $0 >= 0 })
      else { return nil }
      self.version = version == 0 ? 1 : Int(version) - Int(UInt8(ascii: "0"))
      (utcCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
      (transitionCount, typeCount, characterCount) = (counts[3], counts[4], counts[5])
    }

    func dataLength(timeSize: Int) -> Int {
      transitionCount * (timeSize + 1) + typeCount * 6 + restLength(timeSize: timeSize)
    }

    /// The length after the types: designations, leap seconds and indicators.
    func restLength(timeSize: Int) -> Int {
      characterCount + leapCount * (timeSize + 4) + standardCount + utcCount
    }
  }
}

private struct ByteReader {
  private let content: [UInt8]
  private var position = 0

  init(_ content: [UInt8]) { self.content = content }
  var remaining: ArraySlice<UInt8> { content[position...] }

  mutating func skip(_ count: Int) -> Bool {
    guard count <= content.count - position else { return false }
    position += count
    return true
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    let start = position
    return skip(count) ? Array(content[start..<position]) : nil
  }

  mutating func numbers(_ count: Int, size: Int) -> [Int]? {
    guard let bytes = bytes(count * size) else { return nil }
    return (0..<count).map { index in
      let number = bytes[index * size..<(index + 1) * size].reduce(0 as Int) { $0 << 8 | Int($1) }
      return size == 4 ? Int(Int32(truncatingIfNeeded: number)) : number
    }
  }

  /// Local time types: an offset of four bytes, and two bytes without use here.
  mutating func types(_ count: Int) -> [Int]? {
    guard let bytes = bytes(count * 6) else { return nil }
    var reader = ByteReader(bytes)
    return (0..<count).compactMap { _ in
      guard let offset = reader.numbers(1, size: 4), reader.skip(2) else { return nil }
      return offset[0]
    }
  }
}

/// The rule behind the last transition of a zone: a `TZ` string of POSIX with the extension of RFC
/// 8536, section 3.3, as in `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneFooter: Sendable {
  private let standard: Int
  private let summer: Int
  private let start: Change?
  private let end: Change?

  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = Reader(bytes.dropFirst().prefix { $0 != 0x0A })
    guard bytes.first == 0x0A, reader.skipName(), let west = reader.time() else { return nil }
    standard = -west
    guard reader.skipName() else {
      (summer, start, end) = (standard, nil, nil)
      return
    }
    summer = reader.time().map { -$0 } ?? standard + 3_600
    guard let start = reader.change(), let end = reader.change() else { return nil }
    (self.start, self.end) = (start, end)
  }

  func offset(at seconds: Int) -> Int {
    guard let start, let end, let year = Timestamp(seconds: seconds + standard)?.calendarFields.year
    else { return standard }
    let (from, to) = (start.seconds(in: year) - standard, end.seconds(in: year) - summer)
    let isSummer =
      from < to ? from <= seconds && seconds < to : !(to <= seconds && seconds < from)
    return isSummer ? summer : standard
  }

  private struct Change {
    enum Day {
      /// `M3.5.0`: the fifth, or last, Sunday of March.
      case month(Int, week: Int, weekday: Int)
      /// `J60`: the day of the year from 1, without 29 February.
      case julian(Int)
      /// `59`: the day of the year from 0.
      case ordinal(Int)
    }

    let day: Day
    /// Seconds of local time from the start of the day.
    ///
    /// May be negative or beyond the day.
    let time: Int

    /// The local time of the change, in seconds since 1970.
    func seconds(in year: Int) -> Int {
      let newYear = Self.midnight(year, 1)
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      switch day {
      case .ordinal(let index): return newYear + index * 86_400 + time
      case .julian(let number):
        return newYear + (number - 1 + (isLeap && number >= 60 ? 1 : 0)) * 86_400 + time
      case .month(let month, let week, let weekday):
        let first = Self.midnight(year, month)
        let firstWeekday = ((first / 86_400 + 4) % 7 + 7) % 7
        var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        let next = month == 12 ? Self.midnight(year + 1, 1) : Self.midnight(year, month + 1)
        while first + day * 86_400 >= next { day -= 7 }
        return first + day * 86_400 + time
      }
    }

    private static func midnight(_ year: Int, _ month: Int) -> Int {
      // Beyond the years of a timestamp there is no local time.
      let year = min(max(year, 1), 9_999)
      var fields = Timestamp.epoch.calendarFields
      (fields.year, fields.month) = (year, month)
      return Timestamp(fields)?.seconds ?? 0
    }
  }

  private struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: mark) else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func number() -> Int? {
      let digits = rest.prefix(while: \.isDigit)
      rest = rest.dropFirst(digits.count)
      return Int(String(decoding: digits, as: UTF8.self))
    }

    /// `CET`, or `<+0330>`.
    mutating func skipName() -> Bool {
      if take("<") {
        rest = rest.drop { $0 != UInt8(ascii: ">") }
        return take(">")
      }
      let name = rest.prefix { Lexer.isLetter($0) }
      rest = rest.dropFirst(name.count)
      return !name.isEmpty
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time() -> Int? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hours = number() else { return nil }
      let minutes = take(":") ? number() ?? 0 : 0
      let seconds = take(":") ? number() ?? 0 : 0
      return (hours * 3_600 + minutes * 60 + seconds) * (isNegative ? -1 : 1)
    }

    mutating func change() -> Change? {
      guard take(","), let day = day() else { return nil }
      return Change(day: day, time: take("/") ? time() ?? 7_200 : 7_200)
    }

    private mutating func day() -> Change.Day? {
      if take("J") { return number().map(Change.Day.julian) }
      guard take("M") else { return number().map(Change.Day.ordinal) }
      guard let month = number(), take("."), let week = number(), take("."),
        let weekday = number(), 1...12 ~= month, 1...5 ~= week, 0...6 ~= weekday
      else { return nil }
      return .month(month, week: week, weekday: weekday)
    }
  }
}
