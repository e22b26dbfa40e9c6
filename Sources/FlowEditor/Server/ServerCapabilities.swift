internal import FlowSystem

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
      feature.capability.map { name, value in
        // Options of renaming are for clients that prepare it alone.
        let isPlain = name == "renameProvider" && !workspace.client.preparesRenames
        return JSON.Member(name, isPlain ? .bool(true) : value)
      }
    }
    json = .fields([
      "capabilities": .object(fixed + offered),
      "serverInfo": .fields([
        "name": .string("flow"), "version": .string(workspace.settings.version),
      ]),
    ])
  }
}

extension Feature {
  /// All features.
  static let all: [Feature] = [
    completion, hover, definition, references, highlights, rename, prepareRename, codeActions,
    symbols, folding, formatting, semanticTokens, inlayHints, codeLenses,
  ]
}
