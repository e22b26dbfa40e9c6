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
  /// The kinds of markup for hovers, `markdown` or `plaintext`.
  let markup: String

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
    markup = formats.contains("markdown") ? "markdown" : "plaintext"
  }
}

/// The abilities of the server.
struct ServerCapabilities {
  let json: JSON

  init(_ workspace: Workspace, _ features: [Feature]) {
    let sync = JSON.fields([
      "openClose": .bool(true), "change": .int(2),
      "save": .fields(["includeText": .bool(false)]),
    ])
    let fixed = [
      JSON.Member("positionEncoding", .string(workspace.encoding.rawValue)),
      JSON.Member("textDocumentSync", sync),
    ]
    let offered = features.compactMap { feature in
      feature.capability.map { JSON.Member($0.name, $0.value) }
    }
    json = .fields([
      "capabilities": .object(fixed + offered),
      "serverInfo": .fields([
        "name": .string("flow"), "version": .string(workspace.settings.version),
      ]),
    ])
  }
}

/// A request of the protocol, its answer, and how the server announces it.
struct Feature: Sendable {
  let method: String
  /// The member of the server's capabilities, or nil if another feature announces it.
  let capability: (name: String, value: JSON)?
  let answer: @Sendable (inout Workspace, JSON) throws(RPCError) -> JSON

  /// All features.
  static let all: [Feature] = [
    completion, hover, definition, references, highlights, rename, prepareRename, codeActions,
    symbols, folding, formatting, semanticTokens, inlayHints, codeLenses,
  ]
}
