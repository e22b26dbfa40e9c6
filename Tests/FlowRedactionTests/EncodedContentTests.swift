import FlowCore
import FlowRedaction
import Foundation
import Testing

/// Texts in base 64 that differ in what they say besides a secret.
@Suite struct EncodedContentTests {
  private func redacted(_ text: String, _ secret: String) throws -> String {
    let redactor = Redactor()
    try redactor.add(secret, named: "key")
    return redactor.redacted(text)
  }

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("=", with: "")
  }

  /// Texts that are made of a secret, no two of which say the same.
  private static let texts: [@Sendable (String) -> String] = [
    { base64($0) }, { base64("ann:\($0)") }, { base64("eve:\($0)") }, { base64("a\($0)") },
    { base64("b\($0)") }, { base64("\($0):ro") }, { base64("\($0):rw") }, { base64("\($0)x") },
    { base64(base64($0)) }, { base64(base64("a\($0)")) }, { base64("\($0)\($0)") },
    { base64("\($0),\($0)") }, { "lists/show/\(base64($0))" }, { "lists/drop/\(base64($0))" },
    { "\(base64($0))/show" }, { "\(base64($0))/drop" }, { "\(base64("\($0):r"))/show" },
    { "\(base64("\($0):r"))_drop" }, { base64("a%20\($0)") },
    { base64("{\"user\":\"ann\",\"key\":\"\($0)\"}") },
    { base64("{\"user\":\"eve\",\"key\":\"\($0)\"}") },
  ]

  @Test(arguments: ["hunter22", "swordfish", "opensesame", "it\"s<it", "gr\u{FC}n-gr\u{FC}n"])
  func `texts that differ outside of a secret differ in their placeholders, as in a replay`(
    _ secret: String
  ) throws {
    let live = try Self.texts.map { try redacted($0(secret), secret) }
    let replayed = try Self.texts.map { try redacted($0("${secret:key}"), "${secret:key}") }

    #expect(live == replayed)
    #expect(Set(live).count == live.count)
  }

  @Test func `a digest tells nothing of a secret or of what a pattern hides`() throws {
    let digits = RedactionPattern { bytes in
      bytes.indices.filter { 0x30...0x39 ~= bytes[$0] }.map { $0..<$0 + 1 }
    }
    var found: Set<String> = []
    for (secret, number) in [("hunter", 1), ("swordfish", 2), ("opensesame", 3)] {
      let redactor = Redactor()
      redactor.use([digits])
      try redactor.add(secret, named: "key")
      found.insert(redactor.redacted("<\(Self.base64("card \(number): \(secret)!"))>"))
    }

    #expect(found.count == 1)
  }

  @Test func `a placeholder with a digest stays as it is unless a secret is its digest`() throws {
    let text = "${secret:key:base64:0123456789abcdef}"

    #expect(try redacted(text, "hunter22") == text)
    #expect(
      try redacted(text, "0123456789abcdef") == "${secret:key:base64:${secret:key}}")
  }

  @Test func `keys of a map that are hidden stay apart`() throws {
    let redactor = Redactor()
    try redactor.add("hunter/22", named: "key")
    let map = ValueMap([
      ("hunter/22", .int(1)), ("hunter%2F22", .int(2)), ("hunter\\/22", .int(3)), ("x", .int(4)),
    ])

    #expect(
      redactor.redacted(.map(map))
        == .map(
          ValueMap([
            ("${secret:key}", .int(1)), ("${secret:key} (2)", .int(2)),
            ("${secret:key} (3)", .int(3)), ("x", .int(4)),
          ])))
  }
}
