import FlowCore
import Testing

@testable import HTTPPlugin

/// The cookies of an answer, made of its headers.
@Suite struct SetCookieTests {
  @Test(arguments: [
    ("tight=1;Path=/x;Secure;SameSite=Lax", "1 /x null null null true false Lax"),
    (
      "a=b=c; EXPIRES=Wed, 13-Jan-2021 22:23:01 GMT; max-age=60; HTTPONLY; Domain=example.org",
      "b=c null example.org 2021-01-13T22:23:01Z 60 false true null"
    ),
    ("a=1; Expires=soon; Max-Age=x", "1 null null null null false false null"),
    (
      "a=1\na=2; Expires=Sun Nov  6 08:49:37 1994",
      "2 null null 1994-11-06T08:49:37Z null false false null"
    ),
    ("nothing\n=x", ""), ("", ""),
  ])
  func `a cookie has its attributes`(_ lines: String, _ expected: String) {
    let fields = CookieFields(lines: lines).cookies.map { cookie -> [Value] in
      guard case .record(let record) = cookie.cookie.encoded else { return [] }
      return record.values
    }
    let text = fields.map { $0.map(\.interpolated).joined(separator: " ") }

    #expect(text.joined(separator: "\n") == expected)
  }

  @Test func `an answer has cookies that no recording has`() throws {
    let head = "HTTP/1.1 200 OK\r\nSet-Cookie: sid=abcd; Path=/barn\r\n\r\n"
    let answer = HTTPAnswer(
      TransferReply(number: 1, status: 200, head: Array(head.utf8), body: [], elapsed: .zero),
      HeaderFields(head: Array(head.utf8)), size: 0, from: try WebAddress("http://localhost/"),
      elapsed: .zero)

    guard case .record(let record) = HTTPAnswer.record.encode(answer) else {
      Issue.record("not a record")
      return
    }

    #expect(record.type.index(of: "cookies") == nil)
    #expect(record["cookies"] == CookieFields(lines: "sid=abcd; Path=/barn").encoded)
  }
}
