import FlowCore
import FlowRedaction
import Foundation
import Testing

/// Hidden parts of strings, and the placeholders for them.
@Suite struct RedactorTests {
  /// `+`, `/`, `"`, `\`, blanks and letters that are not ASCII: every encoding changes something.
  private static let secret = "s3~cr+t/\"k\\y &é>?~~"

  private func redactor(_ secrets: (String, String)...) throws -> Redactor {
    let redactor = Redactor()
    for (name, secret) in secrets { try redactor.add(secret, named: name) }
    return redactor
  }

  private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  // MARK: - Plain

  @Test func `a text without secrets stays as it is`() throws {
    #expect(try redactor(("key", Self.secret)).redacted("nothing to see") == "nothing to see")
    #expect(try redactor().redacted(Self.secret) == Self.secret)
  }

  @Test func `a secret is hidden inside of longer text, as often as it stands there`() throws {
    let text = "a\(Self.secret)b\(Self.secret)\(Self.secret)"

    #expect(
      try redactor(("key", Self.secret)).redacted(text)
        == "a${secret:key}b${secret:key}${secret:key}")
  }

  @Test func `UTF-8 that was taken for Latin-1 is found`() throws {
    let redactor = try redactor(("key", "\u{C4}pfel-s3cr3t\u{E9}"))

    #expect(redactor.redacted("Bearer \u{C4}pfel-s3cr3t\u{E9}") == "Bearer ${secret:key}")
    #expect(
      redactor.redacted("Bearer \u{C3}\u{84}pfel-s3cr3t\u{C3}\u{A9}!") == "Bearer ${secret:key}!")
  }

  @Test func `a secret with an apostrophe is hidden as YAML writes it in single quotes`() throws {
    let redactor = try redactor(("key", "it's c4n'ary"))

    #expect(redactor.redacted("key: 'it''s c4n''ary'") == "key: '${secret:key}'")
    #expect(redactor.redacted("it's c4n'ary, it''s c4n'ary") == "${secret:key}, ${secret:key}")
  }

  @Test func `a secret that contains another is hidden as a whole`() throws {
    let redactor = try redactor(("a", "pass"), ("b", "password"))

    #expect(
      redactor.redacted("password, pass, passwort") == "${secret:b}, ${secret:a}, ${secret:a}wort")
  }

  @Test func `of secrets that overlap nothing is left`() throws {
    let redactor = try redactor(("a", "abcdef"), ("b", "defghi"))

    #expect(redactor.redacted("xabcdefghix") == "x${secret:a}${secret:b}x")
    #expect(try self.redactor(("a", "abab")).redacted("xabababx") == "x${secret:a}x")
  }

  @Test func `the lines of a secret are hidden by themselves, short ones not`() throws {
    let redactor = try redactor(("key", "-----BEGIN-----\nMIIEvQIB\nshort\n-----END-----"))

    #expect(redactor.redacted("MIIEvQIB short") == "${secret:key} short")
    #expect(
      redactor.redacted("<-----BEGIN-----\nMIIEvQIB\nshort\n-----END----->") == "<${secret:key}>")
  }

  @Test(arguments: [
    "\n", "\n\n", " ", "\r", " \t\r\n \n", "\u{a0}\u{2028}",
  ])
  func `a secret that ends in blanks or line ends is hidden without them`(_ end: String) throws {
    let redactor = try redactor(("key", "hunter2" + end), ("other", end + "swordfish"))

    #expect(
      redactor.redacted("<hunter2> \(base64("hunter2"))") == "<${secret:key}> ${secret:key:base64}")
    #expect(redactor.redacted("<swordfish>") == "<${secret:other}>")
    #expect(redactor.redacted("<hunter2\(end)>") == "<${secret:key}>")
  }

  @Test func `each line of a secret is hidden with and without the blanks around it`() throws {
    let redactor = try redactor(("key", "  first line\t\r\n\n  \u{a0}      \nsecond line\n"))

    #expect(redactor.redacted("<first line>") == "<${secret:key}>")
    #expect(redactor.redacted("<  first line\t>") == "<${secret:key}>")
    #expect(redactor.redacted("<second line>") == "<${secret:key}>")
    #expect(redactor.redacted("<          >") == "<          >")
  }

  @Test(arguments: ["abc\n\n", "  abc", "    "])
  func `a secret of fewer than four bytes besides blanks is refused`(_ secret: String) throws {
    #expect(throws: SecretError.tooShort("key")) { try redactor(("key", secret)) }
  }

  @Test func `a secret of fewer than four bytes is refused, an empty one is none`() throws {
    #expect(throws: SecretError.tooShort("key")) { try redactor(("key", "abc")) }
    #expect(throws: Never.self) { try redactor(("key", "é é")) }
    #expect(try !redactor(("key", "")).isActive)
  }

  @Test func `the first name of a secret stays`() throws {
    #expect(
      try redactor(("a", "hunter22"), ("b", "hunter22")).redacted("hunter22") == "${secret:a}")
  }

  @Test func `what was redacted is not redacted again`() throws {
    let redactor = try redactor(("secret", "secret"), ("a", "hunter22"))
    let once = redactor.redacted("hunter22 secret \(base64("hunter22"))")

    #expect(once == "${secret:a} ${secret:secret} ${secret:a:base64}")
    #expect(redactor.redacted(once) == once)
  }

  // MARK: - Encoded

  @Test(arguments: [
    "s3~cr%2Bt%2F%22k%5Cy%20%26%C3%A9%3E%3F~~", "s3~cr%2bt%2f%22k%5cy%20%26%c3%a9%3e%3f~~",
    "s3~cr%2Bt/%22k%5Cy+%26%C3%A9%3E%3F%7E~", #"s3~cr+t/\"k\\y &é>?~~"#,
    #"s3~cr+t\/\"k\\y \u0026\u00e9\u003E\u003f~~"#, #"s3~cr+t/\"k\\y &\u{e9}>?~~"#,
    #"s3~cr%2Bt/\"k%5Cy%20&é>?~~"#, #"s3~cr+t/\\\"k\\\\y &é>?~~"#,
    "s3~cr%252Bt%252F%2522k%255Cy%2520%2526%25C3%25A9%253E%253F~~",
  ]) func `a secret is hidden under escapes`(_ text: String) throws {
    #expect(try redactor(("key", Self.secret)).redacted("<\(text)>") == "<${secret:key}>")
  }

  @Test func `a plus sign is hidden where it was read as a blank`() throws {
    let redactor = try redactor(("key", "kJ8+vQz1/Xw3+Tt0pLm=="))

    #expect(redactor.redacted(#"{"key": "kJ8 vQz1/Xw3 Tt0pLm=="}"#) == #"{"key": "${secret:key}"}"#)
    #expect(redactor.redacted("kJ8 vQz1%2FXw3 Tt0pLm%3D%3D") == "${secret:key}")
    #expect(redactor.redacted("kJ8 vQz1/Xw3") == "kJ8 vQz1/Xw3")
  }

  @Test(arguments: [
    "a&lt;b&gt;&amp;&quot;c&#x27;d", "a&lt;b&gt;&amp;&#34;c&#39;d", "a&lt;b>&amp;\"c&apos;d",
    "a&#60;b&#X3e;&#x000026;&quot;c'd", #"a\u0026lt;b\u0026gt;\u0026amp;\u0026quot;c\u0026#39;d"#,
    "a&amp;lt;b&amp;gt;&amp;amp;&amp;quot;c&amp;#39;d", #"a<b>&"c'"'"'d"#, #"a<b>&"c'\''d"#,
    #"a<b>&\"c'\"'\"'d"#, #"a<b>&\"c'\\''d"#,
  ]) func `a secret is hidden as HTML and as shells quote it`(_ text: String) throws {
    #expect(try redactor(("key", #"a<b>&"c'd"#)).redacted("<\(text)>") == "<${secret:key}>")
  }

  @Test(arguments: [
    (#""say \"no\"""#, #""${secret:key}""#), (#""say ""no""""#, #""${secret:key}""#),
    (#"say "no""#, "${secret:key}"), (#"'say "no"'"#, "'${secret:key}'"),
    (#"{\"k\":\"say \\\"no\\\"\"}"#, #"{\"k\":\"${secret:key}\"}"#),
  ]) func `the quotation marks around a secret that ends with one stay`(
    _ text: String, _ expected: String
  ) throws {
    #expect(try redactor(("key", #"say "no""#)).redacted(text) == expected)
  }

  @Test(arguments: ["&", "&#", "&#;", "&#x;", "&#1114112;", "&nbsp;", "&lt", "a&b;c", "&&amp;;"])
  func `what is no reference to a character is a text as any other`(_ text: String) throws {
    let redactor = try redactor(("key", "hunter22"))

    #expect(redactor.redacted(text) == text)
    #expect(redactor.redacted("\(text)hunter22\(text)") == "\(text)${secret:key}\(text)")
  }

  @Test(arguments: [#"\u{41"#, #"%41\u{41"#, #"hunter2\u{41"#, #"\u{"#])
  func `an escape that is cut off is a text as any other`(_ text: String) throws {
    #expect(try redactor(("key", "hunter3")).redacted(text) == text)
  }

  @Test func `a secret is hidden in hexadecimal digits`() throws {
    let redactor = try redactor(("key", "\u{1}key~"))

    #expect(redactor.redacted("x016b65797ex") == "x${secret:key:hex}x")
    #expect(redactor.redacted("x016B65797Ex") == "x${secret:key:hex}x")
  }

  @Test(arguments: ["", "u", "us", "use", "user:"], ["", "e", "en", "end", ": end"])
  func `a secret is hidden in base 64 wherever it stands`(_ before: String, _ after: String) throws
  {
    let text = base64(before + Self.secret + after)
    let url = text.replacing("+", with: "-").replacing("/", with: "_")

    for text in [text, text.replacing("=", with: ""), url, url.replacing("=", with: "")] {
      let redacted = try redactor(("key", Self.secret)).redacted("<\(text)>")

      #expect(redacted.withoutContents == "<${secret:key:base64}>")
      #expect((redacted == redacted.withoutContents) == (before + after).isEmpty)
    }
  }

  @Test func `base 64 of JSON, and base 64 in a query, are looked into`() throws {
    let redactor = try redactor(("key", Self.secret))
    let json = base64(#"{"t":"s3~cr+t/\"k\\y &é>?~~"}"#)
    let query = base64(Self.secret).replacing("+", with: "%2B").replacing("/", with: "%2f")

    #expect(redactor.redacted(json).withoutContents == "${secret:key:base64}")
    #expect(
      redactor.redacted("?k=\(query.replacing("=", with: "%3D"))&x") == "?k=${secret:key:base64}&x")
  }

  // MARK: - What a replay relies on

  /// Ways in which a scenario or a component may derive a text from a secret.
  static let derivations: [@Sendable (String) -> String] = [
    { $0 }, { "Bearer \($0)!" }, { Data($0.utf8).base64EncodedString() },
    { Data("user:\($0)".utf8).base64EncodedString() },
    { Data("u\($0): and more".utf8).base64EncodedString() },
    { "Basic \(Data("ab\($0)\($0)c".utf8).base64EncodedString()), \($0)" },
    { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" },
    { "?q=" + ($0.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "") },
    { String(decoding: (try? JSONEncoder().encode([$0])) ?? Data(), as: UTF8.self) },
    { $0.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() },
  ]

  @Test(arguments: derivations.indices, [secret, "hunter22", "~~~~", "a\nb c\n"])
  func `what is derived from a placeholder has the same form as what is derived from the secret`(
    _ index: Int, _ secret: String
  ) throws {
    let derive = Self.derivations[index]
    let live = try redactor(("key", secret)).redacted(derive(secret))
    let replayed = try redactor(("key", "${secret:key}")).redacted(derive("${secret:key}"))

    #expect(live.contains("${secret:key"))
    #expect(live == replayed)
  }
}

extension String {
  /// The text without the digests of what was encoded with a secret.
  var withoutContents: String { replacing(/:base64:[0-9a-f]{16}\}/, with: ":base64}") }
}
