internal import FlowCore
private import Synchronization

/// The dates in answers, moved by the time since the recording.
///
/// A recorded token expires, and the program has the time of today. In a replay it gets the dates under
/// some names as far from now as they were when they were recorded. What it sends back is recorded.
final class ShiftedDates: Sendable {
  /// The names of members of JSON and of headers, in lower case.
  private let names: Set<String>
  /// The recorded dates, by those that the program got in their place.
  private let recorded = Mutex<[String: String]>([:])
  private static let most = 10_000
  /// The numbers that are dates: from 1970 on, the largest ones in milliseconds.
  private static let numbers = Int64(0)..<1_000_000_000_000_000

  init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() }) }

  /// Returns an answer with its dates as far from now as they were from the date of the run.
  func shown(_ answer: ServerAnswer, in context: Context) -> ServerAnswer {
    if names.isEmpty { return answer }
    let seconds = context.recordingAge.components.seconds
    // In a recording the two dates are one.
    return abs(seconds) > 1 ? shown(answer, by: seconds) : answer
  }

  /// Returns an answer with later dates.
  func shown(_ answer: ServerAnswer, by seconds: Int64) -> ServerAnswer {
    answer.changing(
      headers: { [self] name, value in isShifted(name) ? shifted(value, by: seconds) : value },
      json: { [self] in shifted($0, by: seconds, isNamed: false) })
  }

  /// Returns a request with the recorded dates in the places of others.
  func passed(_ request: PassedRequest) -> PassedRequest {
    let known = recorded.withLock { $0 }
    return known.isEmpty ? request : request.replacing(texts: known)
  }

  private func isShifted(_ name: String) -> Bool { names.contains(name.lowercased()) }

  private func shifted(_ value: Value, by seconds: Int64, isNamed: Bool) -> Value {
    switch value {
    case .map(var map):
      for entry in map.entries {
        map[entry.key] = shifted(
          entry.value, by: seconds, isNamed: isShifted(entry.key.interpolated))
      }
      return .map(map)
    case .list(let values):
      return .list(values.map { shifted($0, by: seconds, isNamed: isNamed) })
    case .string(let text): return .string(isNamed ? shifted(text, by: seconds) : text)
    case .int(let number) where isNamed: return shifted("\(number)", of: value, by: seconds)
    case .decimal(let number) where isNamed:
      return shifted("\(number)", of: value, by: seconds)
    default: return value
    }
  }

  /// Returns a number of seconds since 1970, or of milliseconds, moved: as its text, which keeps all
  /// digits of a fraction.
  private func shifted(_ text: String, of value: Value, by seconds: Int64) -> Value {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first.flatMap({ Int64($0) }), Self.numbers.contains(whole) else {
      return value
    }
    let fraction = parts.dropFirst().map { ".\($0)" }.joined()
    // As seconds, those in milliseconds from 1973 on would be in the year 5138 or later.
    let offset = seconds.multipliedReportingOverflow(by: whole < 100_000_000_000 ? 1 : 1_000)
    let sum = whole.addingReportingOverflow(offset.partialValue)
    let other = "\(sum.partialValue)\(fraction)"
    guard !offset.overflow, !sum.overflow, let moved = Value(number: other) else {
      return value
    }
    note(text, inPlaceOf: other)
    return moved
  }

  private func note(_ text: String, inPlaceOf other: String) {
    recorded.withLock { recorded in
      if recorded.count < Self.most { recorded[other] = text }
    }
  }

  private func shifted(_ text: String, by seconds: Int64) -> String {
    let offset = Duration.seconds(seconds)
    let other: String?
    if let date = Timestamp(text) {
      other = date.advanced(by: offset)?.description
    } else if let date = HTTPDate(text) {
      other = date.date.advanced(by: offset).map { HTTPDate(date: $0).description }
    } else {
      other = nil
    }
    guard let other else { return text }
    note(text, inPlaceOf: other)
    return other
  }
}

/// The date of a header, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
struct HTTPDate: CustomStringConvertible {
  let date: Timestamp

  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  init(date: Timestamp) { self.date = date }

  /// Reads the preferred form, or returns nil for another text.
  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
      let month = Self.months.firstIndex(of: String(parts[2])),
      let date = Timestamp("\(parts[3])-\(Self.twoDigits(month + 1))-\(parts[1])T\(parts[4])Z")
    else { return nil }
    self.date = date
  }

  var description: String {
    // 2026-01-31T08:00:00Z
    let text = Array(Timestamp(seconds: date.seconds)?.description.utf8 ?? "".utf8)
    guard text.count >= 19 else { return "" }
    let part = { (range: Range<Int>) in String(decoding: text[range], as: UTF8.self) }
    let time = (date.seconds % 86_400 + 86_400) % 86_400
    let day = Self.days[((date.seconds - time) / 86_400 % 7 + 7) % 7]
    let month = Self.months[(Int(part(5..<7)) ?? 1) - 1]
    return "\(day), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension PassedRequest {
  /// The request with other texts and numbers in the places of whole ones.
  fileprivate func replacing(texts: [String: String]) -> PassedRequest {
    changing { value in
      switch value {
      case .string(let text): .string(texts[text] ?? text)
      case .int(let number): texts["\(number)"].flatMap(Value.init(number:)) ?? value
      case .decimal(let number): texts["\(number)"].flatMap(Value.init(number:)) ?? value
      default: value
      }
    }
  }
}

extension Value {
  /// Reads a number of JSON.
  fileprivate init?(number text: String) {
    guard let value = try? Value(json: Array(text.utf8)) else { return nil }
    self = value
  }
}
