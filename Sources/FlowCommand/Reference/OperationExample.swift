internal import FlowCore

extension ValueType {
  /// The record that a value of the type is or holds, and the path to it, such as `[*]`.
  ///
  /// Nil if there is none.
  var recordInside: (type: RecordType, path: String)? {
    switch self {
    case .record(let type): (type, "")
    case .optional(let wrapped): wrapped.recordInside
    case .list(let element), .map(let element):
      element.recordInside.map { ($0.type, "[*]" + $0.path) }
    default: nil
    }
  }
}

/// A sample step for an operation, made from the declarations of its fields.
struct OperationExample {
  private let uses: String
  private let input: [(name: String, value: Value)]

  /// Creates the example of an operation, for a component with the name of its plugin.
  init(_ operation: OperationDescription, of plugin: String) {
    uses = "\(plugin).\(operation.name)"
    input = Self.fields(of: operation.input)
  }

  /// The lines of the step in a scenario.
  var lines: [String] {
    if input.isEmpty { return ["- uses: \(uses)"] }
    let fields = input.map { "\(Value.keyText($0.name)): \($0.value)" }
    return ["- uses: \(uses)", "  with: {\(fields.joined(separator: ", "))}"]
  }

  /// Returns the sample input of an operation.
  static func input(of operation: OperationDescription) -> Value {
    .map(ValueMap(fields(of: operation.input).map { ($0.name, $0.value) }))
  }

  /// Returns the required fields, and the fields with a declared example.
  private static func fields(of type: RecordType) -> [(name: String, value: Value)] {
    type.fields.filter { $0.isRequired || !$0.examples.isEmpty }.map {
      ($0.name, $0.examples.first ?? value(of: $0.type))
    }
  }

  private static func value(of type: ValueType) -> Value {
    switch type {
    case .bool: .bool(true)
    case .int, .uint, .dynamic: .int(1)
    case .double: .double(1.5)
    case .decimal: .decimal(Decimal(1))
    case .string, .bytes: .string("...")
    case .enumeration(let names): .string(names.first ?? "...")
    case .timestamp: .timestamp(.epoch)
    case .duration: .duration(.seconds(1))
    case .list(let element): .list([value(of: element)])
    case .map(let element): .map(ValueMap([("key", value(of: element))]))
    case .optional(let wrapped): value(of: wrapped)
    case .record(let type):
      .map(ValueMap(fields(of: type).map { ($0.name, $0.value) }))
    }
  }
}
