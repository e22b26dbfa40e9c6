import FlowCore

/// The operations of a server: one for each tool, `read`, `prompt`, and those for a stand-in.
struct ServerOperations {
  let all: [Operation<MCPServer>]

  /// Creates the operations of a description.
  ///
  /// - Throws: `MCPError.invalid` for two tools with one name, or a schema that cannot be used.
  init(_ description: ServerDescription) throws {
    var (operations, owners) = ([Operation<MCPServer>](), [String: String]())
    var tools: [Tool] = []
    for (name, fields) in description.tools {
      let tool = try Tool(name, fields)
      if let other = owners.updateValue(name, forKey: tool.operation) {
        throw MCPError.invalid(
          "the tools '\(ServerText.line(other))' and '\(ServerText.line(name))' are both "
            + "'\(tool.operation)' in scenarios")
      }
      operations.append(tool.declared)
      tools.append(tool)
    }
    if description.entry["resources"] == .bool(true) {
      operations.append(Resource.operation(owners["read"] == nil ? "read" : "read-resource"))
    }
    if !description.prompts.isEmpty {
      operations.append(Prompt.operation(owners["prompt"] == nil ? "prompt" : "get-prompt"))
    }
    // A role asks for it by this name, so a server with such a tool can have none.
    if owners["exchange"] == nil, owners["exchange-answer"] == nil {
      operations += [ServerExchange.operation(tools), ServerExchange.answer]
    }
    all = operations
  }
}

/// The reading of resources.
enum Resource {
  private static let answer = Record<[Value]>(
    "contents", "The contents, as the server returns them.")

  static func operation(_ name: String) -> Operation<MCPServer> {
    Operation(
      name, "Reads a resource.", Parameter<String>("uri", "The URI of the resource."),
      answers: answer, errors: [.failed, .malformed, .unavailable, .timeout], retry: .safe
    ) { server, context, uri in
      try await server.read(uri, context)
    }
  }
}

/// The getting of prompts.
enum Prompt {
  static func operation(_ name: String) -> Operation<MCPServer> {
    Operation(
      name, "Gets a prompt.", Parameter<String>("name", "The name of the prompt."),
      Parameter<[String: String]>("arguments", "The arguments of the prompt.", default: [:]),
      answers: PromptAnswer.record, errors: [.failed, .malformed, .unavailable, .timeout],
      retry: .safe
    ) { server, context, name, arguments in
      try await server.prompt(name, arguments, context)
    }
  }
}

/// A prompt with its arguments filled in.
struct PromptAnswer: Sendable {
  var description: String?
  var messages: [Value]

  static let record = Record(
    PromptAnswer.init(description:messages:),
    Field("description", \.description, "The purpose of the prompt."),
    Field("messages", \.messages, "The messages, as the server returns them."))
}
