internal import FlowCore

/// The response of a server.
struct HTTPAnswer: Sendable {
  var status: Int
  var headers: HeaderFields
  var text: String
  var json: Value
  var bytes: Bytes?
  var size: Int
  var url: String
  var date: String
  var elapsed: Duration
  /// The trailers, or nil without any.
  var trailers: HeaderFields?
  /// The reason why the body is not decoded as its headers say, or nil.
  var problem: String?
  /// The version of HTTP, or nil in recordings without it.
  var version: String?
  /// The redirects, or nil without any.
  var hops: [Hop]?
  /// The digest of the body in a file, or nil without a file.
  var sha256: String?

  /// The fields.
  ///
  /// A live run compares the meaning of a response: its status and its body. Headers and trailers are mostly about
  /// the server and the connection. The size follows from the body, and so does the text of a body that is JSON.
  /// The URL follows from the request, unless the server redirects.
  static let record = Record(
    HTTPAnswer.init(
      status:headers:text:json:bytes:size:url:date:elapsed:trailers:problem:version:hops:sha256:),
    Field(
      "status", \.status,
      "The status code, such as 200. Codes such as 404 are results, not errors.",
      plausible: [200, 404, 500]),
    Field(
      "headers", \.headers,
      "The headers by lower-case name, without 'date'. Repeated ones are joined by ', ', cookies by line breaks.",
      compared: .whenRead),
    Field(
      "text", \.text, "The body as text. Empty if the body is not text or was written to a file.",
      compared: .whenReadBeside("json")),
    Field(
      "json", \.json,
      "The body decoded from JSON. Null if the body is not JSON or was written to a file."),
    Field(
      "bytes", \.bytes, "The body as bytes if it is not text. Otherwise null.",
      mutated: .whenPresent),
    Field(
      "size", \.size, "The size of the decompressed body in bytes.", compared: .whenRead,
      mutated: .onRequest),
    Field(
      "url", \.url, "The URL of the response, after redirects.", compared: .whenRead,
      mutated: .onRequest),
    Field("date", \.date, "The header 'date' of the response.", volatile: true),
    Field("elapsed", \.elapsed, "The duration of the request.", volatile: true),
    Field(
      "trailers", \.trailers,
      "The trailers after the body, in the form of 'headers'. Null if there are none.",
      compared: .whenRead, mutated: .whenPresent),
    Field(
      "problem", \.problem,
      "The reason if the body could not be decompressed or decoded. Otherwise null.",
      mutated: .whenPresent),
    Field(
      "http_version", \.version, "The version of HTTP, such as '1.1' or '2'.",
      compared: .whenRead, mutated: .onRequest),
    Field(
      "hops", \.hops, "The responses that redirected the request, in order. Null without any.",
      compared: .whenRead, mutated: .whenPresent),
    Field(
      "sha256", \.sha256,
      "The SHA-256 digest of a body that was written to a file, 64 hexadecimal digits. Otherwise null.",
      mutated: .whenPresent)
  )
  .computing(
    "cookies", "The cookies that the response sets, by name, as 'set-cookie' of 'headers' has them."
  ) { CookieFields(lines: $0.headers["set-cookie"] ?? "") }
}

extension HTTPAnswer {
  /// Sets the redirects, of which none are null.
  mutating func set(hops: [Hop]) { self.hops = hops.isEmpty ? nil : hops }

  /// The pause that the server asks for (RFC 9110, section 10.2.3), or nil.
  ///
  /// The header has seconds or a date. A date is counted from the date of the response.
  var retryAfter: Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if text.utf8.count <= 9, let seconds = UInt(text) { return .seconds(seconds) }
    guard let end = Timestamp(httpDate: text), let now = Timestamp(httpDate: date) else {
      return nil
    }
    return max(.zero, end.duration(since: now))
  }

  /// Creates an answer with a decoded body.
  init(_ reply: TransferReply, _ body: DecodedBody, from url: WebAddress, elapsed: Duration) {
    self.init(reply, body.headers, size: body.bytes.count, from: url, elapsed: elapsed)
    text = body.text ?? ""
    json = Self.json(body)
    bytes = body.text == nil ? Bytes(body.bytes) : nil
    problem = body.problem
    trailers = Self.trailers(reply.trailers)
  }

  /// Creates an answer without its body, such as one that goes to a file.
  init(
    _ reply: TransferReply, _ headers: HeaderFields, size: Int, from url: WebAddress,
    elapsed: Duration
  ) {
    var headers = headers
    let date = headers.remove("date") ?? ""
    self.init(
      status: reply.status, headers: headers, text: "", json: .null, size: size,
      url: url.description, date: date, elapsed: elapsed, version: headers.version)
  }

  private static func trailers(_ lines: [UInt8]) -> HeaderFields? {
    let fields = HeaderFields(head: lines)
    return fields.fields.isEmpty ? nil : fields
  }

  /// Parses a body as JSON, whatever its type.
  private static func json(_ body: DecodedBody) -> Value {
    // The first byte rules out JSON for most other texts.
    guard let value = try? Value(json: body.json), value.excess() == nil else { return .null }
    return value
  }

  /// Returns the reason why `text` or `json` has no value.
  ///
  /// Nil for other fields, and for an empty or null body.
  func absence(of field: String) -> String? {
    switch field {
    case "text" where text.isEmpty && size > 0: absenceOfText
    case "json" where json == .null && size > 0: text.isEmpty ? absenceOfText : problemOfJSON
    default: nil
    }
  }

  private var absenceOfText: String {
    if bytes == nil { return "the body was written to a file" }
    return problem.map { "the body is not text: \($0)" }
      ?? "the body is not UTF-8 text, and the response names no other charset"
  }

  /// The reason why the body is not JSON, or nil if it is `null`.
  private var problemOfJSON: String? {
    let reason: String
    let bytes = Array(text.utf8)
    do throws(JSONError) {
      guard let excess = try Value(json: bytes).excess() else { return nil }
      reason = "\(excess)"
    } catch {
      let found = error.rest(in: bytes).map { ", got '\($0.excerpt)'" } ?? ""
      reason = error.description(in: bytes) + found
    }
    return "the body is not JSON: \(reason)" + (problem.map { "; \($0)" } ?? "")
  }

  /// The problem with the body for the log of the run, or nil.
  var note: String? {
    if let problem { return "the body is not decoded: \(problem)" }
    guard json == .null, MediaType(headers["content-type"] ?? "").isJSON else { return nil }
    return absence(of: "json")
  }
}

extension Timestamp {
  /// Parses an HTTP date (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
  init?(httpDate text: String) {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2, parts[3].utf8.count == 4,
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    self.init("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}
