import FlowCore
import Testing

/// Which hosts a run lets its components connect to.
@Suite struct NetworkTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let pattern: String
    let host: String
    var port = 443
    let isAllowed: Bool
    var testDescription: String { "\(pattern) and \(host):\(port)" }
  }

  @Test(arguments: [
    Sample(pattern: "example.org", host: "example.org", isAllowed: true),
    Sample(pattern: "example.org", host: "EXAMPLE.org.", port: 1, isAllowed: true),
    Sample(pattern: "Example.ORG.", host: "example.org", isAllowed: true),
    Sample(pattern: "example.org", host: "www.example.org", isAllowed: false),
    Sample(pattern: "example.org", host: "badexample.org", isAllowed: false),
    Sample(pattern: "example.org", host: "example.org.evil.org", isAllowed: false),
    Sample(pattern: "example.org:443", host: "example.org", isAllowed: true),
    Sample(pattern: "example.org:443", host: "example.org", port: 80, isAllowed: false),
    Sample(pattern: "*.example.org", host: "www.example.org", isAllowed: true),
    Sample(pattern: "*.example.org", host: "a.b.example.org", isAllowed: true),
    Sample(pattern: "*.example.org", host: "example.org", isAllowed: false),
    Sample(pattern: "*.example.org", host: ".example.org", isAllowed: false),
    Sample(pattern: "*.example.org", host: "evil.org;.example.org", isAllowed: false),
    Sample(pattern: "*.example.org", host: "evil.org\u{ff0f}.example.org", isAllowed: false),
    Sample(pattern: "*.example.org:80", host: "www.example.org", isAllowed: false),
    Sample(pattern: "facebook.com", host: "faceboo\u{212a}.com", isAllowed: false),
    Sample(pattern: "localhost", host: "127.0.0.1", isAllowed: false),
    Sample(pattern: "127.0.0.1", host: "127.1", isAllowed: false),
    Sample(pattern: "[::1]", host: "[::1]", isAllowed: true),
    Sample(pattern: "[FE80::A]:443", host: "[fe80::a]", isAllowed: true),
    Sample(pattern: "[::1]:80", host: "[::1]", isAllowed: false),
    Sample(pattern: "[::1]", host: "::1", isAllowed: false),
  ])
  func `a host is allowed by its name and port`(_ sample: Sample) throws {
    let network = try Network(allowing: ["other.test", sample.pattern])

    #expect(network.allows(host: sample.host, port: sample.port) == sample.isAllowed)
    #expect(Network.unlimited.allows(host: sample.host, port: sample.port))
  }

  @Test(arguments: [
    "", "*", "*.", "*.*.org", "a.*.org", "https://example.org", "example.org/", "a b", "a..b", ".a",
    "ann@example.org", "::1", "[::1", "[]", "[x]", "[::1]80", "*.[::1]", "a:", "a:0", "a:65536",
    "a:+80", "a:80:80", "b\u{fc}cher.example",
  ])
  func `what is not a host is an error`(_ host: String) {
    #expect(
      text { try Network(allowing: [host]).allows(host: host, port: 80) }
        == "'\(host)' is not a host such as example.org, *.example.org, [::1] or localhost:8080")
  }

  @Test func `a host has to be allowed by every limit`() throws {
    let network = try Network(allowing: ["a.test", "b.test"])
      .limited(to: try Network(allowing: ["b.test:80", "c.test"]))

    #expect(
      ["a.test", "b.test", "c.test"].map { network.allows(host: $0, port: 80) } == [
        false, true, false,
      ])
    #expect(!network.allows(host: "b.test", port: 81))
    #expect(network.isLimited)
    #expect(!Network.unlimited.limited(to: .unlimited).isLimited)
  }
}
