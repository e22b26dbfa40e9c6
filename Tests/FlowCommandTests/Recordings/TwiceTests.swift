import FlowCommand
import FlowCore
import TestKit
import Testing

/// `flow run --record --twice`.
@Suite struct TwiceTests {
  private static let components: [any Component.Type] = [Courier.self, Hatch.self]

  /// The output if nothing is proposed.
  private static let silent = """
    @/s.yaml
    passed in T: steps 1 passed
    recorded @/s.transcript.jsonl
    @/s.yaml
    passed in T: steps 1 passed

    """

  private static func folder(draws: Bool) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components:
        hatch: {plugin: hatch, with: {draws: \(draws)}}
        courier: {plugin: courier, with: {draws: \(draws)}, using: {hatch: hatch}}
      steps:
        - uses: courier.bring
      """, to: "s.yaml")
    return folder
  }

  @Test func `what differs is proposed after the recording`() async throws {
    let folder = try Self.folder(draws: true)
    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--record", "--twice", "--quiet"], in: folder,
      components: Self.components)

    #expect(run.code == .passed)
    #expect(run.errors == "")
    #expect(
      run.output.withoutDurations == """
        @/s.yaml
        passed in T: steps 1 passed
        recorded @/s.transcript.jsonl
        @/s.yaml
        passed in T: steps 1 passed
        # These parts of calls differed between the two runs:
        components:
          courier:
            varies:
              hatch.take:
                same: [key]
                any: ['notes[*].at=at {part}']
                answer: [id]

        """)
    let text = try folder.text("s.yaml")
    let declared = run.output.split(separator: "\n").suffix(5).joined(separator: "\n")
    try folder.write(
      text.replacing(existing: ", using: {hatch: hatch}}", with: "}")
        .replacing(
          existing: "  courier: {plugin: courier, with: {draws: true}}",
          with: """
              courier:
                plugin: courier
                with: {draws: true}
                using: {hatch: hatch}
            \(declared)
            """), to: "s.yaml")
    let again = try await FlowCommandRun(
      ["run", "@/s.yaml", "--record", "--twice", "--quiet"], in: folder,
      components: Self.components)
    #expect(again.output.withoutDurations == Self.silent)
    #expect(again.errors == "")
  }

  @Test func `parts of answers to steps are proposed`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {hatch: {plugin: hatch, with: {draws: true}}, log: {plugin: log}}
      steps:
        - {id: one, uses: hatch.take, with: {key: k, notes: []}}
        - {uses: log.last}
        - {uses: hatch.take, with: {key: k, notes: []}}

      """, to: "s.yaml")
    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--record", "--twice", "--quiet"], in: folder,
      components: Self.components + [Log.self])

    let lines = run.output.withoutDurations.split(separator: "\n").dropFirst(5)
    #expect(
      lines.joined(separator: "\n") == """
        # These parts of calls differed between the two runs:
        components:
          hatch:
            volatile:
              take: [id]
          log:
            volatile:
              last: ['entries[*].at=at {part}']
        # in the step 'log.last' alone, if it may be so: volatile: [number]
        """)
    #expect(run.code == .passed)
  }

  @Test func `nothing is proposed if nothing differs`() async throws {
    let folder = try Self.folder(draws: false)
    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--record", "--twice", "--quiet"], in: folder,
      components: Self.components)

    #expect(run.output.withoutDurations == Self.silent)
  }

  @Test func `without a recording there is nothing to compare`() async throws {
    let run = try await FlowCommandRun(["run", "s.yaml", "--twice"])

    #expect(run.code == .badCommandLine)
    #expect(run.errors.hasPrefix("flow: '--twice' needs '--record'"))
  }
}

/// Brings the same parcel twice, under a key that it draws.
private struct Courier: Component {
  private static let hatch = Role("hatch", "Takes parcels.").call(
    "take", Parameter<String>("key", "The key."), Parameter<[Note]>("notes", "Notes."),
    answers: Record<String>("id", "The id."))
  static let plugin = Plugin(
    "courier", version: "1.0", "Brings parcels.", state: .none,
    settings: Parameter<Bool>("draws", "True to draw keys."), uses: [hatch],
    operations: [
      Operation("bring", "Brings a parcel twice.", answers: Record<Void>.none, retry: .safe) {
        courier, context in
        let key = courier.draws ? "key-\(Int.random(in: 1...1_000_000_000))" : "key"
        for _ in 1...2 {
          let at = courier.draws ? "at \(Int.random(in: 1...1_000_000_000))" : "now"
          _ = try await hatch(key, [Note(text: "left", at: at)], in: context)
        }
      }
    ]
  ) { _, draws in Courier(draws: draws) }

  let draws: Bool
}

/// Answers something else each time.
private struct Log: Component {
  static let plugin = Plugin(
    "log", version: "1.0", "Has entries.", state: .none,
    operations: [
      Operation("last", "The last entries.", answers: Entries.record, retry: .safe) { _, context in
        let number = Int.random(in: 1...1_000_000_000)
        return Entries(number: number, entries: [Note(text: "x", at: "at \(number)")])
      }
    ]
  ) { _ in Log() }
}

private struct Entries: RecordRepresentable {
  var number: Int
  var entries: [Note]

  static let record = Record(
    Entries.init(number:entries:), Field("number", \.number, ""), Field("entries", \.entries, ""))
}

/// Takes parcels, and names them by chance.
private struct Hatch: Component {
  static let plugin = Plugin(
    "hatch", version: "1.0", "Takes parcels.", state: .none,
    settings: Parameter<Bool>("draws", "True to draw ids."),
    operations: [
      Operation(
        "take", "Takes a parcel.", Parameter<String>("key", "The key."),
        Parameter<[Note]>("notes", "Notes."), answers: Record<String>("id", "The id."), retry: .safe
      ) { hatch, _, _, _ in hatch.draws ? "id-\(Int.random(in: 1...1_000_000_000))" : "id" }
    ]
  ) { _, draws in Hatch(draws: draws) }

  let draws: Bool
}

private struct Note: RecordRepresentable {
  var text: String
  var at: String

  static let record = Record(Note.init(text:at:), Field("text", \.text, ""), Field("at", \.at, ""))
}
