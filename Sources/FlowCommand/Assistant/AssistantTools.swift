internal import FlowCore
internal import FlowSystem

/// The tools of an assistant: commands of flow with captured output.
struct AssistantTools: Sendable {
  /// A command as a tool.
  struct Tool: Sendable {
    let name: String
    let description: String
    /// True if it starts no scenario, component or program, and writes nothing.
    let isReadOnly: Bool
    let parameters: [ToolParameter]
    /// Returns the command line.
    let command: @Sendable (ToolArguments) -> [String]
    /// Returns the parameter of a call that writes a file, or nil.
    var writing: @Sendable (ToolArguments) -> String? = { _ in nil }
  }

  /// The most bytes of a verdict, which is in an answer twice: as JSON and as text.
  private static let largestVerdict = 7 << 10
  private static let largestText = 14 << 10

  private let flow: FlowCommand
  /// The options repeated in every command: permissions and secrets.
  private let given: [ParsedArguments.Given]
  /// True if calls may record.
  private let allowsWriting: Bool
  /// The folder of all paths.
  private let folder: String

  init(
    _ flow: FlowCommand, given: [ParsedArguments.Given], allowsWriting: Bool,
    in folder: String = "."
  ) {
    self.flow = flow.leavingState(Self.largestVerdict)
    (self.given, self.allowsWriting, self.folder) = (given, allowsWriting, folder)
  }

  /// The tools, as a client lists them.
  var list: JSON { .array(Self.all.map(\.json)) }

  func tool(named name: String) -> Tool? { Self.all.first { $0.name == name } }

  /// Returns the members of the result of a call.
  func call(_ tool: Tool, _ arguments: JSON) async -> [JSON.Member] {
    do throws(ToolError) {
      let arguments = try ToolArguments(arguments, tool.parameters, below: folder)
      if let parameter = tool.writing(arguments), !allowsWriting {
        throw ToolError(
          message: "'\(parameter)' writes files, which needs 'flow mcp --allow-write'")
      }
      return await run(tool.command(arguments))
    } catch {
      return Self.result(error.message, isError: true)
    }
  }

  private func run(_ command: [String]) async -> [JSON.Member] {
    let captured = CapturedOutput()
    let code = await flow.capturing(captured).run(command + options(of: command[0]))
    let isError = ![ExitCode.passed, .failed, .badInput].contains(code)
    guard case .object(let members)? = try? JSONParser.parse(Array(captured.document.utf8)[...])
    else {
      let text = captured.output.isEmpty ? captured.errors : captured.output
      return Self.result(
        text.limited(toBytes: Self.largestText), isError: isError || code != .passed)
    }
    let verdict = JSON.object(members)
    return [.init("structuredContent", verdict)] + Self.result(verdict.text, isError: isError)
  }

  /// Returns the given options that a command has.
  private func options(of name: String) -> [String] {
    let known = Command.all.first { $0.syntax.name == name }?.syntax.options.map(\.name) ?? []
    return given.filter { known.contains($0.name) }.flatMap { ["--\($0.name)", $0.value] }
  }

  private static func result(_ text: String, isError: Bool) -> [JSON.Member] {
    let content = JSON.object([.init("type", .string("text")), .init("text", .string(text))])
    return [.init("content", .array([content])), .init("isError", .bool(isError))]
  }
}

extension AssistantTools.Tool {
  /// The tool as a client lists it.
  fileprivate var json: JSON {
    let schema: [JSON.Member] = [
      .init("type", .string("object")),
      .init("properties", .object(parameters.map(\.schema))),
      .init("required", .array(parameters.filter(\.isRequired).map { .string($0.name) })),
      .init("additionalProperties", .bool(false)),
    ]
    return .object([
      .init("name", .string(name)), .init("description", .string(description)),
      .init("inputSchema", .object(schema)),
      .init("annotations", .object([.init("readOnlyHint", .bool(isReadOnly))])),
    ])
  }
}

extension String {
  /// Returns the text in at most so many bytes, with a note on the rest.
  fileprivate func limited(toBytes limit: Int) -> String {
    if utf8.count <= limit { return self }
    let kept = String(decoding: utf8.prefix(limit), as: UTF8.self)
    return "\(kept)… and \(utf8.count - limit) more bytes"
  }
}
