import FlowCore
import Testing

@testable import FlowExplore

@Suite struct UniqueMembersTests {
  @Test(
    arguments: [
      (seconds: 0, nanoseconds: 0, start: "0000"),
      (1_796_000_000, 123_456_789, "118b"),
      (1_796_000_000, 124_456_789, "118c"),
      (1_796_000_001, 123_456_789, "1203"),
      (1_679, 615_999_999, "zzzz"),
      (1_679, 616_000_000, "0000"),
    ]
  )
  func `searches that begin in different milliseconds have different texts`(
    seconds: Int, nanoseconds: Int, start: String
  ) throws {
    let time = try #require(Timestamp(seconds: seconds, nanoseconds: nanoseconds))

    #expect(UniqueMembers.start(at: time) == start)
  }
}
