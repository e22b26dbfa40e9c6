/// A component's type, erased: the one place where the engine meets a concrete component.
package struct RegisteredPlugin: Sendable {
  package let plugin: PluginDescription
  package let typeName: String
  package let settings: RecordType
  package let operations: [OperationDescription]
  package let events: [EventDescription]
  package private(set) var open: @Sendable (Value, Context) async throws -> LiveComponent
  /// Where a component with these settings keeps its state; settings that do not fit fail here as when it is opened.
  package let state: @Sendable (Value) throws -> ComponentState
  private let operationIndices: [String: Int]

  /// A type whose components are made when a scenario opens them.
  init<Concrete: Component>(erasing component: Concrete.Type) {
    let plugin = Concrete.plugin
    self.init(component, plugin) { value, context in
      do {
        let instance = try await plugin.open(value, context)
        return LiveComponent(instance, plugin.operations) { await instance.close() }
      } catch let error as any CodedError where !(error is ComponentError) {
        throw ComponentError(error.code, "\(error)")
      }
    }
  }

  /// A component that is there already; what a scenario opens is this one.
  package init<Concrete: Component>(erasing instance: Concrete) {
    let plugin = Concrete.plugin
    self.init(Concrete.self, plugin) { value, _ in
      // Settings that do not fit are a mistake of the scenario, though they are not read here.
      _ = try plugin.state(value)
      return LiveComponent(instance, plugin.operations)
    }
  }

  /// Something that answers in place of a type's components and is declared as they are.
  ///
  /// `answer` gets the operation, the input laid out by its type, and the call's context.
  package init<Concrete: Component>(
    standingInFor component: Concrete.Type,
    answer: @escaping @Sendable (OperationDescription, Value, Context) async throws -> Value
  ) {
    let plugin = Concrete.plugin
    self.init(component, plugin) { value, _ in
      _ = try plugin.state(value)
      return LiveComponent(
        calls: plugin.operations.map { operation in
          { input, context in try await answer(operation.description, input, context) }
        })
    }
  }

  private init<Concrete: Component>(
    _ component: Concrete.Type, _ plugin: Plugin<Concrete>,
    open: @escaping @Sendable (Value, Context) async throws -> LiveComponent
  ) {
    self.plugin = plugin.description
    typeName = "\(component)"
    settings = plugin.settings
    operations = plugin.operations.map(\.description)
    events = plugin.events
    operationIndices = Dictionary(
      operations.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    state = plugin.state
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

/// An open component: its operations, in the order the plugin declares them, and how it is closed.
package struct LiveComponent: Sendable {
  package let calls: [@Sendable (Value, Context) async throws -> Value]
  package private(set) var close: @Sendable () async -> Void = {}
}

extension ValueType {
  /// Whether a value can be found again in a text.
  fileprivate var canBeSecret: Bool { self == .string || self == .optional(.string) }
}

extension LiveComponent {
  fileprivate init<Concrete: Component>(
    _ instance: Concrete, _ operations: [Operation<Concrete>],
    close: @escaping @Sendable () async -> Void = {}
  ) {
    self.init(
      calls: operations.map { operation in
        { input, context in try await operation.call(instance, input, context) }
      })
    self.close = close
  }
}
