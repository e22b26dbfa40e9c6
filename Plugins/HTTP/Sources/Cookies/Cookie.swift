internal import FlowCore

/// A cookie that a server sets (RFC 6265, section 5.2).
struct Cookie: RecordRepresentable {
  var value: String
  var path: String?
  var domain: String?
  var expires: Timestamp?
  var maxAge: Int?
  var isSecure = false
  var isHTTPOnly = false
  var sameSite: String?

  static let record = Record(
    Cookie.init(value:path:domain:expires:maxAge:isSecure:isHTTPOnly:sameSite:),
    Field("value", \.value, "The value, as the server wrote it."),
    Field("path", \.path, "The attribute 'Path'."),
    Field("domain", \.domain, "The attribute 'Domain'."),
    Field("expires", \.expires, "The attribute 'Expires'. Null if it is not a date."),
    Field("maxAge", \.maxAge, "The attribute 'Max-Age' in seconds. Null if it is not a number."),
    Field("secure", \.isSecure, "True with the attribute 'Secure'."),
    Field("httpOnly", \.isHTTPOnly, "True with the attribute 'HttpOnly'."),
    Field("sameSite", \.sameSite, "The attribute 'SameSite'."))
}

/// The cookies of a response by their names.
struct CookieFields: FieldValue {
  static let valueType = ValueType.map(Cookie.valueType)

  private(set) var cookies: [(name: String, cookie: Cookie)] = []

  init(decoding value: Value) throws(DecodeError) {
    guard case .map(let map) = value else { throw DecodeError(expected: Self.valueType, value) }
    for entry in map.entries {
      cookies.append((try String(decoding: entry.key), try Cookie(decoding: entry.value)))
    }
  }

  var encoded: Value { .map(ValueMap(cookies.map { ($0.name, $0.cookie.encoded) })) }

  /// Reads a cookie from each line.
  ///
  /// Of several with one name the last one counts. Lines without a name are skipped, as clients do.
  init(lines: String) {
    for line in lines.split(separator: "\n") {
      var parts = line.split(separator: ";", omittingEmptySubsequences: false)[...]
      guard let (name, value) = parts.popFirst().flatMap(Self.pair), !name.isEmpty else { continue }
      var cookie = Cookie(value: value)
      for part in parts { cookie.add(part) }
      cookies.removeAll { $0.name == name }
      cookies.append((name, cookie))
    }
  }

  /// Returns the texts before and after the first `=`, or nil without one.
  private static func pair(_ text: Substring) -> (name: String, value: String)? {
    guard let sign = text.firstIndex(of: "=") else { return nil }
    return (text[..<sign].withoutBlanks, text[sign...].dropFirst().withoutBlanks)
  }
}

extension Cookie {
  fileprivate init(value: String) { self.value = value }

  /// Adds an attribute, whose name may have letters of any case.
  fileprivate mutating func add(_ attribute: Substring) {
    let sign = attribute.firstIndex(of: "=") ?? attribute.endIndex
    let value = attribute[sign...].dropFirst().withoutBlanks
    switch attribute[..<sign].withoutBlanks.lowercased() {
    case "path": path = value
    case "domain": domain = value
    case "expires": expires = Timestamp(cookieDate: value)
    case "max-age": maxAge = Int(value)
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = value
    default: break
    }
  }
}

extension Substring {
  fileprivate var withoutBlanks: String {
    let start = drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(start[...$0]) } ?? ""
  }
}

extension Timestamp {
  /// Parses the date of a cookie in one of its many forms (RFC 6265, section 5.1.1).
  fileprivate init?(cookieDate text: String) {
    let months = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    var (time, day, month, year): (String?, Int?, Int?, Int?)
    for part in text.split(whereSeparator: { " ,-\t".contains($0) }).prefix(8) {
      let number = Int(part)
      if part.contains(":") {
        time = time ?? String(part)
      } else if let number, day == nil, part.utf8.count <= 2 {
        day = number
      } else if let number, year == nil {
        // Two digits are a year from 1970 to 2069.
        year = part.utf8.count > 2 ? number : number + (number < 70 ? 2000 : 1900)
      } else if let index = months.firstIndex(of: part.prefix(3).lowercased()) {
        month = month ?? index + 1
      }
    }
    guard let time, let day, let month, let year, (1601...9999).contains(year) else { return nil }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    self.init("\(year)-\(digits(month))-\(digits(day))T\(time)Z")
  }
}
