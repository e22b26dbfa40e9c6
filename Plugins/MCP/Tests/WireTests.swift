import FlowCommand
import FlowCore
import FlowSchema
import Foundation
import TestKit
import Testing

@testable import MCPPlugin

/// The official schemas of the revisions.
enum OfficialSchemas {
  private static let folder = URL(filePath: ProjectFiles.root).appending(
    path: "Tests/Protocols/mcp")

  static func document(_ name: String) throws -> Value {
    try Value(json: Array(try Data(contentsOf: folder.appending(path: "\(name).json"))))
  }

  /// The schemas of one revision.
  struct Revised {
    private var documents = SchemaDocuments()
    private let names: ValueMap
    private let keyword: String

    init(_ revision: Revision) throws {
      let document = try OfficialSchemas.document(revision.rawValue)
      documents["mcp.json"] = document
      keyword = document["$defs"] == nil ? "definitions" : "$defs"
      names = document[keyword]?.map ?? ValueMap()
    }

    /// The violations of a definition in a value, in words.
    func problems(_ value: Value, as name: String) throws -> String {
      var options = SchemaOptions()
      options.draft = keyword == "$defs" ? .draft2020 : .draft7
      let schema = try Schema("mcp.json#/\(keyword)/\(name)", in: documents, options: options)
      let violations = try schema.validate(value)
      return violations.isEmpty ? "" : "\(name): \(violations) in \(value.json)"
    }

    /// The definition of the messages with a method.
    func name(of method: String) -> String? {
      names.entries.first { $0.value["properties"]?["method"]?["const"]?.string == method }?.key
        .interpolated
    }
  }
}

@Suite(.serialized)
struct WireTests {
  @Test(arguments: Revision.allCases)
  func `every line on the wire is one of its revision`(_ revision: Revision) async throws {
    let project = try ServerProject(
      TestServer(revision: revision.rawValue),
      steps: """
          - {uses: it.act, with: {arguments: {a: 1}}}
          - {uses: it.read, with: {uri: "test://a"}}
          - {uses: it.prompt, with: {name: greet, arguments: {who: Ann}}}
        """, settings: ", with: {subscribe: [\"test://a\"]}")
    _ = try await project.lock()
    try project.folder.remove("wire.jsonl")

    let run = try await project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
    let schemas = try OfficialSchemas.Revised(revision)
    let lines = try project.folder.text("wire.jsonl").split(separator: "\n")
    #expect(lines.count > 8)
    for line in lines {
      let value = try Value(json: Array(line.dropFirst().utf8))
      let method = value["method"]?.string
      let name = try method.map { try #require(schemas.name(of: $0), "\($0)") } ?? "JSONRPCMessage"
      #expect(try schemas.problems(value, as: name) == "")
    }
  }

  @Test func `official examples of messages are read`() throws {
    let examples = try OfficialSchemas.document("2026-07-28.examples")
    let messages = (examples.map?.entries ?? []).filter { $0.value["jsonrpc"] != nil }

    #expect(messages.count > 20)
    for entry in messages where entry.value["id"]?.string == nil || entry.value["method"] != nil {
      #expect(Message(entry.value) != nil, "\(entry.key)")
    }
  }
}
