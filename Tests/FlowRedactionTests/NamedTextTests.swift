import FlowCore
import FlowRedaction
import Testing

/// Texts with the names of secrets, for the addresses of calls.
@Suite struct NamedTextTests {
  private static func redactor(_ secret: String) throws -> Redactor {
    let redactor = Redactor()
    redactor.use([
      RedactionPattern { bytes in
        String(decoding: bytes, as: UTF8.self).contains("card-4") ? [0..<bytes.count] : []
      }
    ])
    try redactor.add(secret, named: "token")
    return redactor
  }

  @Test(arguments: [
    ("GET bots/123:SECRET_abc/send", "GET bots/secret-token/send"),
    ("GET bots/123%3ASECRET%5Fabc/send", "GET bots/secret-token/send"),
    ("GET MTIzOlNFQ1JFVF9hYmM=", "GET secret-token"),
    ("GET 3132333a5345435245545f616263", "GET secret-token"),
    ("GET cards/card-4711", "redacted-1"), ("GET users/7", "GET users/7"),
  ])
  func `a text for an address has the names of secrets and patterns`(
    _ text: String, _ expected: String
  ) throws {
    #expect(try Self.redactor("123:SECRET_abc").named(text) == expected)
  }

  @Test func `it is the same for another text of the secret, and does not number the texts`() throws
  {
    let redactor = try Self.redactor("123:SECRET_abc")
    try redactor.add("456:OTHER_xyz", named: "token")

    let named = ["a/123:SECRET_abc", "a/456:OTHER_xyz"].map(redactor.named)
    _ = redactor.named("card-42")

    #expect(named == ["a/secret-token", "a/secret-token"])
    #expect(redactor.redacted("card-41") == "${redacted:1}")
  }

  @Test(arguments: [
    ("up#1/server.exchange.GET-bots-123-SECRET-abc-send#1", true),
    ("up#1/server.exchange.GET-users-123#1", false),
    ("up#1/server.exchange.GET-bots-secret-token-send#1", false),
  ])
  func `an address of an older recording is found by the characters that it keeps`(
    _ address: String, _ isShown: Bool
  ) throws {
    #expect(try Self.redactor("123:SECRET_abc").isShown(inAddress: address) == isShown)
  }
}
