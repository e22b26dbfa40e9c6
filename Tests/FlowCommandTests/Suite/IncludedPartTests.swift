import FlowCommand
import TestKit
import Testing

/// Included files of a project, which are no tests themselves.
@Suite struct IncludedPartTests {
  private static let part = """
    flow: 1
    inputs: {end: {type: string}}
    components: {n: {plugin: notebook}}
    steps:
      - {id: read, uses: n.read}
      - assert: ["${{ steps.read.text.endsWith(inputs.end) }}"]

    """

  private static let main = """
    flow: 1
    steps: [{id: part, scenario: ../parts/read.yaml, with: {end: "page"}}]

    """

  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder("flow: 1\nexclude: [parts]\n")
    try suite.folder.write(Self.part, to: "parts/read.yaml")
    try suite.folder.write("a page", to: "parts/page.txt")
    try suite.folder.write("another text", to: "shop/page.txt")
    try suite.folder.write(Self.main, to: "shop/main.yaml")
  }

  @Test func `what is excluded is no test, and is included all the same`() async throws {
    let test = try await suite.flow("test", "@/", "--update", "never")
    let check = try await suite.flow("check", "@/")
    let named = try await suite.flow("check", "@/parts/read.yaml", "@/shop/main.yaml")

    #expect(test.paths == ["shop/main.yaml"])
    #expect(check.output == "@/shop/main.yaml needs: files (n)\n1 scenario checked, no mistakes\n")
    #expect(
      named.output
        == "@/parts/read.yaml needs: files (n)\n@/shop/main.yaml needs: files (n)\n2 scenarios checked, no mistakes\n"
    )
    #expect(test.errors + check.errors + named.errors == "")
  }

  @Test func `a part beside the scenario's folder reads from its own folder, and is replayed`()
    async throws
  {
    let recorded = try await suite.flow("run", "@/shop/main.yaml", "--record", "--quiet")
    try suite.folder.remove("parts/page.txt")
    let replayed = try await suite.flow("test", "@/shop/main.yaml")

    #expect(recorded.errors + replayed.errors == "")
    #expect([recorded.code, replayed.code] == [.passed, .passed])
  }

  @Test func `a mistake in a part is reported where it is, with the steps that include it`()
    async throws
  {
    try suite.folder.write(Self.part.replacing("n.read", with: "n.raed"), to: "parts/read.yaml")
    let run = try await suite.flow("check", "@/shop")

    #expect(
      run.errors == """
        @/parts/read.yaml:5:24: error: 'n' has no operation 'raed'; did you mean 'read'? [F1203]
            5 |   - {id: read, uses: n.raed}
              |                        ^^^^
          note: included from @/shop/main.yaml:2:30

        """)
    #expect(run.code == .badInput)
  }

  @Test func `a part of another project is not included`() async throws {
    try suite.folder.write("flow: 1\n", to: "shop/flow.yaml")
    let run = try await suite.flow("check", "@/shop/main.yaml")

    #expect(
      run.errors == """
        @/shop/main.yaml:2:30: error: cannot read '../parts/read.yaml': the path is outside the project's folder [F1210]
            2 | steps: [{id: part, scenario: ../parts/read.yaml, with: {end: "page"}}]
              |                              ^^^^^^^^^^^^^^^^^^

        """)
  }
}
