internal import FlowCore

/// A cookie that a component keeps and sends.
struct KeptCookie: RecordRepresentable, Hashable {
  var name: String
  var value: String
  /// The host, with a leading point if the hosts below it get the cookie as well.
  var domain: String?
  var path: String
  var expires: Timestamp?
  var isSecure: Bool
  var isHTTPOnly: Bool

  static let record = Record(
    KeptCookie.init(name:value:domain:path:expires:isSecure:isHTTPOnly:),
    Field("name", \.name, "The name."),
    Field("value", \.value, "The value, as it is sent."),
    Field(
      "domain", \.domain,
      "The host, with a leading point for the hosts below it, too. The host of 'base' if absent."),
    Field("path", \.path, "The path below which the cookie is sent.", default: "/"),
    Field("expires", \.expires, "The end of the cookie. Null for the end of the run."),
    Field("secure", \.isSecure, "True if it is sent over TLS alone.", default: false),
    Field("httpOnly", \.isHTTPOnly, "True with the attribute 'HttpOnly'.", default: false))
}

/// The input of `cookies`.
struct CookieInput: Sendable {
  var clears: Bool
  var cookies: [KeptCookie]?

  static let record = Record(
    CookieInput.init(clears:cookies:),
    Field("clear", \.clears, "Removes all cookies, before others are set.", default: false),
    Field("set", \.cookies, "Cookies to keep and send from now on."))
}

/// The answer of `cookies`.
struct CookieAnswer: Sendable {
  var cookies: [KeptCookie]

  static let record = Record(
    CookieAnswer.init(cookies:),
    Field("cookies", \.cookies, "The kept cookies, by domain, path and name."))
}

extension HTTPClient {
  /// Changes the kept cookies, and returns all of them.
  ///
  /// - Throws: `HTTPError` for a cookie that cannot be kept.
  func cookies(_ input: CookieInput) async throws -> CookieAnswer {
    let cookies = input.cookies ?? []
    var lines = input.clears ? ["ALL"] : []
    do throws(RequestError) {
      for cookie in cookies { lines.append(try cookie.line(of: host)) }
    } catch { throw HTTPError.request(error) }
    let kept = try await self.cookies(changedBy: lines).compactMap(KeptCookie.init(line:)).sorted {
      ($0.domain ?? "", $0.path, $0.name) < ($1.domain ?? "", $1.path, $1.name)
    }
    for cookie in cookies where !cookie.isAmong(kept) {
      throw HTTPError.request(.cookie(cookie.name, "libcurl refuses it"))
    }
    return CookieAnswer(cookies: kept)
  }
}

extension KeptCookie {
  private static let mark = "#HttpOnly_"

  /// Returns the cookie as a line of Netscape's format.
  ///
  /// - Throws: `RequestError` for a cookie without a domain, or with a character that ends a field.
  fileprivate func line(of host: String?) throws(RequestError) -> String {
    guard let domain = domain ?? host, !domain.isEmpty else {
      throw .cookie(name, "it has no 'domain', and the component has no 'base'")
    }
    guard Header.isName(name) else { throw .cookie(name, "the name is not a word") }
    let texts = [("value", value), ("domain", domain), ("path", path)]
    for (field, text) in texts where !Self.isPlain(text) {
      throw .cookie(name, "'\(field)' has a semicolon, a blank at its end or a control character")
    }
    let includesHosts = domain.hasPrefix(".")
    let end = expires.map { "\(max(1, $0.seconds))" } ?? "0"
    return (isHTTPOnly ? Self.mark : "")
      + [domain, Self.flag(includesHosts), path, Self.flag(isSecure), end, name, value]
      .joined(separator: "\t")
  }

  /// Reads a line of Netscape's format, or returns nil for another text.
  fileprivate init?(line: String) {
    let isHTTPOnly = line.hasPrefix(Self.mark)
    let text = isHTTPOnly ? line.dropFirst(Self.mark.count) : line[...]
    let parts = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 7, let end = Int(parts[4]) else { return nil }
    self.init(
      name: parts[5], value: parts[6], domain: parts[0], path: parts[2],
      expires: end == 0 ? nil : Timestamp(seconds: end), isSecure: parts[3] == "TRUE",
      isHTTPOnly: isHTTPOnly)
  }

  /// True if the cookie is kept, or may have ended.
  fileprivate func isAmong(_ kept: [KeptCookie]) -> Bool {
    expires != nil || kept.contains { $0.name == name && $0.value == value && $0.path == path }
  }

  private static func flag(_ isTrue: Bool) -> String { isTrue ? "TRUE" : "FALSE" }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") }
      && text.utf8.first != 0x20 && text.utf8.last != 0x20
  }
}
