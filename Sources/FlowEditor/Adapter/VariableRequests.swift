internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// The values with parts that the client may ask for until the run moves.
struct VariableHandles {
  /// The content behind a number.
  enum Content {
    case entries([ValuesInSight.Entry])
    /// A value, and the expression for it.
    case value(Value, String)
  }

  /// A part of a content.
  struct Part {
    let name: String
    let value: Value?
    let type: String
    /// The expression for the part.
    let expression: String
  }

  /// The most contents at one place of a run.
  private static let most = 100_000

  private var contents: [Content] = []

  /// Returns the number of a content, or 0 if there are too many.
  mutating func reference(to content: Content) -> Int {
    guard contents.count < Self.most else { return 0 }
    contents.append(content)
    return contents.count
  }

  subscript(reference: Int) -> Content? {
    contents.indices.contains(reference - 1) ? contents[reference - 1] : nil
  }
}

extension VariableHandles.Content {
  /// The parts in order.
  var parts: [VariableHandles.Part] {
    switch self {
    case .entries(let entries):
      entries.map {
        .init(name: $0.shortName, value: $0.value, type: "\($0.type)", expression: $0.name)
      }
    case .value(let value, let expression): value.parts(expression)
    }
  }

  /// True if the parts have numbers for names.
  var isIndexed: Bool {
    if case .value(.list, _) = self { true } else { false }
  }
}

extension Value {
  /// The parts of a value that an expression makes.
  fileprivate func parts(_ expression: String) -> [VariableHandles.Part] {
    let part = { (name: String, value: Value, path: String) in
      VariableHandles.Part(name: name, value: value, type: value.kindName, expression: path)
    }
    switch self {
    case .record(let record):
      return zip(record.type.fields, record.values).map { field, value in
        part(field.name, value, "\(expression).\(field.name)")
      }
    case .map(let map):
      return map.entries.map { entry in
        let key = entry.key.summary(limit: 200)
        let name = if case .string(let text) = entry.key { text } else { key }
        return part(name, entry.value, "\(expression)[\(key)]")
      }
    case .list(let elements):
      return elements.enumerated().map { index, value in
        part("\(index)", value, "\(expression)[\(index)]")
      }
    default: return []
    }
  }

  /// The number of parts.
  var partCount: Int {
    switch self {
    case .record(let record): record.values.count
    case .map(let map): map.entries.count
    case .list(let elements): elements.count
    default: 0
    }
  }

  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}

extension DebugAdapter {
  /// The longest text of a value, in characters.
  private static let longest = 400

  func showVariables(_ request: AdapterRequest) throws(AdapterError) {
    _ = try stoppedSession()
    let reference = try request.arguments.wantedNumber("variablesReference") ?? 0
    guard let content = handles[reference] else {
      throw AdapterError("these values are no longer known")
    }
    let filter = try request.arguments.wantedText("filter")
    let fits = filter == nil || (filter == "indexed") == content.isIndexed
    let start = max(0, try request.arguments.wantedNumber("start") ?? 0)
    let count = try request.arguments.wantedNumber("count") ?? 0
    let parts = fits ? content.parts.dropFirst(start).prefix(count > 0 ? count : .max) : []
    output.respond(to: request, .fields([("variables", .array(parts.map(variable)))]))
  }

  private func variable(_ part: VariableHandles.Part) -> JSON {
    var members: [(String, JSON?)] = [
      ("name", .string(part.name)),
      ("value", .string(part.value?.summary(limit: Self.longest) ?? "(not set)")),
      ("type", .string(part.type)), ("evaluateName", .string(part.expression)),
    ]
    members += reference(to: part.value, part.expression)
    return .fields(members)
  }

  /// The members by which a client asks for the parts of a value.
  func reference(to value: Value?, _ expression: String) -> [(String, JSON?)] {
    guard let value, value.partCount > 0 else { return [("variablesReference", .int(0))] }
    let number = handles.reference(to: .value(value, expression))
    return [
      ("variablesReference", .int(number)),
      (value.isList ? "indexedVariables" : "namedVariables", .int(value.partCount)),
    ]
  }
}
