internal import FlowSystem

/// The abilities of the client that matter here.
struct ClientCapabilities {
  let encoding: PositionEncoding
  /// True if completions may have places for the cursor.
  let takesSnippets: Bool
  /// True if edits may name versions of texts.
  let takesDocumentChanges: Bool
  /// True if edits may rename files.
  let renamesFiles: Bool
  /// True if the client can watch files for the server.
  let watchesFiles: Bool
  /// True if symbols may be nested.
  let nestsSymbols: Bool
  /// True if the client asks for the range of a name before it is renamed.
  let preparesRenames: Bool
  /// The kind of markup for hovers, `markdown` or `plaintext`.
  let markup: String

  static let markdown = "markdown"

  init(_ params: JSON) {
    let capabilities = params["capabilities"]
    let offered = capabilities?.at("general", "positionEncodings")?.elements.compactMap(\.string)
    encoding = (offered ?? []).contains(PositionEncoding.utf8.rawValue) ? .utf8 : .utf16
    let text = capabilities?["textDocument"]
    takesSnippets =
      text?.at("completion", "completionItem", "snippetSupport") == .bool(true)
    takesDocumentChanges =
      capabilities?.at("workspace", "workspaceEdit", "documentChanges") == .bool(true)
    watchesFiles =
      capabilities?.at("workspace", "didChangeWatchedFiles", "dynamicRegistration") == .bool(true)
    let operations = capabilities?.at("workspace", "workspaceEdit", "resourceOperations")
    renamesFiles = operations?.elements.contains(.string("rename")) ?? false
    nestsSymbols =
      text?.at("documentSymbol", "hierarchicalDocumentSymbolSupport") == .bool(true)
    let formats = text?.at("hover", "contentFormat")?.elements.compactMap(\.string) ?? []
    markup = formats.contains(Self.markdown) ? Self.markdown : "plaintext"
    preparesRenames = text?.at("rename", "prepareSupport") == .bool(true)
  }
}
