import FlowCommand
import Synchronization
import TestKit
import Testing

@testable import HTTPPlugin

/// Live comparison of fields that are made of headers.
@Suite struct ComparedCookieTests {
  private static let recorded = "sid=aaaa; Path=/; Secure"

  @Test(arguments: [
    ("sid.path", "sid=bbbb; Path=/; Secure", ""),
    (
      "sid.path", "sid=aaaa; Path=/evil; Secure", #"ok.cookies.sid.path: recorded "/", now "/evil""#
    ),
    ("sid.secure", "sid=aaaa; Path=/", "ok.cookies.sid.secure: recorded true, now false"),
    (
      "sid.value", "sid=bbbb; Path=/; Secure", #"ok.cookies.sid.value: recorded "aaaa", now "bbbb""#
    ),
  ])
  func `a read part of a cookie is compared, and no other part`(
    _ part: String, _ now: String, _ difference: String
  ) async throws {
    let cookie = Mutex(Self.recorded)
    let server = try TestServer(answering: { _ in
      TestServer.answer("200 OK", ["Set-Cookie: \(cookie.withLock { $0 })"])
    })
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      components: {api: {plugin: http, with: {base: "\(server.url)", timeout: 60m}}}
      steps: [{id: r, uses: api.get, with: {path: p}}]
      outputs: {read: "${{ steps.r.cookies.\(part) }}"}

      """, to: "s.yaml")
    let record = try await FlowCommandRun(
      ["run", "--record", "@/s.yaml"], in: folder, components: [HTTP.self])
    try #require(record.code == .passed, "\(record.errors)")

    cookie.withLock { $0 = now }
    let run = try await FlowCommandRun(
      ["test", "--live", "--update", "never", "@/"], in: folder, components: [HTTP.self])

    #expect(run.code == (difference.isEmpty ? .passed : .failed), "\(run.errors)")
    #expect(difference.isEmpty ? run.errors == "" : run.errors.contains(difference))
  }
}
