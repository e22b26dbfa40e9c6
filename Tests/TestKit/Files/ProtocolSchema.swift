internal import FlowCore
package import FlowSchema

/// The official schemas of the Model Context Protocol.
package enum ProtocolSchema {
  /// The versions with a schema.
  package static let versions = [
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28",
  ]

  /// The schema of a definition in a version, such as `CallToolResult`.
  package static func named(_ name: String, _ version: String) throws -> Schema {
    var documents = SchemaDocuments()
    let text = try ProjectFiles.text("Tests/Protocols/mcp/\(version).json")
    documents["mcp.json"] = try Value(json: Array(text.utf8))
    let definitions = text.contains("\"$defs\"") ? "$defs" : "definitions"
    return try Schema("mcp.json#/\(definitions)/\(name)", in: documents)
  }
}
