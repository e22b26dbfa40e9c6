import FlowCommand
import TestKit
import Testing

/// Projects created by `flow init`.
@Suite struct InitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a new project is recorded, and passes where nothing may be recorded`() throws {
    let start = try BuiltFlow(#""$0" init shop"#, in: folder)
    let test = try BuiltFlow(#"cd shop && CI=1 "$0" test && "$0" check"#, in: folder)

    #expect(start.errors == "")
    #expect(start.output.contains("\nrecorded shop/Scenarios/hello.transcript.jsonl\n"))
    #expect(
      start.output.hasSuffix(
        """

        next, in shop:
          flow test                      replays the transcript, without the component
          flow run Scenarios/hello.yaml  runs the scenario; --record records it again
          flow list                      prints what scenarios can use

        """))
    #expect(test.output.hasPrefix("passed   Scenarios/hello.yaml  ("))
    #expect(
      test.output.hasSuffix(
        "Scenarios/hello.yaml needs: files (files)\n1 scenario checked, no mistakes\n"))
    #expect(test.errors == "")
    #expect(test.code == 0)
  }

  @Test func `a project is started among other files`() throws {
    try folder.write("mine\n", to: "README.md")
    try folder.write("build/\n", to: ".gitignore")
    let run = try BuiltFlow(#""$0" init"#, in: folder)

    #expect(run.errors == "")
    #expect(run.code == 0)
    #expect(
      try folder.names
        == [
          ".flow", ".gitattributes", ".github", ".gitignore", "README.md", "Scenarios", "flow.yaml",
        ])
    #expect(
      try folder.names(in: "Scenarios") == ["README.md", "hello.transcript.jsonl", "hello.yaml"])
    #expect(try folder.text("README.md") == "mine\n")
    #expect(
      try folder.text(".gitignore") == """
        build/
        # The state of the last run, schemas for editors, and reports of flow.
        .flow/
        flow-report.html
        flow-junit.xml
        flow-junit-steps.xml
        flow.tap
        flow-report.jsonl
        flow-trace.json
        flow-report.md
        flow-contract.json
        flow-usage.txt
        flow-usage.json
        flow-report-files/

        """)
  }

  @Test func `the README of a project without one is at its root`() throws {
    let run = try BuiltFlow(#""$0" init shop"#, in: folder)

    #expect(
      run.output.hasPrefix(
        "wrote shop/flow.yaml\nwrote shop/Scenarios/hello.yaml\nwrote shop/README.md\n"))
    #expect(try folder.names(in: "shop/Scenarios") == ["hello.transcript.jsonl", "hello.yaml"])
    #expect(
      try folder.text("shop/README.md").hasPrefix(
        "# Scenarios\n\nEach `.yaml` file in `Scenarios` is"))
  }

  @Test(arguments: ["README", "Readme.rst", "readme.md"])
  func `a README of any kind stays the only one at the root`(_ name: String) throws {
    try folder.write("mine\n", to: name)
    let run = try BuiltFlow(#""$0" init --ci none"#, in: folder)

    #expect(run.code == 0)
    #expect(
      try folder.names
        == [".flow", ".gitattributes", ".gitignore", name, "Scenarios", "flow.yaml"].sorted())
    #expect(try folder.text(name) == "mine\n")
    #expect(try folder.names(in: "Scenarios").contains("README.md"))
  }

  @Test func `nothing is written where anything would be overwritten`() throws {
    try folder.write("mine\n", to: "shop/flow.yml")
    try folder.link("shop/Scenarios", to: "elsewhere")
    try folder.write("mine\n", to: "shop/elsewhere/hello.yaml")
    let run = try BuiltFlow(#""$0" init shop"#, in: folder)

    #expect(
      run.errors == """
        flow: 'shop/Scenarios/hello.yaml', 'shop/flow.yml' already exist; nothing was written

        """)
    #expect(run.output == "")
    #expect(run.code == 73)
    #expect(try folder.names(in: "shop") == ["Scenarios", "elsewhere", "flow.yml"])
  }

  @Test(arguments: [
    ("github", "", ".github/workflows/flow.yaml", "jobs.test.env.FLOW_URL", "${{ vars.FLOW_URL }}"),
    (
      "github", "", ".github/workflows/flow.yaml", "jobs.test.steps[2].run",
      "curl -fsSL \"$FLOW_URL\" | tar -xz --strip-components=1 -C /tmp/flow"
    ),
    (
      "github", "--flow \"https://example.org/it's.git\"", ".github/workflows/flow.yaml",
      "jobs.test.env.FLOW_REPOSITORY", "https://example.org/it's.git"
    ),
    (
      "github", "--flow https://example.org/it.git", ".github/workflows/flow.yaml",
      "jobs.test.steps[1].run", "git clone --depth 1 \"$FLOW_REPOSITORY\" /tmp/flow"
    ),
    (
      "github", "--flow https://example.org/flow.tar.gz", ".github/workflows/flow.yaml",
      "jobs.test.env.FLOW_URL", "https://example.org/flow.tar.gz"
    ),
    (
      "github", "--flow https://example.org/flow.tar.gz", ".github/workflows/flow.yaml",
      "jobs.test.steps[3].run", "/tmp/flow/bin/flow test --report junit=junit.xml"
    ),
    ("gitlab", "", ".gitlab-ci.yml", "flow.image", "buildpack-deps:stable-curl"),
    ("gitlab", "--flow git@example.org:flow.git", ".gitlab-ci.yml", "flow.image", "swift:6.2"),
    (
      "gitlab", "--flow https://example.org/flow.tar.gz", ".gitlab-ci.yml", "flow.image",
      "buildpack-deps:stable-curl"
    ),
    (
      "gitlab", "--flow git@example.org:flow.git", ".gitlab-ci.yml",
      "flow.variables.FLOW_REPOSITORY",
      "git@example.org:flow.git"
    ),
  ])
  func `the file for a service is YAML and says where flow is`(
    _ service: String, _ options: String, _ file: String, _ path: String, _ value: String
  ) throws {
    let start = try BuiltFlow(#""$0" init shop --ci \#(service) \#(options)"#, in: folder)
    try folder.write(
      """
      flow: 1
      inputs: {value: {type: string}}
      components: {files: {plugin: file}}
      steps:
        - id: service
          uses: files.read
          with: {path: \(file), as: yaml}
        - assert: ["${{ steps.service.data.\(path) == inputs.value }}"]

      """, to: "shop/read.yaml")
    let read = try BuiltFlow(
      #""$0" run shop/read.yaml --input 'value=\#(value.replacing("'", with: #"'\''"#))'"#,
      in: folder)

    #expect(start.code == 0)
    #expect(read.errors == "")
    #expect(read.code == 0)
  }

  @Test func `a new project is written without a word if it is to be quiet`() throws {
    let run = try BuiltFlow(#""$0" init shop -q"#, in: folder)

    #expect(run.output + run.errors == "")
    #expect(run.code == 0)
    #expect(try folder.names(in: "shop").contains("flow.yaml"))
  }

  @Test func `no service, no file`() throws {
    let run = try BuiltFlow(#""$0" init shop --ci none"#, in: folder)

    #expect(run.code == 0)
    #expect(
      try folder.names(in: "shop")
        == [".flow", ".gitattributes", ".gitignore", "README.md", "Scenarios", "flow.yaml"])
  }

  private static let added = """
    # Recordings of flow are compared byte by byte, so Git must not change their line ends.
    *.transcript.jsonl -text
    *.transcript.*.jsonl -text
    **/blobs/* -text

    """

  struct Attributes: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: String?
    let after: String
    let output: [String]
  }

  static let attributes = [
    Attributes(
      testDescription: "none", before: nil, after: added, output: ["wrote .gitattributes"]),
    Attributes(
      testDescription: "without a last line break", before: "* text=auto",
      after: "* text=auto\n\(added)", output: ["added to .gitattributes"]),
    Attributes(
      testDescription: "with CR LF", before: "*.png binary\r\n",
      after: "*.png binary\n\(added)".replacing("\n", with: "\r\n"),
      output: ["added to .gitattributes"]),
    Attributes(
      testDescription: "a line is there", before: "**/blobs/*   -text\n",
      after: "**/blobs/*   -text\n" + added.replacing("**/blobs/* -text\n", with: ""),
      output: ["added to .gitattributes"]),
    Attributes(testDescription: "all is there", before: added, after: added, output: []),
  ]

  @Test(arguments: attributes)
  func `Git is told to keep the line ends of recordings, after what it was told before`(
    _ sample: Attributes
  ) throws {
    if let before = sample.before { try folder.write(before, to: ".gitattributes") }
    let run = try BuiltFlow(#""$0" init --ci none"#, in: folder)

    #expect(try folder.text(".gitattributes") == sample.after)
    let said = run.output.split(separator: "\n").filter { $0.hasSuffix(".gitattributes") }
    #expect(said.map(String.init) == sample.output)
    #expect(run.code == 0)
  }

  @Test(arguments: [
    (
      ["init", "--ci", "jenkins"], "'--ci': expected github, gitlab or none, got 'jenkins'"
    ),
    (
      ["init", "--flow", "../flow"],
      "'--flow': expected an address such as https://example.org/flow.git, got '../flow'"
    ),
    (
      ["init", "--flow", "https://example.org/a b"],
      #"'--flow': expected an address such as https://example.org/flow.git, got 'https://example.org/a b'"#
    ),
    (["init", ""], "a path is empty"),
  ])
  func `a wrong option is refused`(_ arguments: [String], _ problem: String) async throws {
    let run = try await FlowCommandRun(arguments, in: folder)

    #expect(run.errors == "flow: \(problem)\nsee 'flow help init'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test func `a flow without files says that it cannot start a project`() async throws {
    let run = try await FlowCommandRun(["init", "@/shop"], in: folder)

    #expect(
      run.errors == "flow: the scenario needs the plugin 'file', which this flow does not have\n")
    #expect(try folder.names == [])
    #expect(run.code == .badInput)
  }
}
