/// A text of a date and time in a format of `strftime`, as a text of RFC 3339.
struct HurlDate {
  /// The date and time in UTC.
  let text: String

  /// Reads a text in a format with the year, the month, the day and the time.
  ///
  /// Returns nil for another format, and for a text that is not in the format.
  init?(_ written: String, format: String) {
    var (rest, marks) = (written[...], format[...])
    var parts: [Character: String] = ["f": "", "H": "", "M": "", "S": ""]
    while let mark = marks.popFirst() {
      guard mark == "%" else {
        guard rest.popFirst() == mark else { return nil }
        continue
      }
      guard var name = marks.popFirst() else { return nil }
      if name == "." {
        guard marks.popFirst() == "f" else { return nil }
        // A fraction is written only if there is one.
        name = "f"
        if rest.first != "." { continue }
      }
      guard let part = Self.part(name, &rest) else { return nil }
      parts[name] = part
    }
    let month = parts["b"].flatMap { name in
      Self.months.firstIndex(of: name).map { $0 < 9 ? "0\($0 + 1)" : "\($0 + 1)" }
    }
    guard rest.isEmpty, let year = parts["Y"], let month = parts["m"] ?? month,
      let day = parts["d"], let hour = parts["H"], let minute = parts["M"], let second = parts["S"],
      !hour.isEmpty, !minute.isEmpty, !second.isEmpty
    else { return nil }
    text = "\(year)-\(month)-\(day)T\(hour):\(minute):\(second)\(parts["f"] ?? "")Z"
  }

  /// Returns true for a format with a whole date and time and no other parts.
  static func supports(_ format: String) -> Bool {
    let marks = Set(
      format.split(separator: "%", omittingEmptySubsequences: false).dropFirst().map {
        $0.first ?? "%"
      })
    return marks.isSubset(of: "YmdHMSab.") && marks.isSuperset(of: "YdHMS")
      && (marks.contains("m") || marks.contains("b"))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Takes the part of the text for a mark.
  private static func part(_ mark: Character, _ rest: inout Substring) -> String? {
    let part: Substring
    switch mark {
    case "Y": part = rest.prefix(4)
    case "m", "d", "H", "M", "S": part = rest.prefix(2)
    case "a", "b": part = rest.prefix(3)
    case "f": part = rest.prefix(1) + rest.dropFirst().prefix { $0.isNumber }
    default: return nil
    }
    let isName = mark == "a" || mark == "b"
    guard isName ? months.contains(String(part)) || mark == "a" : mark == "f" || isDigits(part)
    else { return nil }
    rest = rest.dropFirst(part.count)
    return String(part)
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }
}
