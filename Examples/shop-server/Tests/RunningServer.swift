import FlowCore
import Foundation
import TestKit
import Testing

/// The built server in a separate process, killed with this object.
final class RunningServer {
  let port: Int
  private let program: Program

  /// Starts it on a free port and waits until it is ready.
  init(_ arguments: [String] = [], password: String? = nil) throws {
    program = try Program(arguments, password: password)
    let line = program.firstLine()
    let prefix = "listening on http://127.0.0.1:"
    guard line.hasPrefix(prefix), let port = Int(line.dropFirst(prefix.count)) else {
      throw NotReady(output: line, ending: program.ending())
    }
    self.port = port
  }

  deinit { program.send(SIGKILL) }

  var processID: Int32 { program.processID }

  /// Sends one request over a new connection.
  func ask(_ request: String, _ headers: [String] = [], _ body: String = "") throws -> String {
    try Connection(port).ask(request, headers, body)
  }

  /// The answer to `GET /balance`.
  func balance() throws -> String { try ask("GET /balance") }

  /// Kills it without a chance to finish anything.
  func crash() {
    program.send(SIGKILL)
    _ = program.ending()
  }

  /// The end of the process after a signal.
  func end(by signal: Int32) -> Ending {
    program.send(signal)
    return program.ending()
  }

  struct NotReady: Error {
    let output: String
    let ending: Ending
  }
}

/// The end of a process.
struct Ending: Equatable {
  var code: Int32
  /// The output after the first line, if that was read.
  var output: String
  var errors: String
}

/// A process of the built program.
struct Program {
  private let process: ChildProcess

  init(
    _ arguments: [String], in folder: TemporaryFolder? = nil, password: String? = nil
  ) throws {
    process = try ChildProcess(
      BuiltProgram.url("shop-server").path, arguments,
      in: folder?.directory.path ?? ".", environment: password.map { ["SHOP_PASSWORD": $0] } ?? [:])
  }

  /// The first line of the output without its end.
  func firstLine() -> String { process.firstLine() }

  var processID: Int32 { process.processID }

  func send(_ signal: Int32) { process.send(signal) }

  /// Waits for the end.
  func ending() -> Ending {
    let ending = process.ending()
    return Ending(
      code: ending.signal == 0 ? ending.code : ending.signal, output: ending.output,
      errors: ending.errors)
  }
}

/// Does work in separate threads, which may wait, and returns the results in order.
func inThreads<Result: Sendable>(
  _ count: Int, _ work: @escaping @Sendable (Int) throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    for index in 0..<count {
      group.addTask {
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(with: Swift.Result { (index, try work(index)) })
          }
        }
      }
    }
    return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
