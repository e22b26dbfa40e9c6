/// A component's type, erased: the one place where the engine meets a concrete component.
package struct RegisteredPlugin: Sendable {
  package let plugin: Plugin
  package let typeName: String
  package let settings: RecordType
  package let operations: [OperationDescription]
  package let events: [EventDescription]
  package private(set) var open: @Sendable (Value, Context) async throws -> LiveComponent
  /// Where a component with these settings keeps its state.
  package let state: @Sendable (Value) -> Plugin.State
  private let operationIndices: [String: Int]

  /// A type whose components are made when a scenario opens them.
  init<Concrete: Component>(erasing component: Concrete.Type) {
    let settings = Concrete.settings
    let operations = Concrete.operations
    self.init(component, settings, operations) { value, context in
      let instance = try await Concrete(
        configuration: try settings.decode(value), context: context)
      return LiveComponent(instance, operations)
    }
  }

  /// A component that is there already; what a scenario opens is this one.
  package init<Concrete: Component>(erasing instance: Concrete) {
    let settings = Concrete.settings
    let operations = Concrete.operations
    self.init(Concrete.self, settings, operations) { value, _ in
      // Settings that do not fit are a mistake of the scenario, though nobody reads them here.
      _ = try settings.decode(value)
      return LiveComponent(instance, operations)
    }
  }

  /// Something that answers in place of a type's components and is declared as they are.
  ///
  /// `answer` gets the operation, the input laid out by its type, and the call's context.
  package init<Concrete: Component>(
    standingInFor component: Concrete.Type,
    answer: @escaping @Sendable (OperationDescription, Value, Context) async throws -> Value
  ) {
    let settings = Concrete.settings
    let operations = Concrete.operations
    self.init(component, settings, operations) { value, _ in
      _ = try settings.decode(value)
      return LiveComponent(
        calls: operations.map { operation in
          { input, context in try await answer(operation.description, input, context) }
        })
    }
  }

  private init<Concrete: Component>(
    _ component: Concrete.Type, _ settings: Record<Concrete.Settings>,
    _ operations: [Operation<Concrete>],
    open: @escaping @Sendable (Value, Context) async throws -> LiveComponent
  ) {
    plugin = Concrete.plugin
    typeName = "\(component)"
    self.settings = settings.type
    self.operations = operations.map(\.description)
    events = Concrete.events
    operationIndices = Dictionary(
      operations.enumerated().map { ($1.description.name, $0) },
      uniquingKeysWith: { first, _ in first })
    state = { value in
      // Settings that do not decode fail the opening, which says why.
      guard let values = try? settings.decode(value) else { return Concrete.plugin.state }
      return Concrete.state(for: values)
    }
    self.open = open
  }

  /// The same plugin, whose components are opened in another way.
  package func opened(
    by open: @escaping @Sendable (Value, Context) async throws -> LiveComponent
  ) -> RegisteredPlugin {
    var copy = self
    copy.open = open
    return copy
  }

  /// The position of an operation, from 0.
  package func operationIndex(_ name: String) -> Int? {
    operationIndices[name]
  }

  func validate() throws(RegistryError) {
    let names = [plugin.name] + operations.map(\.name) + events.map(\.name)
    let records = operations.flatMap { [$0.input, $0.output] } + [settings] + events.map(\.payload)
    for name in names + records.flatMap(Self.fields(in:)).map(\.name) where !Self.isValid(name) {
      throw .invalidName(name, plugin: plugin.name)
    }
    for group in [operations.map(\.name), events.map(\.name)] {
      var seen: Set<String> = []
      for name in group where !seen.insert(name).inserted {
        throw .duplicateName(name, plugin: plugin.name)
      }
    }
    for field in records.flatMap(Self.fields(in:)) where field.isSecret && !field.type.canBeSecret {
      throw .secretField(field.name, plugin: plugin.name)
    }
    for operation in operations where operation.output.index(of: "error") != nil {
      throw .reservedField(operation: operation.name, plugin: plugin.name)
    }
  }

  /// A record's fields and those of the records inside it.
  private static func fields(in record: RecordType) -> [RecordType.Field] {
    record.fields.flatMap { [$0] + fields(in: $0.type) }
  }

  private static func fields(in type: ValueType) -> [RecordType.Field] {
    switch type {
    case .record(let record): fields(in: record)
    case .list(let element), .map(let element), .optional(let element): fields(in: element)
    default: []
    }
  }

  private static func isValid(_ name: String) -> Bool {
    let letters = name.unicodeScalars
    return letters.first.map { $0.properties.isAlphabetic && $0.isASCII } ?? false
      && letters.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_" || $0 == "-")
      }
  }
}

/// An open component: its operations, in the order the plugin declares them.
package struct LiveComponent: Sendable {
  package let calls: [@Sendable (Value, Context) async throws -> Value]
}

extension ValueType {
  /// Whether a value can be found again in a text.
  fileprivate var canBeSecret: Bool { self == .string || self == .optional(.string) }
}

extension LiveComponent {
  fileprivate init<Concrete: Component>(_ instance: Concrete, _ operations: [Operation<Concrete>]) {
    self.init(
      calls: operations.map { operation in
        { input, context in try await operation.call(instance, input, context) }
      })
  }
}
