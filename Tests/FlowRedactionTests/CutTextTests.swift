import FlowCore
import FlowRedaction
import Foundation
import Testing

/// Secrets in texts that were cut before they are redacted.
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

  @Test(arguments: [
    "%", "%2", #"\"#, #"\u"#, #"\u0"#, #"\u00"#, #"\u002"#, #"\u{"#, #"\u{2f"#, "&", "&#", "&#4",
    "&#x2", "&so", #"\ud83d"#, #"\ud83d\u"#, #"\ud83d\ude0"#,
  ])
  func `the beginning of a secret before a part of an escape is hidden`(_ part: String) throws {
    #expect(try redactor("aaaa/bbbb").redacted("got aaaa\(part)…") == "got ${secret:token}…")
  }

  @Test(arguments: [#"'"#, #"'""#, #"'"'"#, #"'"'""#, #"'\"#, #"'\'"#])
  func `the beginning of a secret before a part of a quotation mark is hidden`(
    _ part: String
  ) throws {
    #expect(try redactor("aaaa'bbbb").redacted("got aaaa\(part)…") == "got ${secret:token}…")
  }

  @Test func `what no escape begins is left before an ellipsis`() throws {
    #expect(try redactor("aaaa/bbbb").redacted(#"a 100%x-… \x-…"#) == #"a 100%x-… \x-…"#)
    #expect(try redactor("aaaa/bbbb").redacted(#"100%…"#) == #"100%…"#)
  }

  /// The ways to write a secret of which the beginning of each is tried.
  private static let forms: [@Sendable (String) -> String] = [
    { $0 }, { Data($0.utf8).base64EncodedString() },
    { "u:" + Data("user:\($0)".utf8).base64EncodedString() },
    { $0.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() },
    { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" },
    { $0.replacing("&", with: "&amp;").replacing("\"", with: "&#34;") },
    { String(decoding: (try? JSONEncoder().encode([$0])) ?? Data(), as: UTF8.self) },
    { Data(Data($0.utf8).base64EncodedString().utf8).base64EncodedString() },
    { Data("{\"t\":\"\($0.replacing("&", with: "\\u0026"))\"}".utf8).base64EncodedString() },
  ]

  @Test(arguments: forms.indices) func `no cut shows four bytes of a secret`(_ index: Int) throws {
    let secret = "Zq7hunter&/2\"Sword+fish99\u{FC}Plugh"
    let redactor = try redactor(secret)
    var chance = Chance(seed: UInt64(index))
    for _ in 0..<400 {
      let before = String(repeating: "x ", count: Int(chance.next() % 20))
      let text = before + Self.forms[index](secret) + " and more"
      let limit = before.count + 1 + Int(chance.next() % UInt64(text.count - before.count))
      let cut = text.shortened(to: limit)

      let shown = redactor.redacted(cut)

      // What says four bytes of the secret in this form is longer than them.
      let left = shown.dropFirst(before.count).prefix { $0 != "$" && $0 != "…" }
      let isWhole = shown.contains("${secret:token") || shown.hasSuffix(" and more")
      #expect(isWhole || !Self.says(String(left), secret), "\(cut): \(shown)")
    }
  }

  /// Returns true if a string contains four bytes of a secret in any form.
  private static func says(_ text: String, _ secret: String) -> Bool {
    let bytes = Array(secret.utf8)
    return (0...bytes.count - 5).contains { start in
      let part = bytes[start..<start + 4]
      let plain = String(decoding: part, as: UTF8.self)
      // Five have all bits of three bytes, and half of those of the fourth.
      let digits = Data(bytes[start..<start + 5]).base64EncodedString().prefix(6)
      let hexadecimal = part.map { String($0, radix: 16) }.joined()
      return [plain, String(digits), hexadecimal].contains { text.contains($0) }
    }
  }
}
