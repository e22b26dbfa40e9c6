internal import FlowReport
internal import FlowTexts

/// The files of a new project.
struct StarterProject: Sendable {
  static let scenario = "Scenarios/hello.yaml"
  /// Further paths for the scenario and its recording that must be free.
  static let reserved = [
    "flow.yml", "Scenarios/hello.transcript.jsonl", "Scenarios/greeting.json",
  ]

  /// The description for assistants, at a place where several of them look.
  static let skill = ".agents/skills/flow/SKILL.md"
  /// The text of `Docs/SKILL.md`, which is embedded in the program.
  static let skillText = String(decoding: Texts.skill, as: UTF8.self)

  static let project = """
    \(SchemaFiles.comment(SchemaFiles.project))
    flow: 1
    # The files and folders whose scenarios 'flow test' and 'flow check' take.
    scenarios: [Scenarios]

    """

  static let hello = """
    \(SchemaFiles.comment(SchemaFiles.scenario, in: "Scenarios"))
    flow: 1
    name: A greeting
    inputs:
      name: {type: string, default: World}
    components:
      files: {plugin: file}
    steps:
      - uses: files.write
        with: {path: greeting.json, data: {greeting: "Hello, ${{ inputs.name }}!"}}
      - id: greeting
        uses: files.read
        with: {path: greeting.json, as: json}
        expect: {data: {greeting: "Hello, ${{ inputs.name }}!"}}
    finally:
      - uses: files.remove
        with: {path: greeting.json}
    outputs:
      greeting: ${{ steps.greeting.data.greeting }}

    """

  static let readme = """
    # Scenarios

    Each `.yaml` file in `Scenarios` is a scenario of flow; beside it is its transcript, which a run
    recorded.

    - `flow test` replays the transcripts; a scenario without one runs, and is recorded. Where CI is
      set it fails instead.
    - `flow run Scenarios/hello.yaml --record` runs a scenario and records it again.
    - `flow check` finds mistakes without running anything.

    Commit the transcripts, and read them like code. `flow help` explains every command.

    """

  /// The settings of Git for recordings with their reason, for a file without them.
  static let attributesReason =
    "# Recordings of flow are compared byte by byte, so Git must not change their line ends.\n"
  static let attributes = [
    "*.transcript.jsonl -text", "*.transcript.*.jsonl -text", "**/blobs/* -text",
  ]

  /// The lines for Git about files that flow writes, with their reason.
  static let ignoredReason =
    "# The state of the last run, schemas for editors, and reports of flow.\n"
  static let ignored = [".flow/"] + ReportFormat<SuiteReport>.defaultPaths
}
