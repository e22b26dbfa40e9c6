import AlbumPlugin
import BalancePlugin
import BrowserPlugin
import CatalogPlugin
import DatabaseProxyPlugin
import FilePlugin
import FlowCore
import FlowSystem
import HTTPPlugin
import ImagesPlugin
import MCPPlugin
import ProcessPlugin
import RandomPlugin
import SQLPlugin
import ScreensPlugin
import TestKit
import Testing
import TimePlugin
import UpstreamPlugin
import WebSocketPlugin

@testable import FlowEditor

/// An editor at the desk: a folder of files, and a server that answers at once.
struct EditorDesk {
  let folder: TemporaryFolder
  var server: LanguageServer
  private var number = 0
  /// The latest problems of each file.
  private(set) var problems: [String: [JSON]] = [:]
  /// The messages for the person.
  private(set) var shown: [String] = []

  /// Starts a server for the files.
  init(_ files: [String: String] = [:], capabilities: JSON = EditorDesk.capabilities) throws {
    folder = try TemporaryFolder()
    for (path, text) in files { try folder.write(text, to: path) }
    server = try EditorDesk.server()
    _ = request("initialize", .fields(["capabilities": capabilities]))
  }

  static func server() throws -> LanguageServer {
    LanguageServer(
      EditorSettings(registry: try registry(), version: "1", formats: ["progress", "json"]))
  }

  /// The components of the program.
  static func registry() throws -> Registry {
    try Registry(
      [
        Album.self, Balance.self, Browser.self, Callbacks.self, Catalog.self, DatabaseProxy.self,
        Files.self, HTTP.self,
        Images.self, Processes.self, RandomValues.self, SQL.self, Screens.self, MCPStandIn.self,
        Times.self, Upstream.self, WebSocket.self,
      ], families: [MCP.self])
  }

  static let capabilities = JSON.fields([
    "general": .fields(["positionEncodings": .array([.string("utf-8")])]),
    "workspace": .fields([
      "workspaceEdit": .fields([
        "documentChanges": .bool(true), "resourceOperations": .array([.string("rename")]),
      ])
    ]),
    "textDocument": .fields([
      "documentSymbol": .fields(["hierarchicalDocumentSymbolSupport": .bool(true)]),
      "hover": .fields(["contentFormat": .array([.string("markdown")])]),
    ]),
  ])

  /// Sends a request, and returns its result, or its error.
  mutating func request(_ method: String, _ params: JSON) -> JSON {
    number += 1
    let id = JSON.int(number)
    let messages = server.receive(
      .message(
        .fields([
          "jsonrpc": .string("2.0"), "id": id, "method": .string(method), "params": params,
        ])))
    take(messages)
    let response = messages.first { $0["id"] == id }
    return response?["result"] ?? response?["error"] ?? .null
  }

  /// Sends a request whose answer may come later, and returns its result, or its error.
  mutating func requestLater(_ method: String, _ params: JSON) async -> JSON {
    let now = request(method, params)
    guard let later = server.takeLaterAnswers().first else { return now }
    let message = await later.message()
    server.end(later)
    return message["result"] ?? message["error"] ?? .null
  }

  mutating func notify(_ method: String, _ params: JSON) {
    take(
      server.receive(
        .message(
          .fields([
            "jsonrpc": .string("2.0"), "method": .string(method), "params": params,
          ]))))
  }

  /// Sends a part of the stream as it is.
  mutating func send(_ part: MessageStream.Part) { take(server.receive(part)) }

  private mutating func take(_ messages: [JSON]) {
    for message in messages where message["method"]?.string == "window/showMessage" {
      shown.append(message.at("params", "message")?.string ?? "")
    }
    for message in messages where message["method"]?.string == "textDocument/publishDiagnostics" {
      guard let uri = message.at("params", "uri")?.string else { continue }
      problems[uri] = message.at("params", "diagnostics")?.elements
    }
  }

  /// Does all work that the server has.
  mutating func work() {
    while let job = server.nextJob() { take(server.finish(job.run())) }
  }

  /// Starts the next work, which ends later.
  mutating func begin() -> AnalysisJob? { server.nextJob() }

  /// Takes the result of work that was started before.
  mutating func end(_ job: AnalysisJob) { take(server.finish(job.run())) }

  // MARK: - Texts

  func uri(_ name: String) -> String { DocumentURI.uri(of: EditorFiles.fullPath(of: path(name))) }
  func path(_ name: String) -> String { name.hasPrefix("/") ? name : folder.path(name) }

  /// Opens a text, that of the file if none is given.
  mutating func open(_ name: String, _ text: String? = nil, language: String = "flow") throws {
    let text = try text ?? folder.text(name)
    notify(
      "textDocument/didOpen",
      .fields([
        "textDocument": .fields([
          "uri": .string(uri(name)), "languageId": .string(language), "version": .int(1),
          "text": .string(text),
        ])
      ]))
  }

  /// Replaces the whole text.
  mutating func change(_ name: String, to text: String, version: Int) {
    notify(
      "textDocument/didChange",
      .fields([
        "textDocument": .fields(["uri": .string(uri(name)), "version": .int(version)]),
        "contentChanges": .array([.fields(["text": .string(text)])]),
      ]))
  }

  /// Returns the parameters of a request at a place, by line and column from 0.
  func place(_ name: String, _ line: Int, _ character: Int) -> JSON {
    .fields([
      "textDocument": .fields(["uri": .string(uri(name))]),
      "position": EditorPosition(line: line, character: character).json,
    ])
  }

  /// Returns the parameters of a request at the mark in a part of a file's text.
  func place(_ name: String, at part: String, newName: String? = nil) throws -> JSON {
    let (marked, text) = (MarkedText(part), try folder.text(name))
    let start = try #require(text.firstRange(of: marked.text)?.lowerBound)
    let place = MarkedText(text[..<start] + part)
    let params = self.place(name, place.line, place.column)
    return .fields([
      "textDocument": params["textDocument"], "position": params["position"],
      "newName": newName.map(JSON.string),
    ])
  }

  func document(_ name: String) -> JSON {
    .fields(["textDocument": .fields(["uri": .string(uri(name))])])
  }

  /// The problems of a file, each as `line:column code message`.
  func listed(_ name: String) -> [String] { (problems[uri(name)] ?? []).map(Self.line) }

  static func line(_ problem: JSON) -> String {
    let start = problem.at("range", "start").flatMap(EditorPosition.init)
    return "\(start?.line ?? -1):\(start?.character ?? -1) \(problem["code"]?.string ?? "") "
      + (problem["message"]?.string ?? "")
  }
}

/// A text with a mark at the cursor.
struct MarkedText {
  let text: String
  let offset: Int
  let line: Int
  let column: Int

  /// Takes a text with one `‸`.
  init(_ marked: String) {
    let parts = marked.split(separator: "‸", omittingEmptySubsequences: false)
    precondition(parts.count == 2, "the text needs one mark")
    text = String(parts[0]) + String(parts[1])
    offset = parts[0].utf8.count
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    (line, column) = (lines.count - 1, lines[lines.count - 1].utf8.count)
  }
}
