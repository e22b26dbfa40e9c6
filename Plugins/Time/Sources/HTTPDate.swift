import FlowCore

/// Dates in the headers of HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
  /// The name of this format.
  static let name = "http"

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The time as a text, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(of time: Timestamp) -> String {
    let fields = time.calendarFields
    // The first of January of the year 1 was a Monday, 719162 days before the epoch.
    let day = days[(time.seconds + 719_162 * 86_400) / 86_400 % 7]
    let clock = [fields.hour, fields.minute, fields.second].map { digits($0, 2) }
    return "\(day), \(digits(fields.day, 2)) \(months[fields.month - 1]) \(digits(fields.year, 4)) "
      + clock.joined(separator: ":") + " GMT"
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// The time in a text of one of the three forms, or nil.
  ///
  /// A year of two digits is at most 50 years after the present one. The name of the day is not
  /// compared with the date.
  static func time(in text: String, now: Timestamp) -> Timestamp? {
    let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    switch (words.count, words.last) {
    case (6, "GMT") where days.contains { words[0] == "\($0)," }:
      return time(day: words[1], month: words[2], year: whole(words[3], 4), clock: words[4])
    case (4, "GMT") where longDays.contains { words[0] == "\($0)," }:
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard date.count == 3, let year = whole(date[2], 2) else { return nil }
      return time(
        day: date[0], month: date[1], year: Self.year(year, now: now.calendarFields.year),
        clock: words[2])
    case (5, let year?) where days.contains(words[0]):
      // Its day has a blank in place of a zero.
      let day = words[2].utf8.count == 1 ? "0\(words[2])" : words[2]
      return time(day: day, month: words[1], year: whole(year, 4), clock: words[3])
    default: return nil
    }
  }

  private static func year(_ digits: Int, now: Int) -> Int {
    let year = now - now % 100 + digits
    return year > now + 50 ? year - 100 : year
  }

  private static func time(
    day: String, month: String, year: Int?, clock: String
  ) -> Timestamp? {
    let clock = clock.split(separator: ":", omittingEmptySubsequences: false)
      .map { whole(String($0), 2) }
    guard let day = whole(day, 2), let month = months.firstIndex(of: month), let year,
      clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2]
    else { return nil }
    var fields = Timestamp.epoch.calendarFields
    (fields.year, fields.month, fields.day) = (year, month + 1, day)
    (fields.hour, fields.minute, fields.second) = (hour, minute, second)
    return Timestamp(fields)
  }

  private static func whole(_ text: String, _ digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
