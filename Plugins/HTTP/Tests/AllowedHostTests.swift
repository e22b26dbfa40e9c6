import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

/// Requests to hosts that a run does not allow, which are not sent.
@Suite struct AllowedHostTests {
  private static func options(_ hosts: String...) throws -> LiveOptions {
    LiveOptions(network: try Network(allowing: hosts))
  }

  @Test(arguments: [
    ("http://example.invalid/a?b=c", "http://example.invalid/a?b=c", "example.invalid:80"),
    ("https://example.invalid", "https://example.invalid/", "example.invalid:443"),
    ("https://example.invalid:/", "https://example.invalid:/", "example.invalid:443"),
    ("http://127.1:8080", "http://127.1:8080/", "127.1:8080"),
    ("http://[::1]", "http://[::1]/", "[::1]:80"),
    ("http://[::1]:81", "http://[::1]:81/", "[::1]:81"),
    ("http://127.0.0.1:81x", "http://127.0.0.1:81x/", "127.0.0.1:81x"),
  ])
  func `a request to another host is forbidden`(
    _ url: String, _ shown: String, _ host: String
  ) async throws {
    let text = try await HTTP.with([:], options: Self.options("127.0.0.1", "[::1]:8080")) {
      await $0.text("get", ["url": url])
    }

    #expect(text == "forbidden: \(shown): '\(host)' is not among the allowed hosts")
  }

  @Test func `a request to an allowed host is sent, whatever the case of its letters`() async throws
  {
    let server = try TestServer.echo()
    defer { server.close() }

    let options = try Self.options("LOCALHOST:1", "127.0.0.1:\(server.port)")
    let text = try await HTTP.with(["base": server.url], options: options) {
      await $0.fields(["status"], "get", ["path": "echo"])
    }

    #expect(text == "{status: 200}")
  }

  @Test func `a redirect to another host is not followed`() async throws {
    let other = try TestServer.echo()
    defer { other.close() }
    let server = try TestServer(answering: { request in
      request.path == "/here"
        ? TestServer.answer("302 Found", ["Location: /away"])
        : TestServer.answer("302 Found", ["Location: \(other.url)/echo"])
    })
    defer { server.close() }

    let text = try await HTTP.with(
      ["base": server.url], options: Self.options("127.0.0.1:\(server.port)")
    ) { await $0.text("get", ["path": "here"]) }

    #expect(
      text == "forbidden: \(server.url)/away: a redirect leads to '127.0.0.1:\(other.port)', "
        + "which is not among the allowed hosts")
    #expect(server.requests.map(\.line) == ["GET /here", "GET /away"])
    #expect(other.requests.isEmpty)
  }

  @Test func `a redirect to another host is an answer when it is not to be followed`() async throws
  {
    let server = try TestServer(answering: { _ in
      TestServer.answer("302 Found", ["Location: http://example.invalid/"])
    })
    defer { server.close() }

    let settings: [String: any FieldValue] = ["base": server.url, "follow": false]
    let text = try await HTTP.with(settings, options: Self.options("127.0.0.1")) {
      await $0.fields(["status"], "get")
    }

    #expect(text == "{status: 302}")
  }

  @Test(arguments: [
    ("http://proxy.test", "proxy.test:1080"), ("https://proxy.test", "proxy.test:443"),
    ("socks5h://proxy.test:9", "proxy.test:9"),
  ])
  func `a proxy on another host is not used`(_ proxy: String, _ host: String) async throws {
    let text: String
    do {
      text = try await HTTP.with(
        ["proxy": proxy], options: Self.options("127.0.0.1", "proxy.test:80")
      ) { _ in "opened" }
    } catch {
      text = "\(error)"
    }

    #expect(text == "forbidden: 'proxy': '\(host)' is not among the allowed hosts")
  }

  @Test func `behind an allowed proxy, the host has to be allowed as well`() async throws {
    let proxy = try TestServer.echo()
    defer { proxy.close() }
    let options = try Self.options("127.0.0.1", "allowed.test")

    try await HTTP.with(["proxy": proxy.url], options: options) { http in
      let allowed = await http.fields(["status"], "get", ["url": "http://allowed.test/echo"])
      let other = await http.text("get", ["url": "http://other.test/echo"])

      #expect(allowed == "{status: 404}")
      #expect(
        other
          == "forbidden: http://other.test/echo: 'other.test:80' is not among the allowed hosts")
    }
    #expect(proxy.requests.count == 1)
  }
}
