import FlowSystem
import Testing

@testable import FlowTranscript

/// Values recognised as varying from run to run.
@Suite struct VariedValuesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let recorded: String
    let now: String
    let isGiven: Bool
    let isExplained: Bool
    var testDescription: String { "\(recorded) -> \(now)\(isGiven ? "" : ", answered")" }

    init(_ recorded: String, _ now: String, isGiven: Bool = true, _ isExplained: Bool) {
      (self.recorded, self.now, self.isGiven, self.isExplained) =
        (recorded, now, isGiven, isExplained)
    }
  }

  private static func json(_ text: String) throws -> JSON {
    try JSONParser.parse(Array(text.utf8)[...])
  }

  /// The differences between two JSON values, with patterns in the recorded one.
  private static func varied() throws -> VariedValues {
    var reader = RecordedValue.Reader()
    let recorded = try reader.value(
      try json(
        #"{"id":{"$any":"int","example":7},"key":{"$any":"string","example":"key-number-one"},"#
          + #""same":{"$any":"string","example":"as-before"},"n":[1,{"$any":"map","example":{"deep":"inner-text"}}]}"#
      ))
    var varied = VariedValues()
    varied.learn(
      from: recorded,
      try json(
        #"{"id":12,"key":"another-key","same":"as-before","n":[2,{"deep":"outer-text"}]}"#))
    return varied
  }

  @Test(arguments: [
    Case("7", "12", true), Case("7", "13", false), Case(#""7""#, #""12""#, true),
    Case(#""7""#, "12", false), Case("7", "12", isGiven: false, false),
    Case(#""jobs/7""#, #""jobs/12""#, false), Case("77", "1212", false),
    Case("170", "1120", false), Case("-7", "-12", false), Case("7.5", "12.5", false),
    Case(#""key-number-one""#, #""another-key""#, true),
    Case(#""key-number-one""#, #""another-key""#, isGiven: false, true),
    Case(#""a key-number-one""#, #""a another-key""#, true),
    Case(#""a key-number-one-b""#, #""a another-key-b""#, true),
    Case(#""a keykey-number-one""#, #""a keyanother-key""#, false),
    Case(#""inner-text""#, #""outer-text""#, isGiven: false, true),
    Case("1", "2", false), Case(#""as-before""#, #""as-after""#, false),
    Case("[7]", "12", false), Case("null", "12", false),
  ])
  func `a change is explained by what has varied`(_ sample: Case) throws {
    let changes = FieldChange.between(try Self.json(sample.recorded), try Self.json(sample.now))

    var varied = try Self.varied()
    let isExplained = varied.explains(changes[0], isGiven: sample.isGiven)

    #expect(changes.count == 1)
    #expect(isExplained == sample.isExplained)
  }
}
