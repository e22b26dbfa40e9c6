package import FlowCore

/// A component for tests: it counts, echoes and fails on demand.
package actor Probe: Component {
  package static let plugin = Plugin(
    "probe", version: "1.2", "Counts, echoes and fails.", state: .memory, settings: settings,
    events: [counted], operations: operations
  ) { _, settings in try Probe(settings) }
  package static let settings = Record(
    Settings.init(start:title:), Field("start", \.start, "Where to count from.", default: 0),
    Field("title", \.title, "A text."))
  package static let counted = EventKind("counted", "The count changed.", Count.record)
  package static let operations: [Operation<Probe>] = [
    Operation(
      "count", "Adds to the count.", input: Step.record, answers: Count.record, errors: [.tooMany]
    ) { probe, context, step in try await probe.count(by: step.by, context) },
    Operation("echo", "Answers what it is given.", input: Echo.record, answers: Echo.record) {
      _, _, echo in echo
    },
    Operation(
      "types", "Answers a value of every type.", answers: Types.record
    ) { _, _ in Types.sample },
    Operation(
      "fail", "Fails with a code, declared or not.", input: Failing.record, answers: .none,
      errors: [.tooMany, .refused]
    ) { _, _, failing in
      throw ComponentError(ErrorCode(failing.code, ""), "asked to fail with \(failing.code)")
    },
    Operation(
      "crash", "Throws something that is not a component error.", answers: .none
    ) { _, _ in throw Unexpected() },
    Operation("random", "Draws a number.", answers: Count.record) { _, context in
      var random = context.random
      return Count(value: Int.random(in: 0..<1_000_000, using: &random))
    },
    Operation(
      "flaky", "Fails at first, then answers how often it was called.", input: Flaky.record,
      answers: Count.record, errors: [.tooMany, .refused]
    ) { probe, _, flaky in try await probe.answer(flaky) },
    Operation("sleep", "Sleeps.", input: Span.record, answers: .none) { _, context, input in
      try await context.sleep(for: input.span)
    },
  ]

  private var value: Int
  private var attempts = 0

  private init(_ configuration: Settings) throws {
    if configuration.start < 0 {
      throw ComponentError(.refused, "\(configuration.start) is less than nothing")
    }
    value = configuration.start
  }

  private func answer(_ flaky: Flaky) throws -> Count {
    attempts += 1
    guard attempts > flaky.failures else {
      throw ComponentError(ErrorCode(flaky.code, ""), "attempt \(attempts) failed")
    }
    return Count(value: attempts)
  }

  private func count(by step: Int, _ context: Context) throws -> Count {
    if step > 100 { throw ComponentError(.tooMany, "\(step) is more than 100") }
    value += step
    context.emit(Self.counted, Count(value: value))
    return Count(value: value)
  }
}

extension ErrorCode {
  package static let tooMany = ErrorCode("too-many", "The step is more than 100.")
  package static let refused = ErrorCode("refused", "The probe does not want to.")
}

extension Probe {
  package struct Settings: Sendable {
    let start: Int
    let title: String?
  }

  package struct Step: Sendable {
    let by: Int
    static let record = Record(Step.init(by:), Field("by", \.by, "How much to add.", default: 1))
  }

  package struct Count: Sendable {
    let value: Int
    static let record = Record(Count.init(value:), Field("value", \.value, "The count."))
  }

  package struct Echo: Sendable {
    let value: Value
    static let record = Record(Echo.init(value:), Field("value", \.value, "Anything."))
  }

  package struct Failing: Sendable {
    let code: String
    static let record = Record(Failing.init(code:), Field("code", \.code, "The code."))
  }

  struct Unexpected: Error, CustomStringConvertible {
    let description = "the wire was cut"
  }
}
