import FlowCore
import FlowRedaction
import FlowSystem
import TestKit
import Testing

@testable import FlowReport

/// The content of a scenario in a page, from another process.
@Suite struct StoredPageTests {
  private static let path = "a b/s.yaml"

  private static func report(_ verdict: ScenarioReport.Verdict = .failed) -> ScenarioReport {
    var scenario = ScenarioReport(path: path, name: "Name")
    scenario.verdict = verdict
    return scenario
  }

  /// The element drawn from stored content, or nil if the content is refused.
  private static func drawn(_ text: String) throws -> String? {
    let format = try #require(ReportFormat.all.first { $0.name == ReportFormat.pageName })
    return try format.stored?.restored(text, report(), 1)?.text
  }

  /// Stored content with these runs.
  private static func page(runs: String) -> String {
    #"{"occurrence":1,"tags":[],"command":"","findings":[],"runs":[\#(runs)]}"#
  }

  @Test(arguments: ScenarioReport.Verdict.allCases)
  func `stored content is drawn as in the process that tested`(
    _ verdict: ScenarioReport.Verdict
  ) async throws {
    let format = try #require(ReportFormat.all.first { $0.name == ReportFormat.pageName })
    for var scenario in try await Self.scenarios {
      scenario.verdict = verdict
      scenario.tags = ["smoke", "\u{202E}<i>"]
      scenario.command = "flow run 'x'"
      scenario.changes = ["a: 1 -> 2"]
      scenario.occurrence = 2

      let stored = try #require(format.stored?.entry(scenario, 1, Redactor())).text
      let restored = try #require(format.stored?.restored(stored, scenario, 1), "\(stored)")

      let direct = format.entry(scenario, 1, Redactor())
      #expect(try restored.text == direct.text)
      #expect(restored.isFirst == direct.isFirst)
      #expect(restored.attachments.map(\.path) == direct.attachments.map(\.path))
    }
  }

  /// Scenarios with all kinds of pieces.
  private static var scenarios: [ScenarioReport] {
    get async throws {
      var scenarios = try await WrittenReports.ofEveryEnd().scenarios
      scenarios.append(try await Page.run("r.yaml", name: "<b>&", steps, times: 3))
      scenarios.append(
        try await Page.run("f/#x+y.yaml", "steps: [{uses: p.crash, retry: {attempts: 2}}]"))
      scenarios.append(try await Page.run("p.yaml", pictures))
      return scenarios
    }
  }

  private static let steps = """
    steps:
      - {uses: p.echo, with: {value: "line\\n\(String(repeating: "long ", count: 30))\\nend"}}
      - parallel:
          a: [{uses: p.count}]
          b: [{wait: 1s}]
      - {for: i, in: [1, 2], do: [{uses: p.echo, with: {value: {x: "${{ i }}"}}, expect: {value: {x: 1}}}]}
    """

  private static let pictures = """
    steps:
      - {uses: p.echo, with: {value: "<svg width='1'>\(String(repeating: "x", count: 2 << 20))</svg>"}}
      - {uses: p.echo, with: {value: "<svg onload='x'></svg>"}}
      - {assert: ["${{ 1 > 2 }}"]}
    """

  private static let whole = """
    ["run",1,1,false],["steps"],["step","failed","a#1",true,["ba"]],["paragraph","error",["b<b>",".x"]],\
    ["table",["<h>"],[[".<r>","-1","+2"]]],["notes",false,[["<n>",["<l>"]]]],["quote",[".a\\n","^^"]],\
    ["value","<v>",[],"<t>",true],["end"],["end"],\
    ["timeline",["1","2","3","<4>"],false,0,[["<bar>","call","passed",0,10000,"<0>","<1>"]]],["end"],\
    ["plan",300,200,[["<frame>",24,24,100,100]],[["step",24,48,["<1>"],"passed"],\
    ["condition",24,96,["1","2"],null]],[[1,2,"<true>"],[1,2,false],[2,1,true]]]
    """

  @Test func `no text is markup`() throws {
    let drawn = try #require(try Self.drawn(Self.page(runs: Self.whole)))

    for text in ["b", "h", "r", "n", "l", "v", "t", "bar", "0", "1", "4", "frame", "true"] {
      #expect(drawn.contains("&lt;\(text)&gt;"), "\(text)")
      if text != "b" { #expect(!drawn.contains("<\(text)>"), "\(text)") }
    }
  }

  @Test(arguments: [
    // Nothing of a page.
    "", "[]", "{}", "null",
    #"{"occurrence":0,"tags":[],"command":"","findings":[],"runs":[]}"#,
    #"{"occurrence":1,"tags":[1],"command":"","findings":[],"runs":[]}"#,
    #"{"occurrence":1,"tags":[],"command":"","findings":{},"runs":[]}"#,
    #"{"occurrence":1,"tags":[],"findings":[],"runs":[]}"#,
    // Pieces of another kind, with too little or too much.
    page(runs: #"["script","x"]"#), page(runs: #"[]"#), page(runs: #""end""#),
    page(runs: #"["paragraph","error"]"#), page(runs: #"["paragraph","loud",[]]"#),
    page(runs: #"["quote",[""]]"#), page(runs: #"["quote",["<x"]]"#),
    page(runs: #"["quote",[".x"],1]"#), page(runs: #"["notes",1,[]]"#),
    page(runs: #"["value","x",["AAAA"],"",false]"#), page(runs: #"["value","x",["?"],"",false]"#),
    page(runs: #"["value","x",["PGh0bWw+"],"",false]"#),
    // Not nested.
    page(runs: #"["end"]"#), page(runs: #"["steps"]"#), page(runs: #"["run",1,1,true]"#),
    page(runs: #"["step","passed",null,false,[]],["end"]"#),
    page(runs: #"["steps"],["quote",[]],["end"]"#),
    page(runs: #"["steps"],["steps"],["end"],["end"]"#),
    page(runs: #"["section","lines",[]],["end"],["end"]"#),
    // Numbers that no picture has.
    page(runs: #"["run",-1,1,true],["end"]"#), page(runs: #"["run",1,16777217,true],["end"]"#),
    page(runs: #"["timeline",["1","2","3"],false,0,[]]"#),
    page(runs: #"["timeline",["1","2","3","4"],false,0,[["x","call","passed",2,1,"",""]]]"#),
    page(runs: #"["timeline",["1","2","3","4"],false,0,[["x","call","passed",0,10001,"",""]]]"#),
    page(runs: #"["timeline",["1","2","3","4"],false,0,[["x","evil","passed",0,1,"",""]]]"#),
    page(runs: #"["plan",1,1,[],[],[]]"#),
    page(runs: #"["plan",1,1,[],[["step",23,0,["x"],null]],[]]"#),
    page(runs: #"["plan",1,1,[],[["step",24,-1,["x"],null]],[]]"#),
    page(runs: #"["plan",1,1,[],[["step",24,0,[],null]],[]]"#),
    page(runs: #"["plan",1,1,[],[["step",24,0,["x","y","z"],null]],[]]"#),
    page(runs: #"["plan",1,1,[],[["step",24,0,["x"],"evil"]],[]]"#),
    page(runs: #"["plan",1,1,[],[["step",24,0,["x"],null]],[[1,2,true]]]"#),
    page(runs: #"["plan",1,1,[],[["step",24,0,["x"],null]],[[0,1,false]]]"#),
    page(runs: #"["plan",1,1,[],[["step",24,0,["x"],null]],[[1,1,true]]]"#),
    page(runs: #"["plan",1,1,[],[["step",24,0,["x"],null]],[[1,1,null]]]"#),
  ])
  func `other content is refused`(_ text: String) throws {
    #expect(try Self.drawn(text) == nil)
  }

  @Test func `a step without content, or without an address, is drawn`() throws {
    let steps = #"["steps"],["step","passed",null,false,["bx","q1 ms"]],["end"],["end"]"#

    let drawn = try #require(try Self.drawn(Self.page(runs: steps)))

    #expect(
      drawn.contains(
        """
        <ol class="t"><li class="p"><div class="w"><span class="m" aria-hidden="true">✓</span>\
        <span class="h">passed </span><b>x</b> <span class="q">1 ms</span></div></li></ol>
        """))
  }

  @Test func `more nodes than a picture has are refused`() throws {
    let nodes = Array(repeating: #"["step",24,48,["x"],null]"#, count: 151)

    let plans = [150, 151].map { count in
      Self.page(runs: #"["plan",1,1,[],[\#(nodes.prefix(count).joined(separator: ","))],[]]"#)
    }

    #expect(try plans.map { try Self.drawn($0) != nil } == [true, false])
  }
}
