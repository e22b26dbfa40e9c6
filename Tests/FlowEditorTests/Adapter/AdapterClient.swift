import FlowCore
import FlowRedaction
import FlowSchema
import FlowSystem
import Foundation
import Synchronization
import TestKit

@testable import FlowCommand
@testable import FlowEditor

/// A client of the debug adapter, which checks each message against the protocol's schema.
final class AdapterClient {
  /// The definitions of the protocol, by the draft that the validator knows.
  private static let schemas: SchemaDocuments = {
    var documents = SchemaDocuments()
    let text = try? ProjectFiles.text("Tests/Protocols/dap/debugAdapterProtocol.json")
      .replacing("draft-04", with: "draft-07")
    documents["dap.json"] = text.flatMap { try? Value(json: Array($0.utf8)) }
    return documents
  }()

  private let input: AsyncStream<MessageStream.Part>.Continuation
  private var messages: AsyncStream<JSON>.AsyncIterator
  private let serving: Task<Void, Never>
  private var count = 0
  /// The events that came while a response was awaited.
  private var events: [JSON] = []
  /// The violations of the schema so far, with their messages.
  private(set) var violations: [String] = []
  private let root: String

  /// Starts an adapter over the probe component, with options of the command, and with another run
  /// in place of live ones.
  init(
    in folder: TemporaryFolder, options: [String] = [], run: (@Sendable () async -> Void)? = nil
  ) throws {
    let (parts, input) = AsyncStream.makeStream(of: MessageStream.Part.self)
    let (messages, output) = AsyncStream.makeStream(of: JSON.self)
    let process = ProcessEnvironment(output: { _ in }, errorOutput: { _ in })
    let flow = CommandContext(
      registry: try Registry([Probe.self]), process: process, redactor: Redactor())
    let arguments = try ArgumentParser(syntax: Command.debug.syntax).parse(options)
    let made = flow.debugAdapter(try DebugOptions(arguments, flow)) { _ in }
    let launch = made.makeTarget
    let adapter = DebugAdapter(made.redactor) { arguments, log in
      var target = try launch(arguments, log)
      guard let run else { return target }
      target.run = { _, _, gate in
        await run()
        return .init(passed: false, problems: [])
      }
      return target
    } send: {
      output.yield($0)
    }
    (self.input, self.messages) = (input, messages.makeAsyncIterator())
    root = folder.directory.path + "/"
    serving = Task {
      await adapter.serve(parts)
      output.finish()
    }
  }

  /// Sends bytes as they are.
  func send(_ part: MessageStream.Part) { input.yield(part) }

  /// Sends a request, checked as well, and returns its response.
  func request(_ command: String, _ arguments: String = "") async throws -> JSON {
    count += 1
    let given = arguments.isEmpty ? "" : ", \"arguments\": \(arguments)"
    let text = "{\"seq\": \(count), \"type\": \"request\", \"command\": \"\(command)\"\(given)}"
      .replacing("@/", with: root)
    let message = try JSONParser.parse(Array(text.utf8)[...])
    check(message, command.definition + "Request")
    input.yield(.message(message))
    while let message = await next() {
      guard message["type"]?.string == "response" else {
        events.append(message)
        continue
      }
      return message
    }
    return .null
  }

  /// Returns the next event of a name, and drops those before it.
  func event(_ name: String) async -> JSON {
    while true {
      guard let event = events.isEmpty ? await next() : events.removeFirst() else { return .null }
      if event["event"]?.string == name { return event["body"] ?? .null }
    }
  }

  /// Ends the input, and waits for the adapter.
  func close() async {
    input.finish()
    await serving.value
  }

  private func next() async -> JSON? {
    guard let message = await messages.next(isolation: nil) else { return nil }
    if message["type"]?.string == "event" {
      check(message, (message["event"]?.string ?? "").definition + "Event")
    } else if message["success"] == .bool(true) {
      check(message, (message["command"]?.string ?? "").definition + "Response")
    } else {
      check(message, "ErrorResponse")
    }
    let text = message.text.replacing(root, with: "@/")
    return try? JSONParser.parse(Array(text.utf8)[...])
  }

  private func check(_ message: JSON, _ definition: String) {
    // A request of our own has the form of every request.
    let name = definition.hasPrefix("ContinueLive") ? String(definition.dropFirst(12)) : definition
    do {
      let schema = try Schema("dap.json#/definitions/\(name)", in: Self.schemas)
      let value = try Value(json: Array(message.text.utf8))
      let found = try schema.validate(value)
      if !found.isEmpty { violations.append("\(definition): \(found) in \(message.text)") }
    } catch {
      violations.append("\(definition): \(error)")
    }
  }
}

extension String {
  /// The name of a definition: `stackTrace` is defined as `StackTrace`.
  fileprivate var definition: String { prefix(1).uppercased() + dropFirst() }
}
