internal import FlowCore
internal import FlowPlan

/// The keys of steps of several kinds.
extension Key {
  /// The keys of every step.
  static let ofEveryStep = [
    Key(
      "id", "The name by which later steps refer to the answer, 'steps.ID'.",
      .name(reserved: StepKind.reservedIDs)),
    Key("name", "The name in reports, which may contain expressions.", .text),
    Key("if", "The step does not run if this expression is false.", .expression),
    timeout,
    Key("continue-on-error", "True if the scenario goes on when the step fails.", .flag),
  ]

  static let timeout = Key(
    "timeout", "The time that the step may take, such as 10s.", .computed(.duration))

  static let body = Key("do", "The steps of the block or loop, in order.", .steps, isRequired: true)
  static let finally = Key("finally", "Steps that run in any case, after the others.", .steps)
  static let outputs = Key(
    "outputs", "The values that steps outside of the loop see, as lists.", .names(.value))
  static let cases = Key("cases", "The name of each iteration as a case of reports.", .template)
  static let failFast = Key(
    "fail-fast", "False if the others go on after a failure. Default: true.", .flag)
  static let comparison = Key(
    "compare", "The rule for the order of the calls inside. Default: causal.",
    .words(OrderRule.allCases.map(\.rawValue)))

  /// The key for repeating a call.
  static let retry = Key("retry", retrySummary, .keys(.retry))
  /// The key for repeating several steps, for any of their failures.
  static let retryOfBlock = Key("retry", retrySummary, .keys(.retryOfBlock))
  private static let retrySummary = "How often a failed step is tried again."
}

extension KeySet {
  /// The keys of the policy for repeating a call.
  static let retry = KeySet(
    policy + [
      Key(
        "on", "The error codes that are tried again. Default: any failure.", .list(.errorCode))
    ])

  /// The keys of the policy for repeating several steps.
  static let retryOfBlock = KeySet(policy)

  private static let policy = [
    Key(
      "attempts", "The number of attempts at most, including the first one.",
      .computed(.whole(OptionReader.attempts)), isRequired: true),
    Key(
      "backoff", "The wait before the second attempt. Default: no wait.", .computed(.duration)),
    Key(
      "factor", "The growth of each wait over the one before it. Default: 1.",
      .number(OptionReader.factors)),
    Key("max", "The longest wait. Default: no bound.", .duration),
    Key("jitter", "The random part of each wait. Default: 0.", .number(OptionReader.jitters)),
  ]
}
