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

  static let record = Record(
    HTTPAnswer.init(status:headers:text:json:bytes:size:url:date:elapsed:),
    Field("status", \.status, "The status code, such as 200; it is never an error."),
    Field(
      "headers", \.headers,
      "By lower-case names, but for 'date'; several joined by ', ', and cookies by line breaks."),
    Field("text", \.text, "The body; empty for one that is not UTF-8 or went to a file."),
    Field("json", \.json, "The body's value; null for one that is not JSON or went to a file."),
    Field("bytes", \.bytes, "The body of one that is not UTF-8; null for every other one."),
    Field("size", \.size, "How many bytes the body has, decompressed."),
    Field("url", \.url, "Where the answer came from, after redirects."),
    Field("date", \.date, "The header 'date'.", volatile: true),
    Field("elapsed", \.elapsed, "How long the request took.", volatile: true))
}

extension HTTPAnswer {
  /// How long the server asks to wait before the next request (RFC 9110, section 10.2.3): seconds, or a date, which is
  /// counted from that of the answer; nil where it does not.
  var retryAfter: Duration? {
    guard let text = headers.fields.first(where: { $0.name == "retry-after" })?.value else {
      return nil
    }
    if text.utf8.count <= 9, let seconds = UInt(text) { return .seconds(seconds) }
    guard let end = Timestamp(httpDate: text), let now = Timestamp(httpDate: date) else {
      return nil
    }
    return max(.zero, end.duration(since: now))
  }

  /// The answer with its body, or without for one that goes to a file.
  init(_ reply: TransferReply, from url: WebAddress, elapsed: Duration, hasBody: Bool) {
    var headers = HeaderFields(head: reply.head)
    let date = headers.remove("date") ?? ""
    let text = hasBody ? String(validating: reply.body, as: UTF8.self) : ""
    self.init(
      status: reply.status, headers: headers, text: text ?? "",
      json: hasBody ? Self.json(reply.body) : .null,
      bytes: text == nil ? Bytes(reply.body) : nil,
      size: reply.body.count, url: url.description, date: date, elapsed: elapsed)
  }

  /// The value of a text that is JSON, whatever type the server gives it.
  private static func json(_ bytes: [UInt8]) -> Value {
    // Most other texts are recognised by their first byte.
    guard let value = try? Value(json: bytes), value.excess() == nil else { return .null }
    return value
  }
}

extension TransferReply {
  /// Why the body of an answer that is said to be JSON is none; nil for every other answer, and for an empty body.
  var problemOfJSON: String? {
    let type = HeaderFields(head: head).fields.first { $0.name == "content-type" }?.value
    guard !body.isEmpty, type?.lowercased().contains("json") ?? false else { return nil }
    do { _ = try Value(json: body) } catch { return error.description(in: body) }
    return nil
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
