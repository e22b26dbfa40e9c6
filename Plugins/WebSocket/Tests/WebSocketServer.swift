import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import WebSocketPlugin

/// A server in Python on the loopback interface, running until the value is released.
final class WebSocketServer: Sendable {
  /// `127.0.0.1:41234`.
  let host: String
  private let process: ChildProcess

  /// Starts the server of the scenarios, which needs no packages.
  convenience init() throws {
    try self.init(
      "/usr/bin/env",
      ["python3", "-B", ProjectFiles.root + "/Plugins/WebSocket/Scenarios/server.py"])
  }

  /// Starts a program in a Python with a module, which prints its port first.
  convenience init(_ program: String, with module: String) throws {
    try self.init(try #require(Python.having(module)), ["-c", program])
  }

  private init(_ path: String, _ arguments: [String]) throws {
    process = try ChildProcess(path, arguments)
    host = "127.0.0.1:\(try #require(Int(process.firstLine())))"
  }

  deinit { process.send(SIGKILL) }

  /// Waits for the next line that the server prints.
  func line() -> String { process.firstLine() }

  /// `ws://127.0.0.1:41234`.
  var url: String { "ws://\(host)" }
}

extension WebSocket {
  /// A component of a server, which is closed after the work.
  static func with<Success>(
    _ server: WebSocketServer, _ settings: [String: any FieldValue] = [:],
    options: LiveOptions = LiveOptions(), _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    // Far longer than a busy machine takes.
    let patience: [String: any FieldValue] = ["timeout": Duration.seconds(600), "base": server.url]
    let socket = try await OpenComponent(
      WebSocket.self, with: patience.merging(settings) { $1 }, options: options)
    do {
      let result = try await work(socket)
      await socket.close()
      return result
    } catch {
      await socket.close()
      throw error
    }
  }
}

/// Scenarios of one component, `it`.
enum WebSocketRun {
  /// Runs steps against a server, with an input `lines`.
  static func run(
    _ steps: String, _ server: WebSocketServer, with settings: String = "compress: true",
    lines: String = "", isVirtualTime: Bool = false
  ) async throws -> ScenarioRun {
    let folder = try TemporaryFolder()
    let indented = steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    try folder.write(
      """
      flow: 1
      name: Messages
      inputs:
        base: {type: string}
        lines: {type: string}
      components:
        it: {plugin: websocket, with: {base: "${{ inputs.base }}", timeout: 1h, \(settings)}}
      steps:
      \(indented)
      """, to: "messages.yaml")
    var options = LiveOptions()
    options.isVirtualTime = isVirtualTime
    return try await ScenarioFile(folder.path("messages.yaml")).attempt(
      try Registry([WebSocket.self]), inputs: ["base": server.url, "lines": lines],
      options: options)
  }
}
