import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import TestKit
import Testing

/// A component whose answer has fields without a value.
private struct Shelf: Component {
  static let plugin = Plugin(
    "shelf", version: "1", "Has books.", state: .none,
    operations: [
      Operation(
        "take", "Takes a book.", Parameter<String>("title", "Its title.", default: ""),
        Parameter<Int?>("page", "Its page."), answers: book, errors: [odd]
      ) { _, _, title, _ in Book(title: title, pages: nil) }
      .explaining(book) { book, field in field == "pages" ? "'\(book.title)' is lent" : nil }
      .checking { input in
        if input["title"] == .string(""), input["page"] ?? .null != .null {
          throw ComponentError(odd, "'page' needs 'title'")
        }
      }
    ]
  ) { _ in Shelf() }

  struct Book: Sendable {
    var title: String
    var pages: Int?
  }

  static let odd = ErrorCode("odd", "The input contradicts itself.")
  static let book = Record(
    Book.init(title:pages:), Field("title", \.title, "Its title."),
    Field("pages", \.pages, "How many pages it has."))
}

/// Fields of answers without a value, and the reason.
@Suite struct AbsenceTests {
  @Test(arguments: [
    ("{pages: 7}", "pages: expected 7, got nothing: 'Emma' is lent"),
    ("{pages: null}", "pages: expected null, got nothing: 'Emma' is lent"),
    ("{pages: \"${{ it != 3 }}\"}", "pages: expected ${{ it != 3 }}, got nothing: 'Emma' is lent"),
    ("{title: Ada}", "title: expected \"Ada\", got \"Emma\""),
  ])
  func `an expectation of a field without a value fails with the reason`(
    _ expectation: String, _ expected: String
  ) async throws {
    let plan = try Self.plan("with: {title: Emma}, expect: \(expectation)")

    let report = await Session(of: plan, options: Session.Options(in: Directory("."))).run(
      inputs: [])

    let notes = report.failures.flatMap { $0.diagnostics(of: plan) }.map(\.notes.first)
    #expect(notes == [expected])
  }

  @Test func `what contradicts itself in an input is found before the run, where it is known`()
    throws
  {
    let error = #expect(throws: ScenarioError.self) { try Self.plan("with: {page: 7}") }

    #expect(
      error?.diagnostics.map { "\($0.code) \($0.message)" } == [
        "F1220 's.take' cannot be called with this input: 'page' needs 'title'"
      ])
    _ = try Self.plan("with: {page: 7, title: Emma}")
    _ = try Self.plan("with: {page: \"${{ 3 + 4 }}\", title: \"${{ 'E' + 'mma' }}\"}")
    _ = try Self.plan("with: {page: 7}, expect: {error: odd}")
  }

  private static func plan(_ rest: String) throws -> Plan {
    let text = "flow: 1\ncomponents: {s: {plugin: shelf}}\nsteps:\n  - {uses: s.take, \(rest)}"
    return try ScenarioLoader(registry: try Registry([Shelf.self])).plan(
      ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
  }
}
