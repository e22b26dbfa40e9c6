import FlowCore
import Testing

struct RegistryTests {
  static let rejected: [Row<[any Component.Type], String>] = [
    Row(
      "two plugins of one name", [Valid.self, Other.self],
      "two components are called 'valid': Valid and Other"),
    Row(
      "one type twice", [Valid.self, Valid.self],
      "two components are called 'valid': Valid and Valid"),
    Row(
      "two operations of one name", [TwiceOperation.self], "the plugin 'twice' declares 'go' twice"),
    Row("two events of one name", [TwiceEvent.self], "the plugin 'twice' declares 'done' twice"),
    Row(
      "an answer called error", [ErrorField.self],
      "'errors.go' answers a field 'error', which is kept for error codes"),
    Row("an error's code", [BadError.self], invalid("not found", of: "errors")),
    Row("two errors of one code", [TwiceError.self], "the plugin 'twice' declares 'refused' twice"),
    Row("a field's name", [BadField.self], invalid("a b", of: "fields")),
    Row("a setting's name", [BadSetting.self], invalid("größe", of: "settings")),
    Row("an event field's name", [BadEventField.self], invalid("a.b", of: "events")),
    Row("a field's name in a list of records", [BadNestedField.self], invalid("x y", of: "nested")),
    Row("the second type", [Valid.self, BadField.self], invalid("a b", of: "fields")),
  ]

  private static func invalid(_ name: String, of plugin: String) -> String {
    "the plugin '\(plugin)' declares the name '\(name)'; "
      + "a name is a letter, followed by letters, digits, '_' and '-'"
  }

  @Test(arguments: rejected)
  func `a list that cannot work is refused`(_ row: Row<[any Component.Type], String>) {
    #expect(text { _ = try Registry(row.input) } == row.expected)
  }

  @Test(arguments: ["", "1a", "-a", "_a", "a b", "a.b", "a/b", "é", "a\u{301}", "a\0", "a\n", "a$"])
  func `a name that scenarios cannot write is refused`(_ name: String) {
    let error = #expect(throws: RegistryError.self) { try names(name) }

    #expect(error == .invalidName(name, plugin: "fields"))
  }

  @Test(arguments: ["a", "A", "a1", "a-b", "a_b", "fetchAll", "z-"])
  func `a name of letters, digits, underscores and dashes is accepted`(_ name: String) throws {
    try names(name)
  }

  /// Registers a plugin with an operation of this name.
  private func names(_ name: String) throws {
    try Named.$operationName.withValue(name) { _ = try Registry([Named.self]) }
  }

  @Test
  func `an operation and an event may share a name`() throws {
    let registry = try Registry([SharedName.self])

    #expect(try registry.plugin(named: "shared")?.operationIndex("go") == 0)
  }

  @Test
  func `plugins are found by name, in the order of the list`() throws {
    let registry = try Registry([Valid.self, SharedName.self])

    #expect(try registry.plugins.map(\.plugin.name) == ["valid", "shared"])
    #expect(try registry.plugin(named: "shared")?.plugin.name == "shared")
    #expect(try registry.plugin(named: "other") == nil)
  }

  @Test
  func `a type with a name of its own is declared when it is asked for`() throws {
    let registry = try Registry(onDemand: [Named.self, Misnamed.self, Valid.self])

    #expect(registry.names == ["fields", "other", "valid"])
    #expect(try registry.plugin(named: "valid") != nil)
    #expect(
      text { _ = try registry.plugin(named: "other") }
        == "the plugin 'own' belongs to a type whose pluginName is 'other'")
    #expect(throws: RegistryError.self) { try registry.plugins }
  }

  @Test
  func `operations are found by name, in the order of the plugin`() throws {
    let plugin = try #require(try Registry([Valid.self]).plugin(named: "valid"))

    #expect(plugin.operations.map(\.name) == ["double", "refuse"])
    #expect(plugin.operationIndex("refuse") == 1)
    #expect(plugin.operationIndex("other") == nil)
    #expect(plugin.operations.map(\.retry) == [.safe, .never])
    #expect(plugin.operations[1].errors == [.refused])
  }

  @Test
  func `an input decides whether an operation may be repeated`() throws {
    let operation = Operation<Valid>(
      "go", "Goes.", input: Point.record, answers: .none, retry: { $0.x > 0 ? .safe : .never }
    ) { _, _, _ in }
    let point = { (x: Int) in Point.record.encode(Point(x: x, y: 0)) }

    #expect(operation.description.retry == nil)
    #expect(operation.description.isSafeToRepeat(point(1)))
    #expect(!operation.description.isSafeToRepeat(point(0)))
    #expect(!operation.description.isSafeToRepeat(.null))
  }

  @Test
  func `an open component answers by its records`() async throws {
    let component = try await open(Valid.self)

    let answer = try await component.calls[0](
      .map(ValueMap([("x", .int(3)), ("y", .int(4))])), context())

    #expect(answer.description == "{x: 6, y: 8}")
  }

  @Test
  func `an open component fails by its codes`() async throws {
    let component = try await open(Valid.self)

    let error = await #expect(throws: ComponentError.self) {
      _ = try await component.calls[1](.map(ValueMap()), context())
    }

    #expect(error?.description == "refused: not today")
  }

  @Test
  func `settings that do not fit open nothing`() async throws {
    let plugin = try #require(try Registry([Valid.self]).plugin(named: "valid"))

    let error = await #expect(throws: DecodeError.self) {
      _ = try await plugin.open(.map(ValueMap([("colour", .null)])), context())
    }

    #expect(error?.description == "'colour': unknown field")
  }

  private func open(_ type: any Component.Type) async throws -> LiveComponent {
    let registry = try Registry([type])
    return try await registry.plugins[0].open(.map(ValueMap()), context())
  }

  private func context() -> Context {
    let services = ContextServices(ContextServices.Options(directory: Directory("."))) { _, _, _ in
    }
    return Context(address: Address(path: "step"), services: services)
  }
}
