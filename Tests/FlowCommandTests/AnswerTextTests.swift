import TestKit
import Testing

/// Answers in the messages of failed steps.
@Suite struct AnswerTextTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(#"{"city": "Moulton", "barns": ["north", "south"]}"#, to: "barns.json")
  }

  /// Returns the lines about the call of a failed run.
  private func context(_ expectation: String) throws -> [Substring] {
    try folder.write(
      """
      flow: 1
      components: {files: {plugin: file}}
      steps:
        - uses: files.read
          with: {path: barns.json, as: json}
          expect: \(expectation)

      """, to: "s.yaml")
    let run = try BuiltFlow(#""$0" run s.yaml"#, in: folder)
    return Array(run.errors.split(separator: "\n").drop { !$0.hasPrefix("  input:") })
  }

  @Test func `an answer has no absent fields`() throws {
    #expect(
      try context("{size: 1}") == [
        #"  input: {path: "barns.json", as: "json"}"#,
        #"  answer: {data: {city: "Moulton", barns: ["north", "south"]}, size: 48}"#,
      ])
  }

  @Test func `an absent field that should be there is shown`() throws {
    #expect(
      try context("{text: x}").last
        == #"  answer: {text: null, data: {city: "Moulton", barns: ["north", "south"]}, size: 48}"#)
  }

  @Test func `a long answer has a line for each field`() throws {
    try folder.write(
      #"{"city": "Moulton", "barns": ["north", "south", "east", "west", "old", "new", "red"]}"#,
      to: "barns.json")

    #expect(
      try context("{size: 1}").dropFirst() == [
        "  answer:",
        #"    data: {city: "Moulton", barns: ["north", "south", "east", "west", "old", "new", "red"]}"#,
        "    size: 85",
      ])
  }
}
