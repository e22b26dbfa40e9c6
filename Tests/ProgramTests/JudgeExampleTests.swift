import Foundation
import TestKit
import Testing

/// `Examples/judge`: a model as a judge, and a judge that does not look.
@Suite struct JudgeExampleTests {
  private static let scenarios = ["judge", "blind"]
  /// The reply of the stand-in for a model, and another one.
  private static let reply = "We refund 25.00 today."
  private static let otherReply = "We refund nothing."

  @Test func `a judge is recorded as its page says, and served without the model`() async throws {
    let folder = try Self.copy()

    let run = try await BuiltProgram.run("flow", ["run", "judge.yaml", "--record"], in: folder)

    #expect(run.errors == "")
    #expect(run.output.withoutDurations == (try Example("judge").shown("flow run")))
    try FileManager.default.removeItem(atPath: folder.path("model_stand_in.py"))
    try await Self.replays("judge.yaml", in: folder)
  }

  @Test(arguments: scenarios)
  func `the transcript beside a scenario replays with everything absent`(_ name: String)
    async throws
  {
    let folder = try TemporaryFolder()
    for file in ["\(name).yaml", "\(name).transcript.jsonl"] {
      try folder.write(try Example.text("judge/\(file)"), to: file)
    }

    try await Self.replays("\(name).yaml", in: folder)
  }

  // MARK: - Whether the judge looks

  @Test func `a judge that looks notices every alteration of what it judges`() async throws {
    let run = try await BuiltProgram.run(
      "flow", ["mutate", "judge.yaml", "--at-least", "100"], in: try Self.copy())

    #expect(run.errors == "")
    #expect(
      run.output.withoutDurations == "26 of 26 alterations were noticed, 100.0 %, in T\n")
    #expect(run.code == 0)
  }

  @Test func `a judge that is not shown the text is found by altering the text`() async throws {
    let run = try await BuiltProgram.run(
      "flow", ["mutate", "blind.yaml", "--at-least", "100"], in: try Self.copy())

    let first = run.output.split(separator: "\n").prefix(2).joined(separator: "\n")
    #expect(
      first == """
        model.post, ok.json.choices[].message.content: 1 of 3 not noticed
          reply#1, ok.json.choices[0].message.content: "We are sorry that your lamp arrived broken. \
        We refund 25.00 today." -> "We are sorry that your lamp arrived broken. We refund 25.00 \
        today.~"
        """)
    #expect(run.code == 1)
  }

  // MARK: - Recorded verdicts leave checks that pass without looking

  @Test(arguments: scenarios)
  func `a recorded verdict never passes a text that has changed`(_ name: String) async throws {
    let folder = try Self.copy()
    try Self.writeByProgram("\(name).yaml", in: folder)
    let recorded = try await BuiltProgram.run(
      "flow", ["run", "\(name).yaml", "--record", "--quiet"], in: folder)
    #expect(recorded.errors == "")
    try await Self.replays("\(name).yaml", in: folder)
    try folder.write("print(\"\(Self.otherReply)\")\n", to: "reply.py")

    let test = try await BuiltProgram.run(
      "flow", ["test", "\(name).yaml"], in: folder, environment: ["CI": "true"])

    #expect(test.code == 1)
    #expect(
      test.errors.hasPrefix(
        """
        \(name).yaml: error: the components differ from the transcript [F3009]
          note: calls
                changed reply#1, writer.run
                  ok.stdout:
                    - \(Self.reply)
                    + \(Self.otherReply)

        """), "\(test.errors)")
  }

  @Test func `a verdict that was recorded for another text of a volatile answer is named`()
    async throws
  {
    let folder = try Self.copy()
    try Self.writeByProgram("judge.yaml", in: folder, isVolatile: true)
    _ = try await BuiltProgram.run(
      "flow", ["run", "judge.yaml", "--record", "--quiet"], in: folder)
    try await Self.replays("judge.yaml", in: folder)
    try folder.write("print(\"\(Self.otherReply)\")\n", to: "reply.py")

    let test = try await BuiltProgram.run(
      "flow", ["test", "judge.yaml"], in: folder, environment: ["CI": "true"])

    #expect(
      test.errors == """
        note: these answers were recorded for other inputs, which follow from live answers: \
        'model.post#1' (json.messages[1].content)

        """)
  }

  @Test(arguments: scenarios)
  func `a recorded text that was edited is refused`(_ name: String) async throws {
    let folder = try Self.copy()
    let transcript = "\(name).transcript.jsonl"
    let text = try folder.text(transcript)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let index = try #require(lines.firstIndex { $0.hasPrefix(#"{"at":"reply#1","ok""#) })
    var edited = lines.map(String.init)
    edited[index].replace(Self.reply, with: Self.otherReply)
    #expect(edited[index] != lines[index])
    try folder.write(edited.joined(separator: "\n"), to: transcript)

    let test = try await BuiltProgram.run("flow", ["test", "\(name).yaml"], in: folder)

    #expect(test.code == 65)
    #expect(test.errors.contains("[F3117]"), "\(test.errors)")
  }

  // MARK: - Folders

  private static func copy() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for file in ["model_stand_in.py"] + scenarios.map({ "\($0).yaml" })
      + scenarios.map({ "\($0).transcript.jsonl" })
    {
      try copy.write(try Example.text("judge/\(file)"), to: file)
    }
    return copy
  }

  /// Lets a program write the reply in place of the model, which tests always run.
  private static func writeByProgram(
    _ scenario: String, in folder: TemporaryFolder, isVolatile: Bool = false
  ) throws {
    let text = try folder.text(scenario)
    let start = try #require(text.range(of: "  - id: reply\n")).lowerBound
    let end = try #require(text.range(of: "  - name: The judge passes")).lowerBound
    let step = """
        - id: reply
          uses: writer.run
          with: {argv: [python3, reply.py]}
          expect: {status: 0}\(isVolatile ? "\n    volatile: [stdout]" : "")

      """
    try folder.write(
      text.replacingCharacters(in: start..<end, with: step)
        .replacing(
          existing: "  model: {plugin: http}\n",
          with: "  model: {plugin: http}\n  writer: {plugin: process, live: true}\n"
        )
        .replacing("steps.reply.json.choices[0].message.content", with: "steps.reply.stdout"),
      to: scenario)
    try folder.write("print(\"\(reply)\")\n", to: "reply.py")
  }

  private static func replays(_ scenario: String, in folder: TemporaryFolder) async throws {
    let test = try await BuiltProgram.run(
      "flow", ["test", scenario], in: folder, environment: ["CI": "true"])
    #expect(test.errors == "")
    #expect(test.code == 0)
  }
}
