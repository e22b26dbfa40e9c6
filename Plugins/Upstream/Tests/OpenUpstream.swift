import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// An open upstream with the address of its port.
struct OpenUpstream: Sendable {
  let component: OpenComponent
  let url: String

  init(_ settings: String = "{}", stubs: [String] = []) async throws {
    component = try await OpenComponent(Upstream.self, with: Self.fields(settings))
    url = try UpstreamAddress.record.decode(await component.call("address")).url
    for stub in stubs { _ = try await component.call("stub", Self.fields(stub)) }
  }

  /// Returns an answer or an error as text.
  func text(_ operation: String, _ input: String = "{}") async throws -> String {
    await component.text(operation, try Self.fields(input))
  }

  /// Returns the fields of a JSON object.
  static func fields(_ json: String) throws -> [String: any FieldValue] {
    guard case .map(let map) = try Value(json: Array(json.utf8)) else { return [:] }
    return Dictionary(map.entries.map { ($0.key.interpolated, $0.value as any FieldValue) }) { $1 }
  }
}

/// Runs scenarios in a folder.
struct UpstreamScenario {
  private let folder: TemporaryFolder
  private let registry: Registry
  let file: ScenarioFile

  init(_ text: String) throws {
    folder = try TemporaryFolder()
    try folder.write(text, to: "scenario.yaml")
    file = try ScenarioFile(folder.path("scenario.yaml"))
    registry = try Registry([
      Upstream.self, Callbacks.self, ShellClient.self, EchoServer.self, CallingServer.self,
      DatedServer.self,
    ])
  }

  func run() async -> ScenarioRun { await file.attempt(registry) }

  /// Returns the problems of a replay of a run.
  func replay(_ run: ScenarioRun, live: [String]) async throws -> [String] {
    try await replay(String(decoding: run.transcript, as: UTF8.self), live: live)
  }

  /// Returns the problems of a replay of a transcript.
  func replay(_ transcript: String, live: [String]) async throws -> [String] {
    try folder.write(transcript, to: "scenario.transcript.jsonl")
    return await file.problemsOfReplay(registry, live: live).map { message($0.text) }
  }

  /// Returns the messages of a run's problems.
  func messages(_ run: ScenarioRun) -> [String] { run.problems.map { message($0.text) } }

  private func message(_ text: String) -> String {
    let line = text.replacing(folder.path("scenario.yaml"), with: "")
    return String(line.prefix { $0 != "\n" })
  }
}

/// A program under test: a line of a shell.
struct ShellClient: Component {
  static let plugin = Plugin(
    "shell", version: "1.0", "Runs a line of a shell.", state: .none, reaches: [.process],
    operations: [
      Operation(
        "run", "Runs a line.", Parameter<String>("line", "The line."),
        Parameter<[String: String]>("env", "Variables.", default: [:]),
        answers: Record<String>("output", "The output.")
      ) { _, context, line, environment in
        try await context.outside {
          let ending = try await UpstreamPluginTests.run("sh", ["-c", line], environment)
          return ending.output + ending.errors
        }
      }
    ]
  ) { _ in ShellClient() }
}

/// A server in a role, which names itself and the request.
struct EchoServer: Component {
  static let plugin = Plugin(
    "echo", version: "1.0", "Repeats requests.", state: .none, reaches: [.network],
    settings: Parameter<String>("name", "The name."),
    operations: [
      Operation(
        "exchange", "Answers a request.", input: PassedRequest.record,
        answers: ServerAnswer.record
      ) { server, _, request in
        ServerAnswer(
          status: 200, headers: [:], json: nil, text: "\(server.name) \(request.path)\n",
          bytes: nil, stream: nil)
      },
      Operation(
        "piece", "Has none.", Parameter<String>("stream", "The stream."),
        answers: ServerPiece.record
      ) { _, _, _ in throw ComponentError(.unexpected, "there are no streams") },
    ]
  ) { _, name in EchoServer(name: name) }

  let name: String
}
