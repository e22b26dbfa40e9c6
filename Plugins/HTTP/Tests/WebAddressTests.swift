import Testing

@testable import HTTPPlugin

@Suite struct WebAddressTests {
  private static let login =
    "a URL with a user or a password is not accepted; use the settings 'user' and 'password'"

  @Test(arguments: [
    ("https://example.org", "", "https://example.org/"),
    ("https://example.org", "/a", "https://example.org/a"),
    ("https://example.org/api/", "/a", "https://example.org/api/a"),
    ("https://example.org/api", "a/b c?d=e f#g", "https://example.org/api/a/b%20c?d=e%20f%23g"),
    ("https://example.org", "//evil.org/x", "https://example.org//evil.org/x"),
    ("https://example.org", "@evil.org", "https://example.org/@evil.org"),
    ("https://example.org", ".evil.org", "https://example.org/.evil.org"),
    ("https://example.org", ":80@evil.org", "https://example.org/:80@evil.org"),
    ("https://example.org", "https://evil.org", "https://example.org/https://evil.org"),
    ("https://example.org", "\\\\evil.org", "https://example.org/%5C%5Cevil.org"),
    ("https://example.org", "a\r\nHost: evil.org", "https://example.org/a%0D%0AHost:%20evil.org"),
    ("https://example.org", "é/%41/%zz/100%", "https://example.org/%C3%A9/%41/%25zz/100%25"),
    ("HTTP://Example.org:80?x=1", "", "http://Example.org:80/?x=1"),
    ("https://example.org/api", "?page=2", "https://example.org/api?page=2"),
    ("https://example.org/api/", "?page=2", "https://example.org/api/?page=2"),
    ("https://example.org", "?page=2", "https://example.org/?page=2"),
    ("https://example.org", "/\u{301}a", "https://example.org/%CC%81a"),
    ("http://a?\u{301}b#\u{301}c", "", "http://a/?%CC%81b"),
  ])
  func `a path is appended and never leads to another server`(
    _ base: String, path: String, expected: String
  ) throws {
    let base = try WebAddress(base)

    let address = path.isEmpty ? base : base.appending(path)

    #expect("\(address)" == expected)
    #expect(address.server == base.server)
  }

  @Test(arguments: [
    ("ftp://example.org", "'ftp://example.org' does not start with http:// or https://"),
    ("example.org", "'example.org' does not start with http:// or https://"),
    ("", "'' does not start with http:// or https://"),
    ("http:/example.org", "'http:/example.org' does not start with http:// or https://"),
    ("http://", "'' is not a host"),
    ("http:///a", "'' is not a host"),
    ("http://a b/", "'a b' is not a host"),
    ("http://good.org\\.evil.org/", "'good.org\\.evil.org' is not a host"),
    ("http://a%2eb/", "'a%2eb' is not a host"),
    ("http://ann:secret@example.org", login),
    ("ann:secret@example.org", login),
    ("http://ann:secret@\u{301}127.0.0.1/", login),
    ("http://\u{301}ann:secret@example.org/\u{301}", login),
  ])
  func `what is not a web address is refused`(_ text: String, expected: String) {
    do {
      Issue.record("accepted as \(try WebAddress(text))")
    } catch {
      #expect("\(error)" == expected)
    }
  }

  @Test func `a query is encoded byte by byte and follows one that is there`() throws {
    let query = [("a b", "c&d=é"), ("plus", "1+1~")]
    let expected = "a%20b=c%26d%3D%C3%A9&plus=1%2B1~"

    let address = try WebAddress("http://example.org/x")

    #expect("\(address.appending(query: query))" == "http://example.org/x?\(expected)")
    #expect(
      "\(address.appending("y?z=1").appending(query: query))"
        == "http://example.org/x/y?z=1&\(expected)")
    #expect("\(address.appending(query: []))" == "http://example.org/x")
  }

  @Test(arguments: [
    ("http://example.org", "http://EXAMPLE.org:80/x", true),
    ("https://example.org:443", "https://example.org/", true),
    ("http://example.org", "https://example.org", false),
    ("http://example.org", "http://example.org:8080", false),
    ("http://example.org", "http://example.org.evil.org", false),
  ])
  func `one server has one origin`(_ first: String, second: String, isOne: Bool) throws {
    #expect(try WebAddress(first).isSameServer(as: try WebAddress(second)) == isOne)
  }
}
