import FlowCore
import FlowTesting
import Foundation
import Testing

@testable import HTTPPlugin

/// The one header `Cookie` (RFC 6265, section 5.4).
@Suite struct CookieTests {
  /// The lines with cookies that a server gets in some requests, after it has set two.
  private func lines(
    _ settings: [String: any FieldValue], _ calls: [[String: any FieldValue]]
  ) async throws -> [[String]] {
    let server = try TestServer(answering: { request in
      let isLogin = request.path == "/login"
      return TestServer.answer(
        "200 OK", isLogin ? ["Set-Cookie: user=7", "Set-Cookie: view=list; Path=/"] : [])
    })
    defer { server.close() }
    let settings = settings.merging(["base": server.url]) { $1 }
    try await HTTP.with(settings) { http in
      for input in calls { _ = try await http.call("get", input) }
    }
    return server.requests.map { request in
      request.lines.filter { $0.lowercased().hasPrefix("cookie:") }
    }
  }

  @Test func `cookies of a step and of the server are one header`() async throws {
    let lines = try await lines(
      [:],
      [
        ["path": "a", "headers": ["Cookie": "theme=dark"]], ["path": "login"],
        ["path": "b", "headers": ["cookie": "theme=dark; size=2"]], ["path": "c"],
      ])

    // The server's are in no order.
    let parts = lines.map { line in
      line.map { $0.dropFirst("Cookie: ".count).components(separatedBy: "; ").sorted() }
    }
    #expect(
      parts == [
        [["theme=dark"]], [], [["size=2", "theme=dark", "user=7", "view=list"]],
        [["user=7", "view=list"]],
      ])
  }

  @Test func `a step's cookies are in place of the component's`() async throws {
    let lines = try await lines(
      ["headers": ["Cookie": "theme=dark"]],
      [["path": "a"], ["path": "b", "headers": ["COOKIE": "size=2"]]])

    #expect(lines == [["Cookie: theme=dark"], ["Cookie: size=2"]])
  }
}
