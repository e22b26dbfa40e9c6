import FlowCore
import FlowRedaction
import FlowReport
import FlowSystem
import Testing

/// Failures of several steps that one call causes.
@Suite struct SharedFailuresTests {
  private func failure(
    _ message: String, line: Int, notes: [String] = ["it came late"], _ code: String = "F3001"
  ) -> Diagnostic {
    let start = Position(line: line, column: 5)
    let span = SourceSpan(file: "s.yaml", start: start, end: start)
    return Diagnostic(DiagnosticCode(code), message, at: span, notes: notes)
  }

  private func text(_ problems: [Diagnostic], isBrief: Bool = true) -> String {
    DiagnosticText.text(of: problems, quoting: .nothing, isBrief: isBrief, Redactor())
  }

  private var shared: [Diagnostic] {
    [
      failure("no call", line: 4), failure("other", line: 6), failure("no call", line: 7),
      failure("no call", line: 9),
    ]
  }

  @Test func `a failure of several steps is printed once, with the places of all`() {
    #expect(
      text(shared) == """
        s.yaml:4:5: error: no call [F3001]
          note: it came late
          note: it also failed the steps at s.yaml:7:5, s.yaml:9:5
        s.yaml:6:5: error: other [F3001]
          note: it came late

        """)
  }

  @Test func `a report has the failure of each step`() {
    #expect(text(shared, isBrief: false).split(separator: "no call").count == 4)
  }

  @Test func `failures with another note or code, and of no call, stay apart`() {
    let apart = [
      failure("no call", line: 4), failure("no call", line: 6, notes: ["it came early"]),
      failure("no call", line: 7, "F3004"), failure("no call", line: 8, "F2004"),
      failure("no call", line: 9, "F2004"), failure("no call", line: 10, "F1502"),
      failure("no call", line: 11, "F1502"),
    ]

    #expect(text(apart).split(separator: "no call").count == 8)
    #expect(!text(apart).contains("it also failed"))
  }
}
