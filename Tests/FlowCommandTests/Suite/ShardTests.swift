import Testing

@testable import FlowCommand

/// The division of a suite into parts.
@Suite struct ShardTests {
  private func parts(_ items: [Int], of count: Int, duration: (Int) -> Int?) throws -> [[Int]] {
    try (1...count).map { number in
      try #require(Shard("\(number)/\(count)")).part(of: items, duration: duration)
    }
  }

  @Test(arguments: [1, 2, 3, 7, 20])
  func `every item is in one part, and without durations the parts are as long`(_ count: Int) throws
  {
    let parts = try parts(Array(0..<17), of: count) { _ in nil }

    #expect(parts.flatMap { $0 }.sorted() == Array(0..<17))
    #expect((parts.map(\.count).max() ?? 0) - (parts.map(\.count).min() ?? 0) <= 1)
  }

  @Test func `known durations balance the parts`() throws {
    let durations = [100, 1, 1, 1, 50, 49]
    let parts = try parts(Array(0..<6), of: 2) { durations[$0] }

    #expect(parts == [[0, 2], [1, 3, 4, 5]])
  }

  @Test func `an unknown duration is the mean of the known`() throws {
    let durations: [Int?] = [40, nil, 20, nil]
    let parts = try parts(Array(0..<4), of: 2) { durations[$0] }

    #expect(parts == [[0, 2], [1, 3]])
  }

  @Test(arguments: ["", "1", "1/", "/2", "a/2", "1/2/3", "-1/2", "3/2", "1/0", "1/10001"])
  func `other texts are no shard`(_ text: String) {
    #expect(Shard(text) == nil)
  }
}
