import FlowSystem
import Testing

@Suite struct PercentEncodingTests {
  @Test func `an encoding keeps its characters, and escapes on demand`() {
    let text = "aZ9-._~ /:?%41%4é"
    let written = PercentEncoding(keeping: "/:?", keepsEscapes: true)

    #expect(PercentEncoding.component.encode(text.utf8) == "aZ9-._~%20%2F%3A%3F%2541%254%C3%A9")
    #expect(PercentEncoding.segment.encode(text.utf8) == "aZ9-._~%20%2F:%3F%2541%254%C3%A9")
    #expect(PercentEncoding.path.encode(text.utf8) == "aZ9-._~%20/%3A%3F%2541%254%C3%A9")
    #expect(written.encode(text.utf8) == "aZ9-._~%20/:?%41%254%C3%A9")
  }

  @Test(arguments: [
    ("a+b%20c", "a+b c", "a b c"), ("%C3%A9", "é", "é"), ("%c3%a9", "é", "é"), ("", "", ""),
    ("%", nil, nil), ("%4", nil, nil), ("%4g", nil, nil), ("%+1", nil, nil), ("%FF", nil, nil),
  ])
  func `a broken escape has no meaning`(_ text: String, _ decoded: String?, _ form: String?) {
    #expect(PercentEncoding.decode(text) == decoded)
    #expect(PercentEncoding.decodeForm(text) == form)
  }
}

@Suite struct URIReferenceTests {
  @Test func `a reference is split at bytes`() {
    let reference = URIReference("HTTP://u:p@h:1/a?\u{301}b?c#\u{301}d#e")

    #expect(reference.scheme == "HTTP")
    #expect(reference.authority == "u:p@h:1")
    #expect(reference.path == "/a")
    #expect(reference.query == "\u{301}b?c")
    #expect(reference.fragment == "\u{301}d#e")
    #expect(reference.pathAndQuery == "/a?\u{301}b?c")
  }

  @Test(arguments: [
    ("h", nil, "h", nil), ("", nil, "", nil), ("h:", nil, "h", ""), ("h:1:2", nil, "h", "1:2"),
    ("u:p@x@h:1", "u:p@x", "h", "1"), ("@h", "", "h", nil), ("[::1]", nil, "[::1]", nil),
    ("u@[::1]:80", "u", "[::1]", "80"),
  ])
  func `an authority has a user, a host and a port`(
    _ text: String, _ user: String?, _ host: String, _ port: String?
  ) {
    let authority = URIAuthority(text)

    #expect(authority?.userInformation == user)
    #expect(authority?.host == host)
    #expect(authority?.port == port)
  }

  @Test(arguments: ["[::1", "[::1]80", "u@["])
  func `an open bracket is no authority`(_ text: String) {
    #expect(URIAuthority(text) == nil)
  }
}
