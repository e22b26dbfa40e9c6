internal import FlowCore

/// What a server answered.
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
  /// Nil without any.
  var trailers: HeaderFields?
  /// Why the body is not decoded as the head of the answer says.
  var problem: String?

  static let record = Record(
    HTTPAnswer.init(status:headers:text:json:bytes:size:url:date:elapsed:trailers:problem:),
    Field("status", \.status, "The status code, such as 200; it is never an error."),
    Field(
      "headers", \.headers,
      "By lower-case names, but for 'date'; several joined by ', ', and cookies by line breaks."),
    Field("text", \.text, "The body; empty for one that is no text or went to a file."),
    Field("json", \.json, "The body's value; null for one that is not JSON or went to a file."),
    Field("bytes", \.bytes, "The body of one that is no text; null for every other one."),
    Field("size", \.size, "How many bytes the body has, decompressed."),
    Field("url", \.url, "Where the answer came from, after redirects."),
    Field("date", \.date, "The header 'date'.", volatile: true),
    Field("elapsed", \.elapsed, "How long the request took.", volatile: true),
    Field(
      "trailers", \.trailers, "The headers behind the body, as 'headers'; null without any."),
    Field(
      "problem", \.problem,
      "Why the body is not decoded as the answer says; null for every other one."))
}

extension HTTPAnswer {
  /// How long the server asks to wait before the next request (RFC 9110, section 10.2.3): seconds, or a date, which is
  /// counted from that of the answer; nil where it does not.
  var retryAfter: Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if text.utf8.count <= 9, let seconds = UInt(text) { return .seconds(seconds) }
    guard let end = Timestamp(httpDate: text), let now = Timestamp(httpDate: date) else {
      return nil
    }
    return max(.zero, end.duration(since: now))
  }

  /// The answer with its decoded body.
  init(_ reply: TransferReply, _ body: DecodedBody, from url: WebAddress, elapsed: Duration) {
    self.init(reply, body.headers, size: body.bytes.count, from: url, elapsed: elapsed)
    text = body.text ?? ""
    json = Self.json(body)
    bytes = body.text == nil ? Bytes(body.bytes) : nil
    problem = body.problem
    trailers = Self.trailers(reply.trailers)
  }

  /// The answer without its body, which goes to a file.
  init(
    _ reply: TransferReply, _ headers: HeaderFields, size: Int, from url: WebAddress,
    elapsed: Duration
  ) {
    var headers = headers
    let date = headers.remove("date") ?? ""
    self.init(
      status: reply.status, headers: headers, text: "", json: .null, size: size,
      url: url.description, date: date, elapsed: elapsed)
  }

  private static func trailers(_ lines: [UInt8]) -> HeaderFields? {
    let fields = HeaderFields(head: lines)
    return fields.fields.isEmpty ? nil : fields
  }

  /// The value of a text that is JSON, whatever type the server gives it.
  private static func json(_ body: DecodedBody) -> Value {
    // Most other texts are recognised by their first byte.
    guard let value = try? Value(json: body.json), value.excess() == nil else { return .null }
    return value
  }

  /// Why `text` or `json` has no value; nil for another field, and where the body itself is empty or null.
  func absence(of field: String) -> String? {
    switch field {
    case "text" where text.isEmpty && size > 0: absenceOfText
    case "json" where json == .null && size > 0: text.isEmpty ? absenceOfText : problemOfJSON
    default: nil
    }
  }

  private var absenceOfText: String {
    if bytes == nil { return "the body went to a file" }
    return problem.map { "the body is no text: \($0)" }
      ?? "the body is no text in UTF-8, and the answer names no other charset"
  }

  /// Why the text is not JSON; nil if it is `null`.
  private var problemOfJSON: String? {
    let reason: String
    do throws(JSONError) {
      guard let excess = try Value(json: Array(text.utf8)).excess() else { return nil }
      reason = "\(excess)"
    } catch {
      reason = error.description(in: Array(text.utf8))
    }
    return "the body is not JSON: \(reason)" + (problem.map { "; \($0)" } ?? "")
  }

  /// What is wrong with the body, for the log of the run; nil where the answer is what it says.
  var note: String? {
    if let problem { return "the body is not decoded: \(problem)" }
    guard json == .null, MediaType(headers["content-type"] ?? "").isJSON else { return nil }
    return absence(of: "json")
  }
}

extension Timestamp {
  /// A date as servers have to write it (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
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
