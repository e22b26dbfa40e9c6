import FlowRedaction
import Foundation
import Testing

/// Texts in base 64 that stand beside each other, joined by what could be a digit of them.
@Suite struct JoinedBase64Tests {
  private static let secrets = ["hunter2hunt3", "hunter2hunt33", "hunter2hunt333"]
  private static let joiners = ["/", "+", "-", "_", "", "//", "/a/", "_abc_", "-ab-"]

  private func redactor(_ secrets: (String, String)...) throws -> Redactor {
    let redactor = Redactor()
    for (name, secret) in secrets { try redactor.add(secret, named: name) }
    return redactor
  }

  private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  private func isHidden(_ text: String) -> Bool {
    text.contains("${secret:") && !text.contains("aHVudGVy") && !text.contains("hunter")
      && !text.contains("h1bnRlc") && !text.contains("odW50ZX")
  }

  @Test(arguments: joiners, secrets)
  func `a secret is hidden in each of the joined texts`(_ joiner: String, _ secret: String) throws {
    let redactor = try redactor(("token", secret))
    for before in ["", "u", "us", "user:"] {
      let one = base64(before + secret)
      for one in [one, one.replacing("=", with: "")] {
        for count in 2...4 {
          let text = Array(repeating: one, count: count).joined(separator: joiner)

          #expect(isHidden(redactor.redacted(text)), "\(text): \(redactor.redacted(text))")
        }
      }
    }
  }

  @Test(arguments: joiners) func `different secrets are hidden in joined texts`(
    _ joiner: String
  ) throws {
    let redactor = try redactor(("a", Self.secrets[0]), ("b", "swordfish-7"), ("c", "opensesame"))
    let encoded = ["hunter2hunt3", "u:swordfish-7", "opensesame"].map {
      base64($0).replacing("=", with: "")
    }

    let redacted = redactor.redacted(encoded.joined(separator: joiner))

    #expect(redacted.withoutContents == "${secret:a:base64}")
  }

  @Test(arguments: ["/", "+", "-", "_"]) func `what is joined is hidden with it`(
    _ joiner: String
  ) throws {
    let text = base64("hunter2hunt3") + joiner + base64("ann:hunter2hunt3") + joiner + "x"

    #expect(
      try redactor(("token", "hunter2hunt3")).redacted(text).withoutContents
        == "${secret:token:base64}\(joiner)x")
  }

  @Test func `joined texts are hidden in the path of an address`() throws {
    let one = base64("hunter2hunt3")

    #expect(
      try redactor(("token", "hunter2hunt3"))
        .redacted("https://a.example/\(one)/\(one)?k=\(one)").withoutContents
        == "https://a.${secret:token:base64}?k=${secret:token:base64}")
  }

  @Test func `a secret that stands plain or in digits behind a joiner is hidden`() throws {
    let redactor = try redactor(("token", "hunter2hunt3"))
    let one = base64("hunter2hunt3")
    let hexadecimal = "68756e74657232" + "68756e7433"

    #expect(
      redactor.redacted("\(one)/hunter2hunt3/\(one)").withoutContents
        == "${secret:token:base64}${secret:token}${secret:token:base64}")
    #expect(
      redactor.redacted("\(one)-\(hexadecimal)").withoutContents
        == "${secret:token:base64}${secret:token:hex}")
  }

  @Test(arguments: ["/", "+", "-", "_"]) func `joined texts have the form of their placeholders`(
    _ joiner: String
  ) throws {
    let derive = { (secret: String) in self.base64(secret) + joiner + self.base64("u:\(secret)") }
    let live = try redactor(("token", "hunter2hunt3")).redacted(derive("hunter2hunt3"))
    let replayed = try redactor(("token", "${secret:token}")).redacted(derive("${secret:token}"))

    #expect(live == replayed)
  }

  @Test(arguments: [
    (
      "f7qaFC>?d_BEB62", "cTB1aWVFeUVueUYl/ab/ZjdxYUZDPj9kX0JFQjYy/ab/Q2Y3cWFGQz4_ZF9CRUI2Mg/ab/x"
    ),
    (
      "uudqDqmy~-9wz48?\"se",
      "ZT5EdXVkcURxbXl-LTl3ejQ4PyJzZQNGQ/Pm91dWRxRHFteX4tOXd6NDg/InNlLUJCYz5rMmV1dWRxRHFteX4tOXd6"
        + "NDg/InNlcEFfdXVkcURxbXl-LTl3ejQ4PyJzZW5nMDg"
    ),
  ]) func `joined texts of different alphabets are hidden`(
    _ secret: String, _ text: String
  ) throws {
    #expect(
      try redactor(("token", secret)).redacted(text).withoutContents == "${secret:token:base64}")
  }
}
