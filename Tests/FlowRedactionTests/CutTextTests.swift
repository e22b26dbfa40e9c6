import FlowCore
import FlowRedaction
import Testing

/// Secrets in texts that were shortened before they are redacted.
@Suite struct CutTextTests {
  private static let secrets = [
    #"aaaa"bbbb"cccc"#, #"aaaa\bbbb\cccc"#, "aaaa\nbbbb\ncccc", "aaaa\u{7}bbbb\u{7}cccc",
    "aaaa\u{200F}bbbb",
  ]

  /// A redactor that hides the secret and what it begins with in messages.
  private func redactor(_ secret: String) throws -> Redactor {
    let redactor = Redactor()
    try redactor.add(secret, named: "token")
    return redactor
  }

  @Test(arguments: secrets) func `the beginning of a secret in a summary is hidden`(
    _ secret: String
  ) throws {
    let redactor = try redactor(secret)
    for count in 50..<80 {
      let value = Value.string(String(repeating: "x", count: count) + secret)

      let redacted = redactor.redacted(value.summary())

      #expect(!redacted.contains("aaaa"), "\(redacted)")
    }
  }

  @Test(arguments: secrets) func `a summary is not cut inside of an escape`(_ secret: String) {
    for limit in 2...20 {
      let summary = Value.string(secret).summary(limit: limit)
      let escapes = summary.replacing(#"\\"#, with: "").replacing(
        #/\\(["n]|u\{[0-9a-f]+\})/#, with: "")

      #expect(summary.count <= limit)
      #expect(!escapes.contains(#"\"#), "\(summary)")
    }
  }

  @Test(arguments: ["%", "%2", #"\"#, #"\u"#, #"\u0"#, #"\u00"#, #"\u002"#, #"\u{"#, #"\u{2f"#])
  func `the beginning of a secret before a part of an escape is hidden`(_ part: String) throws {
    #expect(try redactor("aaaa/bbbb").redacted("got aaaa\(part)…") == "got ${secret:token}…")
  }

  @Test func `what no escape begins is left before an ellipsis`() throws {
    #expect(try redactor("aaaa/bbbb").redacted(#"100%x… \x…"#) == #"100%x… \x…"#)
    #expect(try redactor("aaaa/bbbb").redacted(#"100%…"#) == #"100%…"#)
  }
}
