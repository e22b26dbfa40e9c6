import FlowCore

extension Probe {
  struct Flaky: Sendable {
    let failures: Int
    let code: String
    static let record = Record(
      Flaky.init(failures:code:),
      Field("failures", \.failures, "How many calls fail before the first that does not."),
      Field("code", \.code, "The code of the failures.", default: "refused"))
  }

  struct Span: Sendable {
    let span: Duration
    static let record = Record(Span.init(span:), Field("span", \.span, "How long to sleep."))
  }
}
