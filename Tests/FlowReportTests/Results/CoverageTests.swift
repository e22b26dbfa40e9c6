import FlowCore
import FlowRedaction
import FlowSystem
import TestKit
import Testing

@testable import FlowReport

/// The covered parts of services' descriptions in reports.
@Suite struct CoverageTests {
  private static let parts = [
    ContractPart(.operation, "GET /a"), ContractPart(.parameter, "GET /a query <x>"),
    ContractPart(.status, "GET /a 200"), ContractPart(.status, "GET /a 404"),
    ContractPart(.operation, "PUT /a"), ContractPart(.body, "PUT /a request"),
  ]

  /// The parts covered in one scenario by calls, each a list of names.
  private static func covered(_ calls: [[String]], isLive: Bool = false) -> CoveredParts {
    var covered = CoveredParts()
    covered.declare("api.yaml", parts)
    for call in calls { covered.add(call, of: "api.yaml", isLive: isLive) }
    return covered
  }

  private static func suite(_ scenarios: [(String, CoveredParts)]) -> SuiteReport {
    var suite = SuiteReport(keepsScenarios: true)
    for (path, covered) in scenarios {
      var scenario = ScenarioReport(path: path)
      scenario.measures.covered = covered
      suite.add(scenario)
    }
    return suite
  }

  private static let two = suite([
    ("one.yaml", covered([["GET /a", "GET /a 200"], ["GET /a"]])),
    ("two.yaml", covered([["GET /a", "GET /a query <x>"]], isLive: true)),
  ])

  /// The written reports on scenarios that cover some parts.
  static let report = {
    var scenario = ScenarioReport(path: "one.yaml")
    scenario.measures.covered = covered([["GET /a", "GET /a 200"]])
    return WrittenReports([scenario])
  }()

  private static func document(_ suite: SuiteReport) -> String {
    guard case .json(let json)? = ReportFormat.contract.document?(suite, Redactor()) else {
      return ""
    }
    return json.text
  }

  @Test func `the document has totals and both lists`() throws {
    #expect(
      Self.document(Self.two) == """
        {"version":1,"passed":true,"contracts":[{"path":"api.yaml",\
        "calls":{"replayed":2,"live":1},"totals":{\
        "operation":{"covered":1,"total":2,"percent":50.0},\
        "status":{"covered":1,"total":2,"percent":50.0},\
        "parameter":{"covered":1,"total":1,"percent":100.0},\
        "body":{"covered":0,"total":1,"percent":0.0},\
        "property":{"covered":0,"total":0,"percent":100.0}},\
        "uncovered":[{"kind":"status","name":"GET /a 404"},\
        {"kind":"operation","name":"PUT /a"},{"kind":"body","name":"PUT /a request"}],\
        "covered":[{"kind":"operation","name":"GET /a","count":2,\
        "scenarios":["one.yaml","two.yaml"]},\
        {"kind":"parameter","name":"GET /a query <x>","count":1,"scenarios":["two.yaml"]},\
        {"kind":"status","name":"GET /a 200","count":1,"scenarios":["one.yaml"]}]}]}
        """)
  }

  @Test func `the text names what is not covered, operations first`() {
    #expect(
      Self.two.coverage.text == """
        contract api.yaml: operations 1 of 2, statuses 1 of 2, parameters 1 of 1, bodies 0 of 1 \
        (2 calls replayed, 1 live)
            not covered: PUT /a, GET /a 404

        """)
  }

  @Test func `scenarios beyond the first ones are counted`() {
    let suite = Self.suite((1...25).map { ("s\($0).yaml", Self.covered([["PUT /a"]])) })

    let coverers = suite.coverage.descriptions.first?.coverers["PUT /a"]
    #expect(coverers?.count == 25)
    #expect(coverers?.paths == (1...20).map { "s\($0).yaml" })
  }

  @Test func `a description that nothing calls counts`() {
    let suite = Self.suite([("s.yaml", Self.covered([]))])

    #expect(
      suite.coverage.text == """
        contract api.yaml: operations 0 of 2, statuses 0 of 2, parameters 0 of 1, bodies 0 of 1 \
        (0 calls replayed, 0 live)
            not covered: GET /a, PUT /a

        """)
  }

  @Test func `runs of a scenario count once, and their calls all`() {
    var covered = Self.covered([["GET /a"]])
    covered.add(Self.covered([["GET /a"], ["PUT /a"]], isLive: true))
    let description = Self.suite([("s.yaml", covered)]).coverage.descriptions.first

    #expect(description?.coverers.mapValues(\.count) == ["GET /a": 1, "PUT /a": 1])
    #expect(description?.replayed == 1)
    #expect(description?.live == 2)
  }

  struct Demand: Sendable, CustomTestStringConvertible {
    let thresholds: [ContractPart.Kind: Decimal]
    let shortfalls: [String]
    var testDescription: String { "\(shortfalls)" }
  }

  @Test(arguments: [
    Demand(thresholds: [:], shortfalls: []),
    Demand(
      thresholds: [.operation: Decimal(50), .status: Decimal(50), .property: Decimal(100)],
      shortfalls: []),
    Demand(
      thresholds: [.operation: Decimal("50.1") ?? .zero],
      shortfalls: ["contract 'api.yaml': operations 1 of 2 covered, 50.0 %, fewer than 50.1 %"]),
    Demand(
      thresholds: [.body: Decimal(1), .status: Decimal(80)],
      shortfalls: [
        "contract 'api.yaml': statuses 1 of 2 covered, 50.0 %, fewer than 80 %",
        "contract 'api.yaml': bodies 0 of 1 covered, 0.0 %, fewer than 1 %",
      ]),
  ])
  func `each unmet threshold is named`(_ demand: Demand) {
    var suite = Self.two
    suite.thresholds = demand.thresholds

    #expect(suite.shortfalls == demand.shortfalls)
    #expect(Self.document(suite).contains("\"passed\":\(demand.shortfalls.isEmpty)"))
  }

  @Test func `secrets in names are hidden`() throws {
    let redactor = Redactor()
    try redactor.add("hunter2hunter2", named: "word")
    var covered = CoveredParts()
    covered.declare("hunter2hunter2/api.yaml", [ContractPart(.operation, "GET /hunter2hunter2")])
    covered.add(["GET /hunter2hunter2"], of: "hunter2hunter2/api.yaml", isLive: true)

    let hidden = Self.suite([("hunter2hunter2.yaml", covered)]).redacted(by: redactor)

    #expect(
      Self.document(hidden).contains(
        #"{"kind":"operation","name":"GET /${secret:word}","count":1,"scenarios":["${secret:word}.yaml"]}"#
      ))
    #expect(!Self.document(hidden).contains("hunter2"))
  }

  // MARK: - From another process

  @Test func `stored coverage is read as it was written`() throws {
    let coverage = Self.two.coverage

    #expect(ContractCoverage(coverage.json) == coverage)
  }

  @Test func `parts of a suite are one coverage`() {
    var suite = Self.suite([("one.yaml", Self.covered([["GET /a", "GET /a 200"], ["GET /a"]]))])
    suite.add(
      Self.suite([("two.yaml", Self.covered([["GET /a", "GET /a query <x>"]], isLive: true))])
        .coverage)

    #expect(suite.coverage == Self.two.coverage)
  }

  @Test(arguments: [
    "{}", "[{}]", #"[{"path":"a","replayed":1,"live":0}]"#,
    #"[{"path":"a","replayed":-1,"live":0,"parts":[]}]"#,
    #"[{"path":"a","replayed":2000000000000,"live":0,"parts":[]}]"#,
    #"[{"path":"a","replayed":1,"live":0,"parts":[{"kind":"path","name":"x"}]}]"#,
    #"[{"path":"a","replayed":5000000000,"live":0,"parts":[]}]"#,
    #"[{"path":"a","replayed":1,"live":0,"parts":[{"kind":"body","name":"x"},{"kind":"status","name":"x"}]}]"#,
    part(#""count":0,"scenarios":["s"]"#), part(#""count":1,"scenarios":[]"#),
    part(#""count":1,"scenarios":["s","t"]"#), part(#""count":1,"scenarios":[1]"#),
    part(
      #""count":30,"scenarios":[\#(Array(repeating: "\"s\"", count: 21).joined(separator: ","))]"#),
  ])
  func `impossible stored coverage is refused`(_ text: String) throws {
    #expect(ContractCoverage(try JSONParser.parse(Array(text.utf8)[...])) == nil)
  }

  private static func part(_ members: String) -> String {
    #"[{"path":"a","replayed":1,"live":0,"parts":[{"kind":"body","name":"x",\#(members)}]}]"#
  }

  // MARK: - The page

  @Test func `the page has a bar for each kind and operation`() throws {
    var suite = Self.two
    suite.thresholds = [.status: Decimal(80), .operation: Decimal(50)]

    #expect(
      CoverageHTML(suite).html.text == """
        <section class="j" id="contracts">
        <h2>Contract api.yaml</h2>
        <p class="o">2 calls replayed, 1 live</p>
        <table><thead><tr><th scope="col">kind</th><th scope="col">covered</th>\
        <th scope="col">percent</th></tr></thead><tbody>
        <tr><th scope="row">operations</th><td>\(Self.bar("50.00")) 1 of 2</td><td>50.0 %</td></tr>
        <tr><th scope="row">statuses</th><td>\(Self.bar("50.00")) 1 of 2</td>\
        <td><del>50.0 %</del>, fewer than 80 %</td></tr>
        <tr><th scope="row">parameters</th><td>\(Self.bar("100.00")) 1 of 1</td>\
        <td>100.0 %</td></tr>
        <tr><th scope="row">bodies</th><td>\(Self.bar("0.00")) 0 of 1</td><td>0.0 %</td></tr>
        </tbody></table>
        <table><caption>Operations and their parts</caption><thead><tr>\
        <th scope="col">operation</th><th scope="col">covered</th><th scope="col">not covered</th>\
        </tr></thead><tbody>
        <tr><th scope="row" class="p"><span class="m" aria-hidden="true">✓</span>\
        <span class="h">covered</span> GET /a</th><td>\(Self.bar("75.00")) 3 of 4</td>\
        <td>404</td></tr>
        <tr><th scope="row" class="f"><span class="m" aria-hidden="true">✗</span>\
        <span class="h">not covered</span> PUT /a</th><td>\(Self.bar("0.00")) 0 of 2</td>\
        <td>all of it</td></tr>
        </tbody></table>
        </section>

        """)
    #expect(
      CoverageHTML(suite).link.text == " · <a href=\"#contracts\">1 of 2 operations covered</a>")
  }

  private static func bar(_ width: String) -> String {
    "<svg aria-hidden=\"true\" width=\"96\" height=\"8\"><rect class=\"n\" width=\"100%\" "
      + "height=\"8\"/><rect class=\"p\" width=\"\(width)%\" height=\"8\"/></svg>"
  }

  @Test func `hostile names are harmless in the page`() throws {
    let name = "GET /<script>alert(1)</script>\u{202E}"
    var covered = CoveredParts()
    covered.declare("<b>.yaml", [ContractPart(.operation, name)])
    var scenario = ScenarioReport(path: "s.yaml")
    scenario.measures.covered = covered

    let page = try Page([scenario])

    #expect(page.faults == [])
    let section = page.part("<section class=\"j\" id=\"contracts\">", "</section>")
    #expect(section.contains("<h2>Contract &lt;b&gt;.yaml</h2>"))
    #expect(section.contains("GET /&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(!section.unicodeScalars.contains("\u{202E}"))
  }
}
