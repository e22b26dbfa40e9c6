import FlowCore
import FlowScenario
import FlowSchema
import TestKit
import Testing

/// The verdicts of the schema and of `flow check` on edits of real scenarios.
@Suite struct SchemaEditTests {
  private static let count = 400
  private static let values: [Value?] = [
    nil, .null, .bool(true), .int(0), .int(5), .decimal(Decimal(1)), .string("x"), .string("5"),
    .string("1s"), .string(""), .string("${{ 1 }}"), .string("${{ true }}"),
    .string("a ${{ 1 }} b"), .list([]), .list([.string("x")]), .map(ValueMap()),
    .map(ValueMap([("schema", .string("a.json"))])), .map(ValueMap([("error", .string("late"))])),
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `the schema refuses no edit that the checker accepts`() throws {
    var random = SeededGenerator(seed: 1, label: "edits")
    let copied = try BuiltFlow("cp -r '\(ScenarioFolder.path)' .", in: folder)
    let text = try BuiltFlow(#""$0" schema"#, in: folder).output
    let schema = try Schema(try Value(json: Array(text.utf8)))
    let scenarios = try ScenarioFolder.names().map { name in
      try DocumentReader.document(
        name + ".yaml", Array(try ScenarioFolder.text(name + ".yaml").utf8)
      ).value
    }

    var refused: Set<String> = []
    for number in 0..<Self.count {
      let edit = scenarios[Int.random(in: 0..<scenarios.count, using: &random)]
      var place = Int.random(in: 0..<edit.nodeCount, using: &random)
      let value = Self.values[Int.random(in: 0..<Self.values.count, using: &random)]
      let edited = edit.replacing(&place, with: value) ?? .null
      try folder.write(edited.json, to: "Scenarios/edit-\(number).json")
      if try !schema.accepts(edited) { refused.insert("edit-\(number).json") }
    }
    let check = try BuiltFlow(#"cd Scenarios && "$0" check edit-*.json"#, in: folder)
    let wrong = Set(
      check.errors.split(separator: "\n").filter { $0.contains(": error: ") }
        .compactMap { $0.split(separator: ":").first.map(String.init) })

    #expect(copied.code == 0)
    #expect(refused.subtracting(wrong) == [])
    #expect(refused.count > Self.count / 3)
    #expect(wrong.count < Self.count)
  }
}

extension Value {
  /// The number of values in it, with itself.
  fileprivate var nodeCount: Int {
    switch self {
    case .list(let elements): 1 + elements.map(\.nodeCount).reduce(0, +)
    case .map(let map): 1 + map.entries.map(\.value.nodeCount).reduce(0, +)
    default: 1
    }
  }

  /// Returns the value with another one, or none, in the place of the one with this number in
  /// file order.
  fileprivate func replacing(_ place: inout Int, with value: Value?) -> Value? {
    defer { place -= 1 }
    if place == 0 { return value }
    switch self {
    case .list(let elements):
      var inner = place - 1
      defer { place = inner + 1 }
      return .list(elements.compactMap { $0.replacing(&inner, with: value) })
    case .map(let map):
      var inner = place - 1
      defer { place = inner + 1 }
      return .map(
        ValueMap(
          map.entries.compactMap { entry in
            entry.value.replacing(&inner, with: value).map { (entry.key.interpolated, $0) }
          }))
    default: return self
    }
  }
}
