import TestKit
import Testing

/// Scenarios that `flow run -` reads from standard input.
@Suite struct StandardInputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {note: {type: string}}
      components: {files: {plugin: file}}
      steps:
        - {id: read, uses: files.read, with: {path: data/note.txt}}
        - {assert: "${{ steps.read.text == inputs.note }}"}

      """, to: "parts/note.yaml")
    try folder.write("Barn", to: "data/note.txt")
  }

  private func flow(_ shell: String) throws -> BuiltFlow {
    try BuiltFlow("cat parts/note.yaml | \"$0\" \(shell)", in: folder)
  }

  @Test func `paths in it lead on from the working directory`() throws {
    let run = try flow("run - --quiet --virtual-time --input note=Barn")

    #expect(run.errors == "")
    #expect(
      run.output == "standard input\npassed in 0.00 ms of virtual time: steps 2 passed\n")
    #expect(run.code == 0)
  }

  @Test func `its lines are quoted where a run fails`() throws {
    let run = try flow("run - --quiet --input note=Bran")

    #expect(
      run.errors == """
        standard input:6:19: error: 'assert#1': assertion failed [F2004]
            6 |   - {assert: "${{ steps.read.text == inputs.note }}"}
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: steps.read.text is "Barn", from line 5
          note: inputs.note is "Bran"

        """)
    #expect(run.code == 1)
  }

  @Test func `its lines are quoted where it has a mistake`() throws {
    let run = try BuiltFlow(
      #"printf 'flow: 1\nsteps: [{wiat: 1s}]\n' | "$0" run -"#, in: folder)

    #expect(
      run.errors == """
        standard input:2:10: error: unknown key 'wiat' in a step; did you mean 'wait'? [F1102]
            2 | steps: [{wiat: 1s}]
              |          ^^^^

        """)
    #expect(run.code == 65)
  }

  @Test func `--dry-run prints its plan`() throws {
    let run = try flow("run - --dry-run --input note=Barn")

    #expect(run.errors == "")
    #expect(run.output.contains("files.read"), "\(run.output)")
    #expect(run.code == 0)
  }

  @Test func `a report names the command that runs it again`() throws {
    let run = try flow("run - --input note=Bran --report html=-")

    #expect(
      run.output.contains("<code>flow run - --input note=Bran --seed 0</code>"), "\(run.output)")
  }

  @Test func `it is recorded where a path says, and replays with the scenario in a file`() throws {
    let recorded = try flow("run - --quiet --input note=Barn --record=note.jsonl")
    try folder.write(try folder.text("parts/note.yaml"), to: "note.yaml")
    let replayed = try BuiltFlow(
      #""$0" replay note.jsonl --scenario note.yaml"#, in: folder)

    #expect(recorded.errors == "")
    #expect(recorded.output.hasSuffix("recorded note.jsonl\n"), "\(recorded.output)")
    #expect(replayed.code == 0, "\(replayed.errors)")
  }

  @Test(arguments: [
    (
      "run - --record",
      "'--record' needs a path, as in --record=PATH, for a scenario on standard input", "run"
    ),
    (
      "run - --journal run.journal",
      "a run with a journal needs its scenario in a file: 'flow resume' reads it again", "run"
    ),
    (
      "resume run.journal --or-run -",
      "a run with a journal needs its scenario in a file: 'flow resume' reads it again", "resume"
    ),
  ])
  func `what needs the file of a scenario is refused`(
    _ arguments: String, _ message: String, _ command: String
  ) throws {
    let run = try flow(arguments)

    #expect(run.errors == "flow: \(message)\nsee 'flow help \(command)'\n")
    #expect(run.code == 64)
  }
}
