public import FlowCore

/// Programs in any language as plugins, by the Model Context Protocol.
///
/// A project declares them in `plugins` of flow.yaml, with the key `mcp`. flow.lock has their tools.
public enum MCP: PluginFamily {
  /// The key of a declaration.
  public static let key = "mcp"

  /// The fields of a declaration.
  public static let declaration = MCPDeclaration.record

  /// Checks a declaration.
  public static func check(_ declaration: MCPDeclaration) throws { try declaration.check() }

  /// Creates the plugin of a server from its entry in flow.lock.
  public static func plugin(
    _ declared: DeclaredPlugin<MCPDeclaration>, lock entry: Value
  ) throws -> Plugin<MCPServer> {
    let description = try ServerDescription(lock: entry)
    let place = try declared.declaration.place()
    let isProgram = if case .program = place { true } else { false }
    return Plugin(
      declared.name, version: description.version, description.summary,
      state: try declared.declaration.componentState(),
      reaches: isProgram ? [.process] : [.network],
      settings: isProgram ? MCPSettings.ofProgram : MCPSettings.ofURL,
      events: [
        ServerNews.listChanged, ServerNews.resourceUpdated, OtherClient.said, OtherClient.asked,
      ],
      operations: try ServerOperations(description).all
    ) { context, settings in
      try await MCPServer(declared, settings, description, context)
    }
  }

  /// Describes a server for flow.lock.
  public static func describe(
    _ declared: DeclaredPlugin<MCPDeclaration>, _ context: Context
  ) async throws -> Value {
    let description = try await context.outside {
      let session = try await ServerSession(declared, .standard, nil, context) { heard, context in
        // Nobody has asked for changes, and there is nothing to report them to.
        if case .noise = heard { ServerNews.report(heard, context) }
      }
      do {
        let description = try await ServerDescription(of: session)
        await session.close()
        return description
      } catch {
        await session.close()
        throw error
      }
    }
    // An entry that makes no plugin is refused now, and not when a scenario uses it.
    _ = try plugin(declared, lock: description.entry)
    return description.entry
  }
}
