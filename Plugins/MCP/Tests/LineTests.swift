import Testing

@testable import MCPPlugin

struct LineTests {
  @Test func `lines are found in any pieces`() throws {
    var buffer = LineBuffer(limit: 100)
    #expect(try buffer.append(Array("a\n\nb".utf8)) == [Array("a".utf8)])
    #expect(try buffer.append(Array("c\n".utf8)) == [Array("bc".utf8)])
    #expect(buffer.rest() == nil)
  }
}
