import FlowCore

// Components that the registry accepts or refuses; none keeps anything.

extension ErrorCode {
  static let refused = ErrorCode("refused", "It does not want to.")
}

extension Component where Settings == Void {
  /// An operation that does nothing, with these fields in and out.
  fileprivate static func operation<Input: Sendable, Output: Sendable>(
    _ name: String, _ input: Record<Input>, _ output: Record<Output>, _ answer: Output
  ) -> Operation<Self> {
    Operation(name, "Does nothing.", input: input, output: output) { _, _, _ in answer }
  }
}

private func plugin(_ name: String) -> Plugin {
  Plugin(name, version: "1.0", summary: "Is registered, or not.")
}

struct Valid: Component {
  static let plugin = Plugin("valid", version: "1.0", summary: "Doubles points.")
  static let operations: [Operation<Valid>] = [
    Operation(
      "double", "Doubles a point.", input: Point.record, output: Point.record, retry: .safe
    ) { _, point, _ in Point(x: point.x * 2, y: point.y * 2) },
    Operation("refuse", "Fails.", input: .none, output: .none, errors: [.refused]) { _, _, _ in
      throw ComponentError(.refused, "not today")
    },
  ]

  init(configuration: Void, context: Context) {}
}

struct Other: Component {
  static let plugin = Plugin("valid", version: "2.0", summary: "Has a name that is taken.")
  static let operations: [Operation<Other>] = []

  init(configuration: Void, context: Context) {}
}

struct TwiceOperation: Component {
  static let plugin = FlowCoreTests.plugin("twice")
  static let operations: [Operation<TwiceOperation>] = [
    operation("go", .none, .none, ()), operation("stay", .none, .none, ()),
    operation("go", .none, .none, ()),
  ]

  init(configuration: Void, context: Context) {}
}

struct TwiceEvent: Component {
  static let plugin = FlowCoreTests.plugin("twice")
  static let operations: [Operation<TwiceEvent>] = []
  static let events = [
    EventKind("done", "It is done.", .none).description,
    EventKind("done", "It is done again.", .none).description,
  ]

  init(configuration: Void, context: Context) {}
}

struct SharedName: Component {
  static let plugin = FlowCoreTests.plugin("shared")
  static let operations: [Operation<SharedName>] = [operation("go", .none, .none, ())]
  static let events = [EventKind("go", "It went.", .none).description]

  init(configuration: Void, context: Context) {}
}

struct ErrorField: Component {
  static let plugin = FlowCoreTests.plugin("errors")
  static let operations: [Operation<ErrorField>] = [
    operation("go", .none, boxRecord("error"), Box(content: .null))
  ]

  init(configuration: Void, context: Context) {}
}

struct BadField: Component {
  static let plugin = FlowCoreTests.plugin("fields")
  static let operations: [Operation<BadField>] = [operation("go", boxRecord("a b"), .none, ())]

  init(configuration: Void, context: Context) {}
}

struct BadSetting: Component {
  static let plugin = FlowCoreTests.plugin("settings")
  static let settings = boxRecord("größe")
  static let operations: [Operation<BadSetting>] = []

  init(configuration: Box, context: Context) {}
}

struct BadEventField: Component {
  static let plugin = FlowCoreTests.plugin("events")
  static let operations: [Operation<BadEventField>] = []
  static let events = [EventKind("done", "It is done.", boxRecord("a.b")).description]

  init(configuration: Void, context: Context) {}
}

struct BadNestedField: Component {
  struct Spot: RecordRepresentable {
    var x: Int
    static let record = Record(Spot.init, Field("x y", \.x, "Somewhere."))
  }
  struct Spots: Sendable {
    var spots: [Spot]?
    static let record = Record(Spots.init, Field("spots", \.spots, "All of them."))
  }

  static let plugin = FlowCoreTests.plugin("nested")
  static let operations: [Operation<BadNestedField>] = [operation("go", Spots.record, .none, ())]

  init(configuration: Void, context: Context) {}
}

struct Named: Component {
  // The registry reads static members only, so the name cannot come in any other way.
  @TaskLocal static var operationName = "go"

  static let plugin = FlowCoreTests.plugin("fields")
  static var operations: [Operation<Named>] { [operation(operationName, .none, .none, ())] }

  init(configuration: Void, context: Context) {}
}

private func boxRecord(_ name: String) -> Record<Box> {
  Record(Box.init(content:), Field(name, \.content, "Anything."))
}
