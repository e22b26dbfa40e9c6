import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

/// Requests to a proxy, and the errors for its responses.
@Suite struct ProxyTests {
  static let refusals:
    [(settings: [String: any FieldValue & Sendable], status: String, text: String)] =
      [
        (
          [:], "407 Proxy Authentication Required",
          "the proxy returned 407 to CONNECT; give 'proxy_user' and 'proxy_password'"
        ),
        (
          ["proxy_user": "ann", "proxy_password": "letmein"], "407 No",
          "the proxy returned 407 to CONNECT; check 'proxy_user' and 'proxy_password'"
        ),
        (
          [:], "403 Forbidden",
          "the proxy returned 403 to CONNECT and does not connect to this server"
        ),
        (
          [:], "502 Bad Gateway",
          "the proxy returned 502 to CONNECT and does not connect to this server"
        ),
      ]

  @Test(arguments: refusals.indices)
  func `a tunnel that a proxy refuses is an error with the reason`(_ index: Int) async throws {
    let refusal = Self.refusals[index]
    let proxy = try TestServer(answering: { _ in
      TestServer.answer(refusal.status, ["Connection: close"])
    })
    defer { proxy.close() }
    let settings = refusal.settings.merging(["proxy": proxy.url, "base": "https://shop.invalid"]) {
      $1
    }

    let text = try await HTTP.with(settings) { await $0.text("get") }

    #expect(text == "unreachable: https://shop.invalid/: \(refusal.text)")
    #expect(proxy.requests.first?.line == "CONNECT shop.invalid:443")
  }

  @Test func `a proxy's user and header are told to the proxy alone`() async throws {
    let proxy = try TestServer(answering: { request in
      if request.method == "CONNECT" {
        return TestServer.answer("407 No", ["Connection: close"])
      }
      // Elsewhere, where the same proxy leads.
      return request.path.hasSuffix("/start")
        ? TestServer.answer("302 Found", ["Location: http://other.invalid/end"])
        : TestServer.answer()
    })
    defer { proxy.close() }
    let user: [String: any FieldValue] = [
      "proxy": proxy.url, "proxy_user": "ann", "proxy_password": "letmein",
    ]
    let header: [String: any FieldValue] = [
      "proxy": proxy.url, "headers": ["Proxy-Authorization": "Basic YW5uOmxldG1laW4="],
    ]

    for settings in [user, header] {
      try await HTTP.with(settings) { http in
        _ = await http.text("get", ["url": "https://shop.invalid/"])
        _ = await http.text("get", ["url": "http://shop.invalid/start"])
      }
    }

    #expect(
      proxy.requests.map { "\($0.line) \($0.headers["proxy-authorization"] ?? "-")" }
        == [
          "CONNECT shop.invalid:443", "GET http://shop.invalid/start",
          "GET http://other.invalid/end", "CONNECT shop.invalid:443",
          "GET http://shop.invalid/start", "GET http://other.invalid/end",
        ].map { "\($0) Basic YW5uOmxldG1laW4=" })
  }
}
