import FlowCore
import Testing

struct ValueExcessTests {
  /// A kind of collection around a value.
  enum Shell: CaseIterable {
    case list, map, record, optional

    func around(_ value: Value) -> Value {
      switch self {
      case .list: .list([.int(1), value])
      case .map: .map(ValueMap([("a", .int(1)), ("b", value)]))
      case .record: .record(RecordValue(Box.record.type, [value]))
      case .optional: .optional(value)
      }
    }
  }

  @Test(arguments: Shell.allCases)
  func `a value of the greatest depth is kept, and one level more is not`(_ shell: Shell) {
    let greatest = (0..<Value.greatestDepth).reduce(Value.int(1)) { value, _ in
      shell.around(value)
    }

    #expect(greatest.excess() == nil)
    #expect(shell.around(greatest).excess() == .depth(100))
  }

  @Test
  func `an empty collection is a level`() {
    #expect(Value.int(1).excess(depth: 0) == nil)
    #expect(Value.list([]).excess(depth: 0) == .depth(0))
    #expect(Value.list([.list([])]).excess(depth: 2) == nil)
  }

  @Test
  func `all values inside count together`() {
    let value = Value.list([.list([.int(1), .int(2)]), .map(ValueMap([("a", .int(3))]))])

    #expect(value.excess(count: 5) == nil)
    #expect(value.excess(count: 4) == .count(4))
  }

  @Test
  func `a value that holds another twice, and again, is refused soon`() {
    let value = (0..<60).reduce(Value.int(1)) { value, _ in .list([value, value]) }

    #expect(value.excess(count: 10_000) == .count(10_000))
  }

  @Test(arguments: [
    Row("depth", Value.Excess.depth(100), "deeper than 100 levels"),
    Row("count", Value.Excess.count(10), "more than 10 values"),
  ])
  func `an excess names its bound`(_ row: Row<Value.Excess, String>) {
    #expect(row.input.description == row.expected)
  }
}

extension Box {
  fileprivate static let record = Record(
    Box.init(content:), Field("content", \.content, "Anything."))
}
