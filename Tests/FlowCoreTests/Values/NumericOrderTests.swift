import FlowCore
import Testing

struct NumericOrderTests {
  /// From the least to the greatest; the numbers of one row are equal, whatever their kind.
  static let ascending: [[Value]] = [
    [.double(-.infinity)],
    [.double(-1e300)],
    [.double((-0x1p127).nextDown)],
    [.decimal(.least), .double(-0x1p127)],
    [.decimal(Decimal(significand: .min + 1, scale: 0))],
    [.int(.min), .double(-0x1p63), .decimal(Decimal(.min))],
    [.int(-1), .double(-1), .decimal(Decimal(significand: -100, scale: 2))],
    [.decimal(Decimal(significand: -3, scale: 1))],
    [.double(-0.3)],
    [.double(-0x1p-60)],
    [.decimal(Decimal(significand: -1, scale: 38))],
    [.double(-.leastNonzeroMagnitude)],
    [.int(0), .uint(0), .double(0), .double(-0.0), .decimal(Decimal(significand: 0, scale: 2))],
    [.double(.leastNonzeroMagnitude)],
    [.double(1e-38)],
    [.decimal(Decimal(significand: 1, scale: 38))],
    [.double(0x1p-39)],
    [
      .double(0x1p-38),
      .decimal(Decimal(significand: 363_797_880_709_171_295_166_015_625, scale: 38)),
    ],
    [.decimal(Decimal(significand: 1, scale: 1))],
    [.double(0.1)],
    [.double(0.3)],
    [.decimal(Decimal(significand: 3, scale: 1))],
    [.double(0.5), .decimal(Decimal(significand: 50, scale: 2))],
    [
      .int(1), .uint(1), .double(1), .decimal(Decimal(1)),
      .decimal(Decimal(significand: 100, scale: 2)), .number(WrittenNumber(json: "1E0")),
    ],
    [.double(1.5), .decimal(Decimal(significand: 15, scale: 1))],
    [.int(2), .uint(2)],
    [.int(1 << 53), .uint(1 << 53), .decimal(Decimal(1 << 53))],
    [.int(1 << 53 + 1), .uint(1 << 53 + 1), .decimal(Decimal(1 << 53 + 1))],
    [.int(1 << 53 + 2), .double(0x1p53 + 2)],
    [.int(.max), .uint(UInt(Int.max)), .decimal(Decimal(.max))],
    [.uint(1 << 63)],
    [.uint(.max), .decimal(Decimal(significand: Int128(UInt.max), scale: 0))],
    [.double(0x1p126), .decimal(Decimal(significand: 1 << 126, scale: 0))],
    [.decimal(.greatest)],
    [.double(0x1p127)],
    [.double(1e300)],
    [.double(.infinity)],
  ]

  private static func long(_ text: String) -> Value { .number(WrittenNumber(json: text)) }

  private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

  private static func sign(_ left: Int, _ right: Int) -> Int { (left - right).signum() }

  @Test func `a number with more digits than a decimal is rounded next to a double`() {
    let digits = "1234567890123456789012345678901234567890"
    #expect(Self.long(digits) == .double(1.2345678901234568e39))
    #expect(Self.long(digits).hashValue == Value.double(1.2345678901234568e39).hashValue)
    #expect(Self.long("1e-400") == .double(0))
    #expect(Self.long(digits) != .double(.nan))
  }

  /// The same without doubles, which have no order between numbers of many digits.
  static let exact: [[Value]] = [
    [long("-1" + zeros(60)), long("-1e60")], [.decimal(.least)], [.int(-1)], [long("-1e-400")],
    [.int(0), long("-0"), long("0e400"), long("0." + zeros(50))],
    [long("1e-401"), long("0." + zeros(400) + "10")], [long("1e-400")],
    [.decimal(Decimal(significand: 1, scale: 38))], [.int(1), long("1." + zeros(60))],
    [long("1." + zeros(51) + "1"), long("10." + zeros(50) + "1e-1")],
    [long("1." + zeros(51) + "1" + zeros(20) + "1")], [long("1." + zeros(51) + "2")], [.int(2)],
    [.decimal(.greatest)], [long("123456789012345678901234567890123456789012344")],
    [
      long("123456789012345678901234567890123456789012345"),
      long("123456789012345678901234567890123456789012345.00"),
      long("0.123456789012345678901234567890123456789012345e45"),
    ],
  ]

  @Test func `numbers of many digits compare by all of them`() {
    for (leftRank, left) in Self.exact.enumerated() {
      for (rightRank, right) in Self.exact.enumerated() {
        for (a, b) in left.flatMap({ a in right.map { (a, $0) } }) {
          let order = NumericValue.compare(a, b)
          #expect(order == Self.sign(leftRank, rightRank), "\(a), \(b)")
          #expect((a == b) == (order == 0), "\(a), \(b)")
          #expect(a != b || a.hashValue == b.hashValue, "\(a), \(b)")
        }
      }
    }
  }

  @Test func `an integer is rounded to be compared with a double, as in the official CEL cases`() {
    #expect(Value.int(1 << 53 + 1) == .double(0x1p53))
    #expect(Value.int(.max) == .double(0x1p63))
    #expect(Value.uint(.max) == .double(0x1p64))
  }

  @Test
  func `numbers compare by value across kinds`() throws {
    for (leftRank, left) in Self.ascending.enumerated() {
      for (rightRank, right) in Self.ascending.enumerated() {
        for (a, b) in left.flatMap({ a in right.map { (a, $0) } }) {
          let order = NumericValue.compare(
            try #require(NumericValue(a)), try #require(NumericValue(b)))

          #expect(order == Self.sign(leftRank, rightRank), "\(a.kindName) \(a), \(b.kindName) \(b)")
        }
      }
    }
  }

  @Test
  func `numbers are equal by value across kinds`() {
    for (leftRank, left) in Self.ascending.enumerated() {
      for (rightRank, right) in Self.ascending.enumerated() {
        for (a, b) in left.flatMap({ a in right.map { (a, $0) } }) {
          #expect((a == b) == (leftRank == rightRank), "\(a.kindName) \(a), \(b.kindName) \(b)")
        }
      }
    }
  }

  @Test
  func `equal numbers of different kinds hash alike`() {
    for row in Self.ascending {
      #expect(Set(row.map(\.hashValue)).count == 1, "\(row)")
    }
  }

  @Test
  func `a double and the decimal of its exact digits are equal and hash alike`() {
    var random = SeededGenerator(seed: 1, label: "doubles")
    for _ in 0..<2_000 {
      let numerator = Int32.random(in: .min ... .max, using: &random)
      let shift = Int.random(in: 0...38, using: &random)
      let double = Double(numerator) / Double(1 << shift)
      // numerator / 2^shift = numerator * 5^shift / 10^shift
      let significand = (0..<shift).reduce(Int128(numerator)) { product, _ in product * 5 }
      let decimal = Decimal(significand: significand, scale: shift)

      #expect(Value.double(double) == .decimal(decimal), "\(double)")
      #expect(Value.double(double).hashValue == Value.decimal(decimal).hashValue, "\(double)")
    }
  }

  @Test
  func `neighbours of a double stand on the right sides of its shortest decimal`() throws {
    var random = SeededGenerator(seed: 1, label: "neighbours")
    for _ in 0..<2_000 {
      let double = Double.random(in: -1_000...1_000, using: &random)
      let decimal = NumericValue.decimal(try #require(Decimal(double)))

      #expect(NumericValue.compare(.double(double.nextDown), decimal) == -1, "\(double)")
      #expect(NumericValue.compare(.double(double.nextUp), decimal) == 1, "\(double)")
    }
  }

  @Test(arguments: [
    Value.double(.nan), .double(1), .double(.infinity), .int(1), .uint(0), .decimal(.zero),
  ])
  func `not a number has no order and equals nothing`(_ other: Value) throws {
    let number = NumericValue.double(.nan)
    let other = try #require(NumericValue(other))

    #expect(NumericValue.compare(number, other) == nil)
    #expect(NumericValue.compare(other, number) == nil)
    #expect(number != other)
  }

  @Test(arguments: [
    Value.null, .bool(true), .string("1"), .list([.int(1)]), .duration(.seconds(1)),
  ])
  func `other values are no numbers`(_ value: Value) {
    #expect(NumericValue(value) == nil)
  }
}
