import FlowPlan
import Testing

@Suite struct TextTemplateTests {
  @Test(arguments: [
    ("Today is {date}.", "Today is 2026-11-30.", "Today is 2026-11-30."),
    (
      "You answer. Today is {date}.", "You help. Today is 2026-11-30.",
      "You answer. Today is 2026-11-30."
    ),
    ("/orders/{id}/lines/{line}", "/orders/o-7/rows/3", "/orders/o-7/lines/{line}"),
    ("{date}: all is well", "Monday: all is bad", "Monday: all is well"),
    ("Today is {date}. You help.", "You help.", "Today is {date}. You help."),
    ("a {x} b {y} c", "nothing", "a {x} b {y} c"),
    ("end {x}", "end ", "end "),
  ])
  func `a template is filled with what is at the places of its parts`(
    _ row: (template: String, text: String, expected: String)
  ) throws {
    let template = try #require(TextTemplate(row.template))

    #expect(template.filled(like: row.text) == row.expected)
  }
}
