/// The file of a service that tests a new project.
struct StarterWorkflow: Sendable {
  /// The service whose machines run the tests of a project.
  enum Service: String, Sendable, CaseIterable {
    case github, gitlab, none
  }

  /// The path where the service expects the file.
  let path: String
  /// The content of the file.
  let text: String

  /// Creates the file of a service.
  ///
  /// Nil for `none`. The address of flow is a tarball, or a repository to clone and build. Without
  /// an address a variable of the service holds that of a tarball.
  init?(for service: Service, flow address: String?) {
    let source = Source(address)
    switch service {
    case .github: (path, text) = (".github/workflows/flow.yaml", Self.github(source))
    case .gitlab: (path, text) = (".gitlab-ci.yml", Self.gitlab(source))
    case .none: return nil
    }
  }

  private static let comment =
    "# Commit the transcripts: in CI, a scenario without one fails."

  private static func github(_ source: Source) -> String {
    let note =
      source.address == nil
      ? "      # A variable of the repository: the address of flow's .tar.gz.\n" : ""
    let container = source.isTarball ? "" : "    container: swift:6.2\n"
    return """
      \(comment)
      name: flow
      on: [push, pull_request]
      permissions: {contents: read}
      jobs:
        test:
          runs-on: ubuntu-latest
      \(container)    env:
      \(note)      \(source.variable): \(source.quoted ?? "${{ vars.FLOW_URL }}")
          steps:
            - uses: actions/checkout@v4
      \(source.commands.map { "      - run: \($0)\n" }.joined())\
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

  private static func gitlab(_ source: Source) -> String {
    let variable =
      source.quoted.map { "  variables: {\(source.variable): \($0)}" }
      ?? "  # FLOW_URL, a variable of the project, is the address of flow's .tar.gz."
    return """
      \(comment)
      flow:
        image: \(source.isTarball ? "buildpack-deps:stable-curl" : "swift:6.2")
      \(variable)
        script:
      \(source.commands.map { "    - \($0)\n" }.joined())\
        artifacts:
          when: always
          paths: [.flow/recorded]
          reports: {junit: junit.xml}

      """
  }
}

/// The origin of flow on a service.
private struct Source {
  let address: String?

  init(_ address: String?) {
    self.address = address
  }

  var isTarball: Bool { address?.hasSuffix(".tar.gz") ?? true }

  /// The variable with the address.
  var variable: String { isTarball ? "FLOW_URL" : "FLOW_REPOSITORY" }

  /// The address as a YAML string.
  var quoted: String? {
    address.map { "'" + $0.replacing("'", with: "''") + "'" }
  }

  /// The shell commands that fetch flow and test the project.
  var commands: [String] {
    let (get, flow) =
      isTarball
      ? (
        [
          "mkdir /tmp/flow",
          #"curl -fsSL "$FLOW_URL" | tar -xz --strip-components=1 -C /tmp/flow"#,
        ], "/tmp/flow/bin/flow"
      )
      : ([#"git clone --depth 1 "$FLOW_REPOSITORY" /tmp/flow"#], "/tmp/flow/Scripts/flow")
    return get + ["\(flow) test --report junit=junit.xml"]
  }
}
