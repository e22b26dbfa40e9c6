import FlowCommand
import FlowCore
import FlowSchema
import TestKit
import Testing

/// The scenarios of a project as tests: `flow list --tests`.
@Suite struct ListTestsTests {
  private let project: SuiteFolder

  init() throws {
    project = try SuiteFolder()
  }

  private static let table = """
    flow: 1
    # A comment, so that the name is in line 3.
    name: Weather
    tags: [smoke, slow]
    components: {p: {plugin: probe}}
    inputs: {third: {type: string, default: sun}}
    steps:
      - for: town
        in: [Bonn, Kiel]
        cases: ${{ town }}
        do:
          - for: row
            in:
              - {name: rain}
              - {name: "${{ inputs.third }}"}
            cases: ${{ row.name }}
            do: [{uses: p.echo, with: {value: "${{ row.name }}"}}]

    """

  @Test func `each scenario has its line, name, tags and cases`() async throws {
    try project.folder.write(Self.table, to: "tests/weather.yaml")
    try project.folder.write("flow: 1\nsteps: [{wait: 1s}]\n", to: "tests/plain.yaml")
    try project.folder.write("key: value\n", to: "tests/other.yaml")
    let run = try await project.flow("list", "--tests", "@/tests")

    #expect(
      run.output == """
        @/tests/plain.yaml:1:
        @/tests/weather.yaml:3: Weather (smoke, slow)
          @/tests/weather.yaml:9: Bonn
          @/tests/weather.yaml:14: Bonn / rain
          @/tests/weather.yaml:15: Bonn / sun
          @/tests/weather.yaml:9: Kiel
          @/tests/weather.yaml:14: Kiel / rain
          @/tests/weather.yaml:15: Kiel / sun
        2 scenarios, 6 cases

        """)
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `a program reads them by the published schema`() async throws {
    try project.folder.write(
      """
      flow: 1
      components: {p: {plugin: probe, live: true}}
      steps:
        - for: row
          in: [a, a]
          cases: ${{ row }}
          do: [{uses: p.count}]

      """, to: "tests/a.yaml")
    try project.folder.write("flow: 1\nsteps: [{uses: q.count}]\n", to: "tests/b.yaml")
    let run = try await project.flow("list", "--tests", "@/tests", "--format", "json")

    #expect(
      run.output == """
        {"format":"flow-tests","version":1,"tests":[{"file":"@/tests/a.yaml","line":1,"name":"",\
        "tags":[],"recorded":false,"live":["p"],"cases":[\
        {"name":"a","file":"@/tests/a.yaml","line":5},\
        {"name":"a (2)","file":"@/tests/a.yaml","line":5}],"diagnostics":[]},\
        {"file":"@/tests/b.yaml","line":2,"name":"","tags":[],"recorded":false,"live":[],\
        "cases":[],"diagnostics":[{"code":"F1202","severity":"error",\
        "message":"unknown component 'q'","file":"@/tests/b.yaml","line":2,"column":16,\
        "endLine":2,"endColumn":17,"notes":["the scenario declares no 'components'"],\
        "fixes":[]}]}]}

        """)
    #expect(run.code == .badInput)
    let schema = try Schema(
      Value(json: Array(ProjectFiles.text("Docs/schemas/tests.schema.json").utf8)))
    let minimal = try Value(
      json: Array(#"{"format": "flow-tests", "version": 1, "tests": []}"#.utf8))
    let violations = try schema.validate(try Value(json: Array(run.output.utf8)))
    #expect("\(violations)" == "\(try schema.validate(minimal))")
  }

  @Test func `cases over an answer are those of the recording`() async throws {
    try project.folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {id: one, uses: p.echo, with: {value: rain}}
        - for: row
          in: ${{ [steps.one.value, 'snow'] }}
          cases: ${{ row }}
          do: [{uses: p.count}]

      """, to: "tests/rows.yaml")
    let before = try await project.flow("list", "--tests", "@/tests")
    _ = try await project.flow("test", "@/tests", "--update", "missing")
    let after = try await project.flow("list", "--tests", "@/tests")

    #expect(before.output == "@/tests/rows.yaml:1:\n1 scenario\n")
    #expect(
      after.output == """
        @/tests/rows.yaml:1:
          @/tests/rows.yaml:7: rain
          @/tests/rows.yaml:7: snow
        1 scenario, 2 cases

        """)
  }

  @Test func `cases of an included scenario are at its lines`() async throws {
    try project.folder.write(
      """
      flow: 1
      inputs: {town: {type: string}}
      steps:
        - for: row
          in: [rain, snow]
          cases: ${{ inputs.town }} ${{ row }}
          do: [{assert: ["${{ row != '' }}"]}]

      """, to: "tests/part.yaml")
    try project.folder.write(
      "flow: 1\nname: Towns\nsteps: [{scenario: part.yaml, with: {town: Bonn}}]\n",
      to: "tests/towns.yaml")
    let written = try await project.flow("list", "--tests", "@/tests/towns.yaml")
    _ = try await project.flow("run", "@/tests/towns.yaml", "--record")
    let recorded = try await project.flow("list", "--tests", "@/tests/towns.yaml")

    #expect(
      written.output == """
        @/tests/towns.yaml:2: Towns
          @/tests/part.yaml:5: Bonn rain
          @/tests/part.yaml:5: Bonn snow
        1 scenario, 2 cases

        """)
    #expect(recorded.output == written.output)
  }

  @Test func `a secret in the name of a case is hidden`() throws {
    try project.folder.write(
      """
      flow: 1
      components: {api: {plugin: http, with: {base: "http://h", bearer: geheim99}}}
      steps:
        - for: row
          in: [geheim99, other]
          cases: with ${{ row }}
          do: [{uses: api.get, with: {path: "${{ row }}"}}]

      """, to: "a.yaml")
    let run = try BuiltFlow(#""$0" list --tests a.yaml"#, in: project.folder)

    #expect(
      run.output == """
        a.yaml:1:
          a.yaml:5: with ${secret:api.bearer}
          a.yaml:5: with other
        1 scenario, 2 cases

        """)
  }

  @Test(arguments: [
    (["list", "--tests", "--json"], "'--json' cannot be combined with '--tests'"),
    (["list", "--format", "json"], "'--format' needs '--tests'"),
    (["list", "--tests", "--format", "xml"], "'--format': expected text or json, got 'xml'"),
    (["list", "probe", "probe"], "unexpected argument 'probe'"),
    (["list", "--tests", ""], "a path is empty"),
  ])
  func `a wrong command line is explained`(_ arguments: [String], _ problem: String) async throws {
    let run = try await project.flow(arguments)

    #expect(run.errors == "flow: \(problem)\nsee 'flow help list'\n")
    #expect(run.code == .badCommandLine)
  }
}
