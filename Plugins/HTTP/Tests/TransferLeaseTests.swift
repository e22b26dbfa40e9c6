import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// The connections that the next component takes over.
@Suite struct TransferLeaseTests {
  /// Does work in which no idle connection is closed.
  private func patiently<Success>(_ work: () async throws -> Success) async rethrows -> Success {
    try await IdleThreads.$patience.withValue(.seconds(3_600), operation: work)
  }

  @Test func `components use one connection, one after the other`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }

    try await patiently {
      for path in ["/a", "/b", "/c"] {
        try await HTTP.with(["base": server.url + path]) { _ = await $0.text("get") }
      }
    }

    #expect(server.requests.map(\.path) == ["/a", "/b", "/c"])
    #expect(server.connectionCount == 1)
  }

  @Test func `the next component has no cookie, login or header of the one before`() async throws {
    let server = try TestServer(answering: { _ in
      TestServer.answer("200 OK", ["Set-Cookie: size=1"])
    })
    defer { server.close() }
    let settings: [String: any FieldValue] = [
      "base": server.url, "user": "ann", "password": "open sesame", "headers": ["x-a": "1"],
    ]

    try await patiently {
      try await HTTP.with(settings) { http in
        _ = await http.text("get")
        _ = await http.text("get")
      }
      try await HTTP.with(["base": server.url]) { _ = await $0.text("get") }
    }

    let names = ["cookie", "authorization", "x-a"]
    #expect(
      server.requests.map { request in names.map { request.headers[$0] ?? "-" } } == [
        ["-", "Basic YW5uOm9wZW4gc2VzYW1l", "1"],
        ["size=1", "Basic YW5uOm9wZW4gc2VzYW1l", "1"], ["-", "-", "-"],
      ])
    #expect(server.connectionCount == 1)
  }

  @Test func `two components at once have a connection each`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }

    try await HTTP.with(["base": server.url]) { first in
      _ = await first.text("get")
      try await HTTP.with(["base": server.url]) { _ = await $0.text("get") }
    }

    #expect(server.connectionCount == 2)
  }

  @Test(arguments: [["insecure": Value.bool(true)], ["connect_timeout": .duration(.seconds(9))]])
  func `other options take another connection`(_ settings: [String: Value]) async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    let other = settings.merging(["base": .string(server.url)]) { $1 }

    try await patiently {
      try await HTTP.with(["base": server.url]) { _ = await $0.text("get") }
      try await HTTP.with(other) { _ = await $0.text("get") }
    }

    #expect(server.connectionCount == 2)
  }

  @Test func `an ended component makes no exchange for the next one`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }
    let options = TransferOptions(connectTimeout: .seconds(60), proxy: "", isInsecure: false)
    let address = try WebAddress(server.url)
    let transfer = Transfer(
      url: server.url, method: "GET", headers: [], timeout: .seconds(60), limit: 1_000)

    try await patiently {
      let ended = try TransferLease(options, to: address)
      _ = try await ended.send(transfer)
      await ended.end()
      let next = try TransferLease(options, to: address)
      await #expect(throws: CancellationError.self) { try await ended.send(transfer) }
      await #expect(throws: CancellationError.self) { try await ended.cookies(changedBy: []) }
      _ = try await next.send(transfer)
      await next.end()
    }

    #expect(server.requests.count == 2)
    #expect(server.connectionCount == 1)
  }

  #if os(Linux)
    @Test func `a connection that nobody takes is closed`() async throws {
      let server = try TestServer.echo()
      defer { server.close() }

      // In a process of its own, where no other test opens anything.
      await #expect(processExitsWith: .success) { [url = server.url as String] in
        try await HTTP.with([:]) { _ = try await $0.call("get", ["url": url]) }
        let before = try openDescriptors()
        try await IdleThreads.$patience.withValue(.zero) {
          for _ in 0..<20 { try await HTTP.with(["base": url]) { _ = try await $0.call("get") } }
        }
        while try openDescriptors() > before { await Task.yield() }
      }
    }
  #endif
}
