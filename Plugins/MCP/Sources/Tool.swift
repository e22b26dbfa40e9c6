import FlowCore
import FlowSchema

/// A tool of a server, from its entry in flow.lock.
struct Tool: Sendable {
  /// The name that the server has for it.
  let name: String
  /// The name in scenarios.
  let operation: String
  let input: ToolInput
  let output: Schema?
  /// The arguments that are headers, too, or nil for rules that only a server of a program may break.
  let mirrored: MirroredHeaders?
  private let fields: Value
  /// The error codes of the tool's own.
  let errors: [ErrorCode]

  /// Reads the entry of a tool.
  ///
  /// - Throws: `MCPError.invalid`.
  init(_ name: String, _ fields: Value) throws(MCPError) {
    self.name = name
    self.fields = fields
    operation = Self.operationName(of: name)
    input = ToolInput(fields["inputSchema"] ?? .null)
    mirrored = try? MirroredHeaders(fields["inputSchema"] ?? .null)
    do throws(SchemaError) {
      output = try fields["outputSchema"].map { (schema) throws(SchemaError) in
        try Schema(schema)
      }
    } catch {
      let reason = error.problems.first.map { "\($0)" } ?? "\(error)"
      throw .invalid(
        "the outputSchema of the tool '\(ServerText.line(name))' cannot be used: "
          + ServerText.line(reason))
    }
    errors = try Self.errors(fields["errors"], of: name)
  }

  /// The name in scenarios of a tool, whose own name may have characters that they cannot write.
  static func operationName(of name: String) -> String {
    let text = String(
      String.UnicodeScalarView(name.unicodeScalars.map { $0.isNamePart ? $0 : "-" }))
    return text.unicodeScalars.first?.isNameStart ?? false ? text : "tool-" + text
  }

  private static func errors(_ value: Value?, of tool: String) throws(MCPError) -> [ErrorCode] {
    var codes: [ErrorCode] = []
    for entry in value?.map?.entries ?? [] {
      let name = entry.key.interpolated
      guard name.isFieldName, !ErrorCode.ofTools.contains(where: { $0.name == name }) else {
        throw .invalid(
          "the tool '\(ServerText.line(tool))' has an error '\(ServerText.line(name))', "
            + "which scenarios cannot write or flow has itself")
      }
      codes.append(ErrorCode(name, ServerText.line(entry.value.string ?? "")))
    }
    return codes
  }

  /// The error code of the tool's own with a name, or nil.
  func error(named name: String) -> ErrorCode? { errors.first { $0.name == name } }

  /// True for a hint that is set in flow.lock.
  private func hint(_ name: String) -> Bool { fields["annotations"]?[name] == .bool(true) }

  /// True if it changes nothing, as flow.lock says.
  var isReadOnly: Bool { hint("readOnlyHint") }

  private var summary: String {
    let text = fields["description"]?.string ?? fields["title"]?.string ?? ""
    return text.isEmpty ? "The tool '\(ServerText.line(name))'." : ServerText.line(text)
  }

  /// The operation of the tool.
  var declared: Operation<MCPServer> {
    let isRepeatable = hint("idempotentHint") || isReadOnly
    let operation = Operation<MCPServer>(
      operation, summary, input: Record(input.type), answers: ToolAnswer.record,
      errors: ErrorCode.ofTools + errors, retry: isRepeatable ? .safe : .never
    ) { server, context, input in
      try await server.call(self, input, context)
    }
    .failing(ToolAnswer.record, ToolFaults.ofCalls(self))
    let type = output?.valueType ?? .dynamic
    var typed = type == .dynamic ? operation : operation.narrowing { _ in ["json": type] }
    if let output { typed = typed.describing(["json": output]) }
    return isReadOnly ? typed.readOnly : typed
  }
}

extension ErrorCode {
  /// The errors of every tool.
  static let ofTools: [ErrorCode] = [.failed, .malformed, .unavailable, .timeout, .inputRequired]
}

extension Unicode.Scalar {
  fileprivate var isNameStart: Bool { "a"..."z" ~= self || "A"..."Z" ~= self }
  fileprivate var isNamePart: Bool {
    isNameStart || "0"..."9" ~= self || self == "_" || self == "-"
  }
}

extension String {
  /// True for a name that scenarios can write.
  var isFieldName: Bool {
    unicodeScalars.first?.isNameStart ?? false && unicodeScalars.allSatisfy(\.isNamePart)
  }
}
