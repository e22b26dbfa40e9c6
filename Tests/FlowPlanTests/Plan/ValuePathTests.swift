import FlowCore
import FlowPlan
import TestKit
import Testing

/// Places in answers and inputs, as `volatile`, `secret` and `varies` name them.
@Suite struct ValuePathTests {
  @Test(arguments: [
    ("**.id", true), ("json.**.id", true), ("a[0].**.b[*].c", true), ("**.a.**.b", true),
    ("**", false), ("json.**", false), ("json.**.**.id", false), ("**[0]", false),
    ("a.**[*].id", false), ("**.[0]", false), ("a..b", false),
  ])
  func `any way leads to a name alone`(_ text: String, _ isPath: Bool) {
    #expect((ValuePath(text) != nil) == isPath)
  }

  private static let value = """
    {"id": 1, "rows": [{"id": 2, "inner": {"id": {"id": 3}}}, [[{"id": 4}]], "id"], "no": 5}
    """

  @Test(arguments: [
    ("**.id", "[1, 2, {id: 3}, 3, 4]"), ("rows.**.id", "[2, {id: 3}, 3, 4]"),
    ("rows[*].**.id", "[2, {id: 3}, 3, 4]"), ("**.inner.id", "[{id: 3}]"),
    ("rows[0].**.id.id", "[3]"), ("**.none", "[]"), ("no.**.id", "[]"),
  ])
  func `any way finds a name at every depth`(_ path: String, _ found: String) throws {
    let value = try Value(json: Array(Self.value.utf8))

    let values = try #require(ValuePath(path)).values(in: value)

    #expect(Value.list(values).summary() == found)
  }

  @Test func `a name at every depth is left out`() throws {
    let value = try Value(json: Array(Self.value.utf8))

    let rest = value.leavingOut([try #require(ValuePath("**.id"))])

    #expect(
      rest.summary()
        == "{id: null, rows: [{id: null, inner: {id: null}}, [[{id: null}]], \"id\"], no: 5}")
  }

  @Test(arguments: [
    ("**.value", ""), ("**.**.value", "a place of 'volatile' must be a path"),
    ("**.valu", "the answer of 'p.count' has no field 'valu'"),
    ("value.**.cents", "'value.**' in the answer of 'p.count' has no field 'cents'"),
  ])
  func `a name that no way leads to is reported where types are known`(
    _ path: String, _ problem: String
  ) throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - {uses: p.count, volatile: ["\(path)"]}
          - {uses: p.echo, with: {value: 1}, volatile: ["value.**.id", "**.at"]}
        """)

    #expect(problems.count == (problem.isEmpty ? 0 : 1))
    #expect(problems.first?.contains(problem) ?? problem.isEmpty, "\(problems)")
  }
}
