import FlowCommand
import TestKit
import Testing

/// The reach of a component, and the errors of opening it, known from its settings alone.
@Suite struct SettingsTests {
  private let project: ReachFolder

  init() throws { project = try ReachFolder() }

  private func write(files: String) throws {
    try project.folder.write(
      """
      flow: 1
      inputs: {count: {type: int, default: 0}}
      components:
        k: {plugin: cellar, with: {files: \(files)}}
      steps: [{id: a, uses: k.write}]
      outputs: {count: "${{ inputs.count }}", written: "${{ steps.a.written }}"}

      """, to: "k.yaml")
  }

  @Test func `settings that a component refuses are found before the run`() async throws {
    try write(files: "-1")
    let run = try await project.flow("check", "@/k.yaml")

    #expect(
      run.errors == """
        @/k.yaml:4:37: error: 'k' cannot be opened with these settings: 'files' is -1; it must be 0 or more [F1218]
            4 |   k: {plugin: cellar, with: {files: -1}}
              |                                     ^^

        """)
    #expect(run.code == .badInput)
  }

  @Test func `settings that depend on the run are refused when it opens the component`()
    async throws
  {
    try write(files: "\"${{ inputs.count }}\"")
    let check = try await project.flow("check", "@/k.yaml")
    let run = try await project.flow("run", "@/k.yaml", "--input", "count=-1")

    #expect(check.code == .passed)
    #expect(
      run.errors.hasPrefix(
        "@/k.yaml:4:3: error: 'components/k#1' could not be opened: 'files' is -1; it must be 0 or more [F2008]"
      )
    )
  }

  @Test(arguments: [
    ("0", ExitCode.passed), ("1", .badInput), ("\"${{ inputs.count }}\"", .badInput),
  ])
  func `what settings rule out is not denied`(_ files: String, _ code: ExitCode) async throws {
    try write(files: files)
    let run = try await project.flow("run", "@/k.yaml", "--deny", "files")

    #expect(run.code == code)
    #expect(run.errors.contains("[F1216]") == (code == .badInput))
  }

  @Test(arguments: [("0", "false"), ("1", "true"), ("\"${{ inputs.count }}\"", "false")])
  func `what settings rule out is not given`(_ files: String, _ written: String) async throws {
    try write(files: files)
    let run = try await project.flow("run", "@/k.yaml")

    #expect(run.output.contains("written: \(written)\n"))
  }
}
