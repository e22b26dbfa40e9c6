/// The files of a new project.
struct StarterProject: Sendable {
  /// The machines that run the tests of a project.
  enum Service: String, Sendable, CaseIterable {
    case github, gitlab, none
  }

  static let scenario = "Scenarios/hello.yaml"
  /// Paths that the scenario and its recording need, besides the files themselves.
  static let reserved = [
    "flow.yml", "Scenarios/hello.transcript.jsonl", "Scenarios/greeting.json",
  ]

  static let project = """
    flow: 1
    # The files and folders whose scenarios 'flow test' runs and 'flow check' checks.
    scenarios: [Scenarios]

    """

  static let hello = """
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

    Each `.yaml` file is a scenario of flow; beside it is its transcript, which a run recorded.

    - `flow test` replays the transcripts; a scenario without one runs, and is recorded.
    - `flow run Scenarios/hello.yaml --record` runs a scenario and records it again.
    - `flow check` finds mistakes without running anything.

    Commit the transcripts, and read them like code. `flow help` explains every command.

    """

  static let ignored = "# What flow remembers of its last run.\n.flow/\n"

  /// The path and the text of the file for a service; nil for none.
  ///
  /// `source` is the address that flow is cloned from; without one it is a variable.
  static func workflow(
    for service: Service, flow source: String?
  ) -> (path: String, text: String)? {
    switch service {
    case .github: (".github/workflows/flow.yaml", github(source))
    case .gitlab: (".gitlab-ci.yml", gitlab(source))
    case .none: nil
    }
  }

  private static func github(_ source: String?) -> String {
    let note =
      source == nil
      ? "      # A variable of the repository: the address flow is cloned from.\n" : ""
    return """
      name: flow
      on: [push, pull_request]
      permissions: {contents: read}
      jobs:
        test:
          runs-on: ubuntu-latest
          container: swift:6.2
          env:
      \(note)      FLOW_URL: \(source.map(quoted) ?? "${{ vars.FLOW_URL }}")
          steps:
            - uses: actions/checkout@v4
            - run: git clone --depth 1 "$FLOW_URL" /tmp/flow
            - run: /tmp/flow/Scripts/flow test --report junit=junit.xml
            - uses: actions/upload-artifact@v4
              if: always()
              with:
                name: flow
                include-hidden-files: true
                path: |
                  junit.xml
                  .flow/recorded

      """
  }

  private static func gitlab(_ source: String?) -> String {
    let variable =
      source.map { "  variables: {FLOW_URL: \(quoted($0))}" }
      ?? "  # FLOW_URL, a variable of the project, is the address flow is cloned from."
    return """
      flow:
        image: swift:6.2
      \(variable)
        script:
          - git clone --depth 1 "$FLOW_URL" /tmp/flow
          - /tmp/flow/Scripts/flow test --report junit=junit.xml
        artifacts:
          when: always
          paths: [.flow/recorded]
          reports: {junit: junit.xml}

      """
  }

  /// A text of YAML.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
