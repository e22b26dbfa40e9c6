import FlowReport
import TestKit
import Testing

/// The plan of a scenario as a picture in the page.
@Suite struct PlanPictureTests {
  private static let start = "<details class=\"g plan\">"

  private func picture(_ steps: String) async throws -> String {
    var scenario = try await Page.run("f.yaml", steps)
    scenario.verdict = .failed
    return try Page([scenario]).part(Self.start, "</details>")
  }

  @Test func `steps stand below each other, with how they ended`() async throws {
    let picture = try await picture(
      """
      steps:
        - {id: first, uses: p.count}
        - {id: bad, uses: p.count, expect: {value: "${{ steps.first.value }}"}}
      """)

    #expect(
      picture == """
        <summary>The plan as a graph</summary><div tabindex="0" role="group" \
        aria-label="graph"><svg role="img" \
        aria-label="graph of the plan; the list of steps has the same" \
        aria-details="f.yaml::steps" width="280" height="122">\
        <path class="order" d="M128 44C128 55 128 55 128 60"/>\
        <path class="data" d="M232 22C248 22 248 88 238 88"/>\
        <path class="head" d="M128 66l-4 -7h8zM232 88l7 -4v8z"/>\
        <rect class="p" x="24" y="0" width="208" height="44" rx="4"/>\
        <text x="36" y="18">✓ first</text><text class="a" x="36" y="35">p.count</text>\
        <rect class="f" x="24" y="66" width="208" height="44" rx="4"/>\
        <text x="36" y="84">✗ bad</text><text class="a" x="36" y="101">p.count</text></svg></div>
        """)
  }

  @Test func `branches stand beside each other, in frames`() async throws {
    let picture = try await picture(
      """
      steps:
        - parallel:
            left: [{uses: p.count}, {uses: p.count}]
            right: [{uses: p.crash}]
        - {uses: p.count}
      """)

    #expect(
      Self.boxes(picture) == [
        "frame 24 0 482 174", "frame 32 24 224 142", "frame 274 24 224 76", "p 40 48 208 44",
        "p 40 114 208 44", "f 282 48 208 44", "n 24 196 208 28",
      ])
  }

  @Test func `what follows a loop is below all of it`() async throws {
    let picture = try await picture(
      """
      steps:
        - {for: i, in: "${{ [1] }}", do: [{uses: p.count}, {uses: p.count}]}
        - {uses: p.crash}
      """)

    #expect(
      Self.boxes(picture) == [
        "frame 24 0 224 192", "p 32 24 208 28", "p 32 74 208 44", "p 32 140 208 44",
        "f 24 214 208 28",
      ])
  }

  @Test func `the steps of another scenario have their signs`() async throws {
    var scenario = ScenarioReport(path: "f.yaml")
    scenario.verdict = .failed
    scenario.attempts = [
      .init(
        passed: false, diagnostics: [], log: [],
        trace: try await WrittenReports.trace(
          "steps: [{scenario: ./i.yaml}]",
          files: [
            "i.yaml":
              "flow: 1\ncomponents: {q: {plugin: probe}}\nsteps: [{uses: q.count}, {uses: q.crash}]\n"
          ]))
    ]

    let picture = try Page([scenario]).part(Self.start, "</details>")

    let signs = picture.matches(of: #/<text x[^>]*>(.) ([^<]*)/#).map { "\($0.1) \($0.2)" }
    #expect(signs == ["✗ scenario i.yaml", "✓ q.count", "✗ q.crash"])
  }

  @Test(arguments: [1, 151]) func `one step, or very many, are no picture`(_ count: Int)
    async throws
  {
    let steps = Array(repeating: "{uses: p.count}", count: count).joined(separator: ", ")

    #expect(try await picture("steps: [{do: [\(steps)]}]") == "")
  }

  @Test func `steps that only follow one another are no picture`() async throws {
    #expect(try await picture("steps: [{uses: p.count}, {uses: p.crash}]") == "")
  }

  @Test func `the picture of every kind of step is sound, and refers to the list`() async throws {
    var scenario = try await Page.run("e/every step.yaml", EveryStep.scenario)
    scenario.verdict = .failed

    let page = try Page([scenario])

    #expect(page.faults == [])
    #expect(page.scenarios.contains("<section class=\"u\" id=\"e/every_20step.yaml::steps\">"))
    #expect(page.scenarios.contains("aria-details=\"e/every_20step.yaml::steps\""))
  }

  /// The positions of the boxes and frames: left, top, width and height.
  private static func boxes(_ picture: String) -> [String] {
    picture.matches(
      of: #/<rect( class="(\w+)")? x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/#
    ).map { "\($0.2 ?? "") \($0.3) \($0.4) \($0.5) \($0.6)" }
  }
}
