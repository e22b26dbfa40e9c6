public import FlowCore

/// A client of a server, a component of scenarios.
public struct GRPCServer: PluginInstance {
  let client: GRPCClient
  let description: ServiceDescription
  let conversations = OpenStreams()
  let passed = OpenStreams()

  /// Checks the settings.
  ///
  /// The first call connects.
  init(
    _ settings: GRPCSettings, _ description: ServiceDescription, _ context: Context
  ) throws {
    self.description = description
    client = try GRPCClient(settings, description.schema, context)
  }

  /// Ends all calls and the connection.
  public func close() async {
    for stream in conversations.removeAll() + passed.removeAll() { stream.call.close() }
    client.close()
  }
}
