import FlowCore

// Components that the registry accepts or refuses; none keeps anything.

extension ErrorCode {
  static let refused = ErrorCode("refused", "It does not want to.")
}

/// An operation that does nothing, with these fields in and out.
private func operation<Owner: Component, Input: Sendable, Output: Sendable>(
  _ name: String, _ input: Record<Input>, _ output: Record<Output>, _ answer: Output
) -> Operation<Owner> {
  Operation(name, "Does nothing.", input: input, answers: output) { _, _, _ in answer }
}

private func plugin<Owner: Component>(
  _ name: String, events: [any DeclaredEvent] = [], _ operations: [Operation<Owner>] = [],
  open: @escaping @Sendable () -> Owner
) -> Plugin<Owner> {
  Plugin(
    name, version: "1.0", "Is registered, or not.", state: .none, events: events,
    operations: operations
  ) { _ in open() }
}

struct Valid: Component {
  static let plugin = Plugin(
    "valid", version: "1.0", "Doubles points.", state: .none,
    operations: [
      Operation(
        "double", "Doubles a point.", input: Point.record, answers: Point.record, retry: .safe
      ) { _, _, point in Point(x: point.x * 2, y: point.y * 2) },
      Operation("refuse", "Fails.", answers: .none, errors: [.refused]) { _, _ in
        throw ComponentError(.refused, "not today")
      },
    ]
  ) { _ in Valid() }
}

struct Other: Component {
  static let plugin = Plugin(
    "valid", version: "2.0", "Has a name that is taken.", state: .none, operations: []
  ) { _ in Other() }
}

struct TwiceOperation: Component {
  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "twice",
    [
      operation("go", .none, .none, ()), operation("stay", .none, .none, ()),
      operation("go", .none, .none, ()),
    ]
  ) { TwiceOperation() }
}

struct TwiceEvent: Component {
  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "twice",
    events: [
      EventKind("done", "It is done.", .none), EventKind("done", "It is done again.", .none),
    ]
  ) { TwiceEvent() }
}

struct BadError: Component {
  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "errors",
    [
      Operation("go", "Fails.", answers: .none, errors: [ErrorCode("not found", "None.")]) { _, _ in
      }
    ]
  ) { BadError() }
}

struct TwiceError: Component {
  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "twice", [Operation("go", "Fails.", answers: .none, errors: [.refused, .refused]) { _, _ in }]
  ) { TwiceError() }
}

struct SharedName: Component {
  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "shared", events: [EventKind("go", "It went.", .none)], [operation("go", .none, .none, ())]
  ) { SharedName() }
}

struct ErrorField: Component {
  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "errors", [operation("go", .none, boxRecord("error"), Box(content: .null))]
  ) { ErrorField() }
}

struct BadField: Component {
  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "fields", [operation("go", boxRecord("a b"), .none, ())]
  ) { BadField() }
}

struct BadSetting: Component {
  static let plugin = Plugin(
    "settings", version: "1.0", "Is registered, or not.", state: .none,
    settings: Parameter<Value>("größe", "Anything."), operations: []
  ) { _, _ in BadSetting() }
}

struct BadEventField: Component {
  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "events", events: [EventKind("done", "It is done.", boxRecord("a.b"))]
  ) { BadEventField() }
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

  static let plugin: Plugin<Self> = FlowCoreTests.plugin(
    "nested", [operation("go", Spots.record, .none, ())]
  ) { BadNestedField() }
}

struct Named: Component {
  // The registry reads static members only, so the name cannot come in any other way.
  @TaskLocal static var operationName = "go"

  static var plugin: Plugin<Self> {
    FlowCoreTests.plugin("fields", [operation(operationName, .none, .none, ())]) { Named() }
  }
}

private func boxRecord(_ name: String) -> Record<Box> {
  Record(Box.init(content:), Field(name, \.content, "Anything."))
}

struct Misnamed: Component {
  static let pluginName = "other"
  static var plugin: Plugin<Self> {
    FlowCoreTests.plugin("own", [operation("go", .none, .none, ())]) { Misnamed() }
  }
}
