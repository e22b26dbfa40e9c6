import FlowCore
import Testing

@testable import HTTPPlugin

/// The cookies of an answer, made of its headers.
@Suite struct SetCookieTests {
  @Test(arguments: [
    ("tight=1;Path=/x;Secure;SameSite=Lax", #"{tight: {value: "1", path: "/x", domain: null, expires: null, maxAge: null, secure: true, httpOnly: false, sameSite: "Lax"}}"#),
    (
      "a=b=c; EXPIRES=Wed, 13-Jan-2021 22:23:01 GMT; max-age=60; HTTPONLY; Domain=example.org",
      #"{a: {value: "b=c", path: null, domain: "example.org", expires: 2021-01-13T22:23:01Z, maxAge: 60, secure: false, httpOnly: true, sameSite: null}}"#
    ),
    ("a=1; Expires=soon; Max-Age=x", #"{a: {value: "1", path: null, domain: null, expires: null, maxAge: null, secure: false, httpOnly: false, sameSite: null}}"#),
    ("a=1; Expires=Sun Nov  6 08:49:37 1994\na=2", #"{a: {value: "2", path: null, domain: null, expires: null, maxAge: null, secure: false, httpOnly: false, sameSite: null}}"#),
    ("nothing\n=x", "{}"), ("", "{}"),
  ])
  func `a cookie has its attributes`(_ lines: String, _ expected: String) {
    #expect(CookieFields(lines: lines).encoded.description == expected)
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
