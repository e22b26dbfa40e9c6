internal import FlowCore
internal import FlowEngine
internal import FlowPlan

/// The line printed for an event by `-v` and `-vv`.
///
///     spend#1: event balance.changed {balance: 87.50}
///     spend#1: balance.subtract {amount: 12.50} -> {balance: 87.50}
enum EventLine {
  // Keeps a line with an input and an answer readable.
  private static let longestValue = 400

  /// Returns the line, or nil for an event not printed in this detail.
  static func text(of event: Event, in detail: ConsoleReport.Detail) -> String? {
    switch event {
    case .completed(let invocation, let outcome):
      if case .event = invocation.target, detail < .events { return nil }
      return detail < .calls ? nil : "\(title(invocation)) -> \(answer(outcome, invocation))"
    case .invoked(let invocation):
      guard case .event = invocation.target, detail >= .events else { return nil }
      return "\(invocation.address): waits for \(invocation.name)"
    case .emitted(let address, let event, let payload):
      return detail < .events ? nil : "\(address): event \(event) \(text(payload))"
    case .stepStarted(let address, let step):
      guard detail >= .events else { return nil }
      switch step.action.content.waiting {
      case .time(let duration): return "\(address): waits \(duration.text())"
      case .nothing, .answer, .event: return nil
      }
    case .computed(let address, let value):
      return detail < .calls ? nil : "\(address): \(value.line(limit: longestValue))"
    case .runStarted, .branchStarted, .branchEnded, .caseStarted, .caseEnded, .stepEnded, .runEnded:
      return nil
    }
  }

  /// Returns `spend#1: balance.subtract {amount: 30}`, without a name already in the address.
  private static func title(_ invocation: Invocation) -> String {
    let address = "\(invocation.address)"
    let last = address.split(separator: "/").last ?? ""
    let name = last.hasPrefix(invocation.name) ? "" : ": \(invocation.name)"
    if case .event = invocation.target { return address + name }
    let hasInput = !invocation.inputType.fields.isEmpty
    let input = hasInput ? " " + text(invocation.input.withoutAbsentFields) : ""
    return address + name + input
  }

  private static func answer(_ outcome: Outcome, _ invocation: Invocation) -> String {
    switch outcome {
    case .answer(let value):
      if case .open = invocation.target { return "opened" }
      return text(value.withoutOtherForms())
    case .error(let error): return "error '\(error.code.name)': \(error.message.onOneLine)"
    case .cancelled: return "cancelled"
    }
  }

  private static func text(_ value: Value) -> String { value.summary(limit: longestValue) }
}
