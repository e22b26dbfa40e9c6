import FlowCore
import Testing

struct DecimalOrderTests {
  /// From the least to the greatest; the numbers of one row are equal.
  static let ascending: [[Decimal]] = [
    [.least],
    [Decimal(significand: .min + 1, scale: 0)],
    [Decimal(significand: .min, scale: 1)],
    [Decimal(significand: -1, scale: 0), Decimal(significand: -100, scale: 2)],
    [Decimal(significand: -1, scale: 37), Decimal(significand: -10, scale: 38)],
    [Decimal(significand: -1, scale: 38)],
    [.zero, Decimal(significand: 0, scale: 2), Decimal(significand: 0, scale: 38)],
    [Decimal(significand: 1, scale: 38)],
    [Decimal(significand: 99, scale: 2)],
    [Decimal(1), Decimal(significand: 10, scale: 1), Decimal(significand: 10_000, scale: 4)],
    [Decimal(significand: .max, scale: 38)],
    [Decimal(significand: 125, scale: 1), Decimal(significand: 1250, scale: 2)],
    [Decimal(significand: .max, scale: 1)],
    [Decimal(significand: .max - 1, scale: 0)],
    [.greatest],
  ]

  @Test
  func `numbers compare by value at all scales`() {
    for (leftRank, left) in Self.ascending.enumerated() {
      for (rightRank, right) in Self.ascending.enumerated() {
        for (a, b) in left.flatMap({ a in right.map { (a, $0) } }) {
          #expect((a < b) == (leftRank < rightRank), "\(a.parts) < \(b.parts)")
          #expect((a == b) == (leftRank == rightRank), "\(a.parts) == \(b.parts)")
        }
      }
    }
  }

  @Test
  func `equal numbers of different scales hash alike`() {
    for row in Self.ascending {
      #expect(Set(row.map(\.hashValue)).count == 1, "\(row)")
    }
  }

  static let normalized: [Row<Decimal, String>] = [
    Row("12.50", Decimal(significand: 1250, scale: 2), "125 1"),
    Row("0.00", Decimal(significand: 0, scale: 2), "0 0"),
    Row("-3.000", Decimal(significand: -3000, scale: 3), "-3 0"),
    Row("100", Decimal(100), "100 0"),
    Row("0.10 at the greatest scale", Decimal(significand: 10, scale: 38), "1 37"),
  ]

  @Test(arguments: normalized)
  func `a normalised number has the smallest scale`(_ row: Row<Decimal, String>) {
    #expect(row.input.normalized.parts == row.expected)
  }
}
