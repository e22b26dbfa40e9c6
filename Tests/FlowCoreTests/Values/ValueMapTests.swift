import FlowCore
import Testing

struct ValueMapTests {
  private func map(_ keys: Range<Int>) -> ValueMap {
    ValueMap(keys.map { ("k\($0)", .int($0)) })
  }

  private func keys(_ map: ValueMap) -> [Value] { map.entries.map(\.key) }

  /// Around the size from which a map keeps an index.
  static let sizes = [0, 1, 2, 6, 7, 8, 9, 10, 20]

  @Test(arguments: sizes)
  func `a map keeps its entries in the order they were inserted`(_ size: Int) {
    let map = map(0..<size)

    #expect(keys(map) == (0..<size).map { .string("k\($0)") })
    #expect(map.count == size)
    #expect(map.isEmpty == (size == 0))
  }

  @Test(arguments: sizes)
  func `every key is found, and no other`(_ size: Int) {
    let map = map(0..<size)

    #expect((0..<size).map { map["k\($0)"] } == (0..<size).map { .int($0) })
    #expect(map["k\(size)"] == nil)
    #expect(map[.int(0)] == nil)
  }

  @Test(arguments: sizes.dropFirst())
  func `a replaced value stays in its place`(_ size: Int) {
    var map = map(0..<size)

    map[.string("k0")] = .bool(true)

    #expect(keys(map) == keys(self.map(0..<size)))
    #expect(map["k0"] == .bool(true))
  }

  @Test(arguments: sizes.dropFirst())
  func `a removed entry leaves the others in order`(_ size: Int) {
    var map = map(0..<size)

    map[.string("k0")] = nil

    #expect(keys(map) == (1..<size).map { .string("k\($0)") })
    #expect(map["k0"] == nil)
    #expect((1..<size).map { map["k\($0)"] } == (1..<size).map { .int($0) })
  }

  @Test(arguments: sizes)
  func `removing what is not there changes nothing`(_ size: Int) {
    var map = map(0..<size)

    map[.string("other")] = nil

    #expect(map == self.map(0..<size))
  }

  @Test(arguments: sizes.dropFirst())
  func `an entry removed and inserted again comes last`(_ size: Int) {
    var map = map(0..<size)

    map[.string("k0")] = nil
    map[.string("k0")] = .null

    #expect(keys(map) == (1..<size).map { .string("k\($0)") } + [.string("k0")])
    #expect(map["k0"] == .null)
  }

  @Test
  func `a map emptied entry by entry can be filled again`() {
    var map = map(0..<20)

    for number in 0..<20 { map[.string("k\(number)")] = nil }
    for number in 0..<20 { map[.string("k\(number)")] = .int(number) }

    #expect(map == self.map(0..<20))
  }

  @Test
  func `a repeated key keeps its first place and its last value`() {
    let map = ValueMap([("a", .int(1)), ("b", .int(2)), ("a", .int(3))])

    #expect(map.entries.map { "\($0.key) \($0.value)" } == ["\"a\" 3", "\"b\" 2"])
  }

  @Test(arguments: [1, 20])
  func `a numeric key is found by every kind of number`(_ size: Int) {
    var map = ValueMap()
    for number in 0..<size { map[.int(number)] = .string("\(number)") }

    map[.uint(0)] = .string("zero")

    #expect(map.count == size)
    #expect(map[.double(0)] == .string("zero"))
    #expect(map[.decimal(Decimal(significand: 0, scale: 2))] == .string("zero"))
    #expect(map[.string("0")] == nil)
  }

  @Test(arguments: [0, 20])
  func `keys of different scalars are different keys`(_ others: Int) {
    var map = map(0..<others)

    map[.string("\u{e9}")] = .int(1)
    map[.string("e\u{301}")] = .int(2)

    #expect(map["\u{e9}"] == .int(1))
    #expect(map["e\u{301}"] == .int(2))
  }

  @Test(arguments: sizes)
  func `equality disregards the order`(_ size: Int) {
    let turned = ValueMap((0..<size).reversed().map { ("k\($0)", .int($0)) })

    #expect(map(0..<size) == turned)
  }

  @Test(arguments: sizes.dropFirst())
  func `maps of other keys, values or sizes are unequal`(_ size: Int) {
    var otherValue = map(0..<size)
    otherValue[.string("k0")] = .null

    #expect(map(0..<size) != map(1..<size + 1))
    #expect(map(0..<size) != map(0..<size + 1))
    #expect(map(0..<size) != otherValue)
  }
}
