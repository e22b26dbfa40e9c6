import FlowCore
import TestSupport
import Testing

@testable import FlowTranscript

/// Changes of recorded values.
@Suite struct MutationTests {
  struct Sample: CustomTestStringConvertible {
    let type: ValueType
    let value: Value
    let changes: [String]

    var testDescription: String { "\(value)" }
  }

  private static let record = RecordType([
    .init(name: "name", type: .string, summary: "", defaultValue: nil),
    .init(name: "size", type: .optional(.int), summary: "", defaultValue: .null),
  ])

  @Test(arguments: [
    Sample(type: .bool, value: .bool(true), changes: [": true -> false"]),
    Sample(type: .int, value: .int(41), changes: [": 41 -> 42"]),
    Sample(
      type: .int, value: .int(.max), changes: [": 9223372036854775807 -> 9223372036854775806"]),
    Sample(type: .decimal, value: .decimal(Decimal("1.50")!), changes: [": 1.50 -> 2.50"]),
    Sample(type: .double, value: .double(.infinity), changes: [": inf -> 0.0"]),
    Sample(type: .string, value: .string(""), changes: [": \"\" -> \"~\""]),
    Sample(
      type: .enumeration(["red", "green"]), value: .string("red"),
      changes: [": \"red\" -> \"green\""]),
    Sample(type: .enumeration(["red"]), value: .string("red"), changes: []),
    Sample(type: .duration, value: .duration(.seconds(1)), changes: [": 1s -> 2s"]),
    Sample(type: .optional(.int), value: .null, changes: []),
    Sample(type: .list(.int), value: .list([]), changes: []),
    Sample(
      type: .list(.int), value: .list([.int(1), .int(5)]),
      changes: [": [1, 5] -> [1]", "[0]: 1 -> 2", "[1]: 5 -> 6"]),
    Sample(
      type: .map(.bool), value: .map(ValueMap([("a", .bool(true)), ("b", .bool(false))])),
      changes: ["a: true -> false", "b: false -> true"]),
    Sample(
      type: .list(.record(record)),
      value: .list([.record(RecordValue(record, [.string("x"), .null]))]),
      changes: [": [{name: \"x\", size: null}] -> []", "[0].name: \"x\" -> \"x~\""]),
  ])
  func `every part of a value is changed once`(sample: Sample) {
    let mutations = sample.value.mutations(as: sample.type)

    #expect(
      mutations.map { "\($0.path): \($0.before.summary()) -> \($0.after.summary())" }
        == sample.changes)
    #expect(mutations.allSatisfy { $0.whole != sample.value })
  }
}
