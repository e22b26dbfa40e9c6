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

    let boxes = Self.boxes(picture)
    try #require(boxes.map(\.kind) == ["p", "f"])
    #expect(boxes[0].isAbove(boxes[1]))
    #expect(Self.texts(picture) == ["✓ first", "p.count", "✗ bad", "p.count"])
    #expect(picture.contains("aria-label=\"graph of the plan; the list of steps has the same\""))
    // The second follows the first, and reads its answer.
    #expect(picture.matches(of: #/<path class="(order|data)"/#).map(\.1) == ["order", "data"])
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

    let boxes = Self.boxes(picture)
    try #require(boxes.map(\.kind) == ["frame", "frame", "frame", "p", "p", "f", "n"])
    let (all, left, right) = (boxes[0], boxes[1], boxes[2])
    #expect(all.contains(left) && all.contains(right) && left.isLeft(of: right))
    #expect(left.contains(boxes[3]) && left.contains(boxes[4]) && right.contains(boxes[5]))
    #expect(boxes[3].isAbove(boxes[4]) && all.isAbove(boxes[6]))
  }

  @Test func `what follows a loop is below all of it`() async throws {
    let picture = try await picture(
      """
      steps:
        - {for: i, in: "${{ [1] }}", do: [{uses: p.count}, {uses: p.count}]}
        - {uses: p.crash}
      """)

    let boxes = Self.boxes(picture)
    try #require(boxes.map(\.kind) == ["frame", "p", "p", "p", "f"])
    #expect(boxes[1...3].allSatisfy { boxes[0].contains($0) })
    #expect(boxes[1].isAbove(boxes[2]) && boxes[2].isAbove(boxes[3]))
    #expect(boxes[0].isAbove(boxes[4]))
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

    let signs = Self.texts(picture).filter { $0.hasPrefix("✓") || $0.hasPrefix("✗") }
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

  /// A box of a step, or a frame around some.
  private struct Box {
    /// `frame`, or the sign of a step's end.
    let kind: String
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    func isAbove(_ other: Box) -> Bool { top + height < other.top }
    func isLeft(of other: Box) -> Bool { left + width < other.left }
    func contains(_ other: Box) -> Bool {
      left < other.left && top < other.top && other.left + other.width < left + width
        && other.top + other.height < top + height
    }
  }

  /// The boxes and frames of a picture, the frames first.
  private static func boxes(_ picture: String) -> [Box] {
    picture.matches(
      of: #/<rect class="(\w+)" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/#
    ).map { match in
      let numbers = [match.2, match.3, match.4, match.5].map { Int($0) ?? 0 }
      return Box(
        kind: String(match.1), left: numbers[0], top: numbers[1], width: numbers[2],
        height: numbers[3])
    }
  }

  /// The texts of a picture.
  private static func texts(_ picture: String) -> [String] {
    picture.matches(of: #/<text [^>]*>([^<]*)/#).map { String($0.1) }
  }
}
