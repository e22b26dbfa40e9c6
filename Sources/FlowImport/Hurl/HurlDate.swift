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

  /// Returns the expression for the point in time that a text in a format says, or nil for a format
  /// without a whole date and time.
  ///
  /// Each part is the group of a pattern for the whole text. The zone is UTC unless the text says
  /// another one.
  static func expression(_ code: String, format: String) -> String? {
    guard supports(format.replacing("%:z", with: "").replacing("%z", with: "")) else { return nil }
    func part(_ mark: Character) -> String {
      let pattern = "^" + pattern(of: format, grouping: mark) + "$"
      return "regex.extract(d, \(pattern.celLiteral)).orValue('')"
    }
    let names = months.joined()
    let month =
      format.contains("%b")
      ? "string('\(names)'.indexOf(\(part("b"))) / 3 + 101).substring(1)" : part("m")
    let time = [part("H"), part("M"), part("S")].joined(separator: " + ':' + ")
    let fraction = format.contains("%.f") ? " + \(part("f"))" : ""
    let zone = format.contains("z") ? part("z") : "'Z'"
    let date = [part("Y"), month, part("d")].joined(separator: " + '-' + ")
    return "cel.bind(d, \(code), timestamp(\(date) + 'T' + \(time)\(fraction) + \(zone)))"
  }

  /// The pattern of a format, with one of its parts as a group.
  private static func pattern(of format: String, grouping wanted: Character) -> String {
    var (pattern, marks) = ("", format[...])
    while let mark = marks.popFirst() {
      guard mark == "%", var name = marks.popFirst() else {
        pattern += ".*+?()[]{}|^$\\".contains(mark) ? "\\\(mark)" : String(mark)
        continue
      }
      if name == "." || name == ":" { name = marks.popFirst() ?? name }
      let part =
        switch name {
        case "Y": "[0-9]{4}"
        case "a", "b": "[A-Za-z]{3}"
        case "f": "\\.[0-9]+"
        case "z": "[+-][0-9]{2}:[0-9]{2}"
        default: "[0-9]{2}"
        }
      let group = name == wanted ? "(\(part))" : "(?:\(part))"
      pattern += name == "f" ? group + "?" : group
    }
    return pattern
  }

  /// Returns the expression for the text of a point in time in a format, or nil for a format with
  /// other parts than numbers.
  static func text(of code: String, format: String) -> String? {
    var (parts, literal, marks) = ([String](), "", format[...])
    func number(_ function: String, plus more: String = "") -> String {
      "string(t.\(function)()\(more) + 100).substring(1)"
    }
    while let mark = marks.popFirst() {
      guard mark == "%", let name = marks.popFirst() else {
        literal.append(mark)
        continue
      }
      let part: String
      switch name {
      case "Y": part = "string(t.getFullYear())"
      case "m": part = number("getMonth", plus: " + 1")
      case "d": part = number("getDate")
      case "H": part = number("getHours")
      case "M": part = number("getMinutes")
      case "S": part = number("getSeconds")
      default: return nil
      }
      if !literal.isEmpty { parts.append(literal.celLiteral) }
      literal = ""
      parts.append(part)
    }
    if !literal.isEmpty { parts.append(literal.celLiteral) }
    return parts.isEmpty ? nil : "cel.bind(t, \(code), \(parts.joined(separator: " + ")))"
  }
}
