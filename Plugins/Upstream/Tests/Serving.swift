import Foundation
import Synchronization
import TestKit
import Testing

@testable import UpstreamPlugin

/// Answers one request of a listener.
typealias Handler = @Sendable (Listener, IncomingRequest) async -> Void

/// Serves every request in a separate task during a body, and closes the listener.
func serving<Result: Sendable>(
  _ listener: Listener, _ handler: @escaping Handler = Handlers.echo,
  _ body: @escaping @Sendable (Listener) async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask {
      await withDiscardingTaskGroup { tasks in
        for await request in listener.requests {
          tasks.addTask { await handler(listener, request) }
        }
      }
      return nil
    }
    group.addTask {
      do {
        let result = try await body(listener)
        await listener.close()
        return result
      } catch {
        await listener.close()
        throw error
      }
    }
    var result: Result?
    while let next = try await group.next() { result = next ?? result }
    return try #require(result)
  }
}

enum Handlers {
  /// Answers with the request as text.
  static let echo: Handler = { listener, request in
    let lines =
      ["\(request.method) \(request.target)"] + request.headers.map { "\($0.name): \($0.value)" }
    let text = lines.map { $0 + "\n" }.joined() + "\n"
    listener.answer(request, AnswerHead(status: 200), body: Array(text.utf8) + request.body)
  }

  /// Answers in the same way always.
  static func fixed(_ head: AnswerHead, _ body: String = "") -> Handler {
    { listener, request in listener.answer(request, head, body: Array(body.utf8)) }
  }
}

/// Runs a body that blocks on a thread of its own, since tasks of the listener need those of the pool.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
  -> Result
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// Runs a program to its end.
func run(_ program: String, _ arguments: [String], _ environment: [String: String] = [:])
  async throws -> ChildProcess.Ending
{
  try await onThread {
    try ChildProcess("/usr/bin/env", [program] + arguments, environment: environment).ending()
  }
}

/// Runs curl, silent but for errors.
func curl(_ arguments: String...) async throws -> String {
  let ending = try await run("curl", ["-sS", "--noproxy", "*"] + arguments)
  return ending.output + ending.errors
}

/// A socket of a client with bytes of a test's choice.
final class RawSocket: Sendable {
  let descriptor: Int32

  /// Connects to a port of this machine.
  init(_ port: Int) throws {
    #if os(Linux)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(port).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // The object is whole, so its end closes the descriptor. Closed twice, it could be another's.
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { Foundation.close(descriptor) }

  /// Sends bytes; false when the server has gone.
  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends the end, and goes on to receive.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Receives up to the end, which is named in angle brackets unless it is an orderly one.
  func rest() -> String {
    var text: [UInt8] = []
    while true {
      let count = receive(&text)
      if count < 0 { return String(decoding: text, as: UTF8.self) + "<\(name(Int32(-count)))>" }
      if count == 0 { return String(decoding: text, as: UTF8.self) }
    }
  }

  /// Receives all bytes up to the end.
  func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    while receive(&bytes) > 0 {}
    return bytes
  }

  /// Makes the end of the object a reset.
  func resetAtEnd() {
    var atOnce = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
  }

  /// Receives until the text ends in some way, and no byte more.
  func text(upTo end: String) -> String {
    var text: [UInt8] = []
    while !text.ends(with: end.utf8), receive(&text, 1) > 0 {}
    return String(decoding: text, as: UTF8.self)
  }

  /// Receives some bytes, and returns their number, or the negative code of an error.
  private func receive(_ text: inout [UInt8], _ room: Int = 65_536) -> Int {
    var buffer = [UInt8](repeating: 0, count: room)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    // At once: freeing the buffer may change it.
    if count < 0 { return -Int(errno) }
    text += buffer.prefix(count)
    return count
  }

  private func name(_ code: Int32) -> String {
    code == ECONNRESET ? "reset" : "error \(code)"
  }
}

/// Sends bytes on a new connection and returns everything that comes back.
func exchange(_ port: Int, _ bytes: [UInt8], finishing: Bool = false) async throws -> String {
  try await onThread {
    let socket = try RawSocket(port)
    socket.send(bytes)
    if finishing { socket.finish() }
    return socket.rest()
  }
}

func exchange(_ port: Int, _ text: String, finishing: Bool = false) async throws -> String {
  try await exchange(port, Array(text.utf8), finishing: finishing)
}

extension Collection where Element: Equatable {
  fileprivate func ends(with end: some BidirectionalCollection<Element>) -> Bool {
    count >= end.count && suffix(end.count).elementsEqual(end)
  }
}

/// A number that tasks count up.
final class Counter: Sendable {
  private let count = Mutex(0)

  func add() { count.withLock { $0 += 1 } }

  var value: Int { count.withLock { $0 } }
}
