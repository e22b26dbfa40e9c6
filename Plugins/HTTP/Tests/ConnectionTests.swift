import Dispatch
import FlowCore
import FlowTesting
import Foundation
import Synchronization
import TestKit
import Testing

@testable import HTTPPlugin

/// Resources that last longer than a request: connections, cookies, the thread.
@Suite struct ConnectionTests {
  @Test func `one connection serves request after request`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }

    try await HTTP.with(["base": server.url]) { http in
      for _ in 0..<20 { _ = try await http.call("get", ["path": "echo"]) }
    }

    #expect(server.requests.count == 20)
    #expect(server.connectionCount == 1)
  }

  struct Repetition: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let operation: String
    let input: [String: any FieldValue & Sendable]
    let isRepeated: Bool
  }

  static let repetitions: [Repetition] = [
    Repetition(testDescription: "get", operation: "get", input: [:], isRepeated: true),
    Repetition(testDescription: "post", operation: "post", input: ["body": "1"], isRepeated: false),
    Repetition(testDescription: "delete", operation: "delete", input: [:], isRepeated: false),
    Repetition(
      testDescription: "post with a key", operation: "post",
      input: ["body": "1", "idempotency": true], isRepeated: true),
    Repetition(
      testDescription: "a GET of a program", operation: "exchange",
      input: ["method": "GET", "path": ""], isRepeated: true),
    Repetition(
      testDescription: "a POST of a program", operation: "exchange",
      input: ["method": "POST", "path": "", "text": "1"], isRepeated: false),
    Repetition(
      testDescription: "a POST of a program with a key", operation: "exchange",
      input: ["method": "POST", "path": "", "headers": ["idempotency-key": "a"]],
      isRepeated: false),
  ]

  @Test(arguments: repetitions)
  func `a request that may change something is not sent again when its connection breaks`(
    _ example: Repetition
  ) async throws {
    let server = try TestServer { request, connection in
      if request.path == "/ready" { return connection.send(TestServer.answer()) }
      connection.reset()
      return false
    }
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url]) { http in
      // Several connections, so that another one would be free for the repetition.
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { _ = await http.text("get", ["path": "ready"]) } }
      }
      return [await http.text(example.operation, example.input)]
    }

    #expect(texts == ["protocol: \(server.url)/: the connection was lost"])
    let sent = server.requests.filter { $0.path == "/" }
    #expect((sent.count > 1) == example.isRepeated)
  }

  @Test func `a request is lost, not unsent, if its server goes away with it`() async throws {
    let open = Mutex<TestServer?>(nil)
    let server = try TestServer { request, connection in
      if request.path == "/ready" { return connection.send(TestServer.answer()) }
      open.withLock { $0 }?.close()
      connection.reset()
      return false
    }
    open.withLock { $0 = server }

    let texts = try await HTTP.with(["base": server.url]) { http in
      _ = await http.text("get", ["path": "ready"])
      return [await http.text("post", ["body": "1"]), await http.text("post", ["body": "1"])]
    }

    #expect(
      texts == [
        "protocol: \(server.url)/: the connection was lost",
        "unreachable: \(server.url)/: cannot connect",
      ])
  }

  @Test func `many requests at once all have their own answers`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }

    let answers = try await HTTP.with(["base": "\(server.url)/echo"]) { http in
      await withTaskGroup { group in
        for number in 0..<60 {
          group.addTask {
            let answer = await http.fields(["json"], "post", ["body": "\(number)"])
            return answer.contains("body: \"\(number)\"")
          }
        }
        return await group.reduce(into: [Bool]()) { $0.append($1) }
      }
    }

    #expect(answers == [Bool](repeating: true, count: 60))
  }

  @Test func `requests alone, at once, slow and cancelled take turns, and each has its own answer`()
    async throws
  {
    let server = try TestServer { request, connection in
      // Longer than a task drives a request by itself.
      if request.path.hasPrefix("/slow") { _ = connection.hasEnded(within: 5) }
      return connection.send(TestServer.answer("200 OK", ["X-Path: \(request.path)"]))
    }
    defer { server.close() }

    let wrong = try await HTTP.with(["base": server.url]) { http in
      @Sendable func isRight(_ path: String) async -> Bool {
        await http.fields(["headers"], "get", ["path": path]).contains("\"/\(path)\"")
      }
      var wrong: [String] = []
      for round in 0..<40 {
        let names = ["quick", "slow", "quick"].prefix(round % 4).enumerated()
        await withTaskGroup { group in
          for (index, name) in names {
            group.addTask { await isRight("\(name)/\(round)/\(index)") }
          }
          let lost = Task { await isRight("slow/\(round)/lost") }
          if round % 3 == 0 { lost.cancel() }
          _ = await lost.value
          if await group.contains(false) { wrong.append("\(round), several") }
        }
        if await !isRight("quick/\(round)") { wrong.append("\(round)") }
      }
      return wrong
    }

    #expect(wrong == [])
  }

  @Test func `cookies are kept, for one component alone`() async throws {
    let server = try TestServer(answering: { request in
      TestServer.answer("200 OK", request.path == "/login" ? ["Set-Cookie: id=7; HttpOnly"] : [])
    })
    defer { server.close() }

    for _ in 0..<2 {
      try await HTTP.with(["base": server.url]) { http in
        for path in ["a", "login", "b"] { _ = try await http.call("get", ["path": path]) }
      }
    }

    #expect(
      server.requests.map { "\($0.path) \($0.headers["cookie"] ?? "-")" } == [
        "/a -", "/login -", "/b id=7", "/a -", "/login -", "/b id=7",
      ])
  }

  // After quick ones the task itself drives a request at first.
  @Test(arguments: [0, 3])
  func `a cancelled request ends, and the next one has an answer`(quick: Int) async throws {
    let (arrivals, arrive) = AsyncStream.makeStream(of: String.self)
    let server = try TestServer { request, connection in
      guard request.path == "/silent" else { return connection.send(TestServer.answer()) }
      arrive.yield("arrived")
      connection.waitForEnd()
      arrive.yield("ended")
      return false
    }
    defer { server.close() }

    try await HTTP.with(["base": server.url]) { http in
      for _ in 0..<quick { _ = try await http.call("get") }
      let request = Task { try await http.call("get", ["path": "silent"]) }
      #expect(await arrivals.first { _ in true } == "arrived")
      request.cancel()
      await #expect(throws: CancellationError.self) { try await request.value }
      #expect(await arrivals.first { _ in true } == "ended")
      #expect(await http.fields(["status"], "get") == "{status: 200}")
    }
  }

  @Test func `a connection that is kept is not left open in other programs`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }

    try await HTTP.with(["base": server.url]) { http in
      _ = try await http.call("get")

      let kept = (0..<Int32(getdtablesize())).filter { Self.peerPort(of: $0) == server.port }
      #expect(kept.count == 1)
      #expect(kept.allSatisfy { fcntl($0, F_GETFD) == FD_CLOEXEC })
    }
  }

  /// The port at the other end of a descriptor's connection; nil for everything else.
  private static func peerPort(of descriptor: Int32) -> Int? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getpeername(descriptor, $0, &length)
      }
    }
    guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  @Test func `in virtual time a request has the real time of its timeout`() async throws {
    let server = try TestServer { request, connection in
      if request.path == "/echo" { return connection.send(TestServer.answer()) }
      connection.waitForEnd()
      return false
    }
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      name: Patience
      inputs: {base: {type: string}}
      components: {web: {plugin: http, with: {base: "${{ inputs.base }}"}}}
      steps:
        - uses: web.get
          with: {path: echo}
          timeout: 10m
        - uses: web.get
          with: {path: silent}
          timeout: 50ms
      """, to: "patience.yaml")
    var options = LiveOptions()
    options.isVirtualTime = true

    let run = try await ScenarioFile(folder.path("patience.yaml")).attempt(
      try Registry([HTTP.self]), inputs: ["base": server.url], options: options)

    #expect(run.failures.contains("error: 'web.get[2]#1' did not end within 0.05s [F2010]"))
  }

  @Test func `a request that is cancelled before it begins is not sent`() async throws {
    let server = try TestServer.echo()
    defer { server.close() }

    try await HTTP.with(["base": server.url]) { http in
      let request = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try await http.call("get")
      }
      await #expect(throws: CancellationError.self) { try await request.value }
    }

    #expect(server.connectionCount == 0)
  }

  #if os(Linux)
    @Test func `an idle connection keeps nothing of what was sent and received`() async throws {
      let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      // More than the allocator keeps for itself.
      let length = 40_000_000
      let server = try TestServer { request, connection in
        guard request.method == "POST" else { return connection.send(TestServer.answer()) }
        // Both at a time, which takes two handles.
        let (mine, other) = request.path == "/first" ? (first, second) : (second, first)
        mine.signal()
        other.wait()
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
        return connection.send([UInt8](repeating: 0, count: length))
      }
      defer { server.close() }

      // In a process of its own, where no other test has memory.
      await #expect(processExitsWith: .success) {
        [url = server.url as String, length = length as Int] in
        let options = TransferOptions(
          connectTimeout: .seconds(60), proxy: "", isInsecure: false)
        let thread = try TransferLease(options, to: nil)
        @Sendable func send(_ method: String, _ path: String, _ body: [UInt8]?) async throws {
          let url = url + path
          _ = try await thread.send(
            Transfer(
              url: url, method: method, headers: ["Expect:"], body: body, timeout: .seconds(60),
              limit: length))
        }
        let before = try residentBytes()
        async let first: Void = send("POST", "/first", [UInt8](repeating: 0, count: length))
        async let second: Void = send("POST", "/second", [UInt8](repeating: 0, count: length))
        _ = try await (first, second)
        // The thread makes it after it has finished with the others.
        try await send("GET", "/", nil)
        let growth = try residentBytes() - before
        precondition(growth < length, "\(growth) bytes more")
      }
    }

    @Test func `a component that is closed leaves no descriptor open`() async throws {
      let server = try TestServer.echo()
      defer { server.close() }

      // In a process of its own, where no other test opens anything.
      await #expect(processExitsWith: .success) { [url = server.url as String] in
        func visit() async throws {
          try await HTTP.with([:]) { _ = try await $0.call("get", ["url": url + "/echo"]) }
        }
        try await visit()
        let before = try openDescriptors()
        for _ in 0..<20 { try await visit() }
        let after = try openDescriptors()
        precondition(after == before, "\(before) descriptors became \(after)")
      }
    }
  #endif
}
