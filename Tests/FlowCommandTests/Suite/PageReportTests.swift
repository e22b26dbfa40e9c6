import FlowCommand
import FlowCore
import TestKit
import Testing

/// `--report html` of the commands that run scenarios.
@Suite struct PageReportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      name: Count
      tags: [smoke]
      components: {p: {plugin: probe}}
      steps:
        - {uses: p.count, expect: {value: 2}}

      """, to: "s.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [Probe.self, Keeper.self])
  }

  private var page: String {
    get throws {
      try folder.text("r.html").replacing(folder.directory.path + "/", with: "@/")
    }
  }

  @Test func `a page quotes the scenario with what went wrong, and says how to run it again`()
    async throws
  {
    let run = try await flow("test", "@/s.yaml", "--report", "html=@/r.html")

    #expect(run.code == .failed)
    #expect(
      try page.contains(
        """
        <span>Run it again:</span> <code>flow test @/s.yaml</code>
        """))
    #expect(
      try page.contains(
        """
        <section class="d"><h3>&#39;p.count#1&#39; did not answer as expected <code>F2001</code>\
        </h3><p>@/s.yaml:6:30</p><pre>    6 |   - {uses: p.count, expect: {value: 2}}
              |                              <em>^^^^^^^^</em></pre>\
        <ul><li>value: expected 2, got 1</li></ul>\
        <ul class="i"><li>input: {by: 1}</li><li>answer: {value: 1}</li></ul></section>
        """))
  }

  @Test(arguments: ["run", "test"])
  func `no secret is in a page`(_ command: String) async throws {
    try folder.write(
      """
      flow: 1
      inputs: {key: {type: string, secret: true}}
      components:
        k: {plugin: keeper, with: {password: "${{ inputs.key }}"}}
      steps:
        - {name: "Tells ${{ inputs.key }}", uses: k.tell, with: {text: "a ${{ inputs.key }}"}}
        - {uses: k.fail, with: {text: "b ${{ inputs.key }}"}}

      """, to: "s.yaml")

    try folder.write("open-sesame-4711", to: "key")

    let run = try await flow(
      command, "@/s.yaml", "--secret", "key=@@/key", "--report", "html=@/r.html")

    #expect(run.code == .failed)
    #expect(try page.contains("<h1>1 of 1 scenario failed</h1>"))
    #expect(try page.contains("cannot tell b ${"))
    #expect(try !page.contains("4711"))
  }

  @Test func `a scenario that cannot be read is in the page`() async throws {
    try folder.write("flow: 1\nsteps: [{usse: p.count}]\n", to: "s.yaml")

    let run = try await flow("test", "@/s.yaml", "--report", "html=@/r.html")

    #expect(run.code == .badInput)
    #expect(try page.contains("unknown key &#39;usse&#39;"))
  }

  @Test func `what was not begun is in the page`() async throws {
    try folder.write("flow: 1\nname: Later\nsteps: [{wait: 1s}]\n", to: "t.yaml")

    _ = try await flow("test", "@/", "--jobs", "1", "--fail-fast", "--report", "html=@/r.html")

    #expect(
      try page.contains(
        """
        <div class="s n" id="@/t.yaml"><div class="w"><span class="y">not run</span>\
        <span class="l"><b>Later</b> <span>@/t.yaml</span></span></div></div>
        """))
  }
}
