import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The judgement on the end of a started program: asked for or not.
///
/// A program that ends with status 0 has done its work, or continues in the background.
struct EndJudgement: Sendable {
  /// True if a step asked for the end, or flow did.
  private var isAskedFor = false
  private var isJudged = false
  /// The signals of steps.
  private var signals: Set<Int32> = []
  private var isTypedOn = false
  /// The failure of an end that nothing had asked for when it came.
  var pending: PendingFailure?

  /// The signals that ask every program to end.
  private static let ending: Set = [SIGINT, SIGQUIT, SIGABRT, SIGKILL, SIGTERM]
  /// The signals that the keys of a terminal send.
  private static let ofTerminals: Set = [SIGINT, SIGQUIT, SIGHUP]

  /// Takes the end as asked for, whether or not it has come.
  mutating func takeEnd() {
    isAskedFor = true
    pending?.withdraw()
  }

  /// Notes a signal of a step.
  mutating func noteSignal(_ signal: Int32) { signals.insert(signal) }

  /// Notes input of a step: a person at a terminal ends programs by typing.
  mutating func noteTyping() { isTypedOn = true }

  /// Returns a failed end in words if nothing has asked for it, at the first call only.
  ///
  /// `status` is 128 plus the number of a signal, and `signal` is 0 without one.
  mutating func takeUnaskedEnd(_ status: Int32, _ signal: Int32) -> String? {
    defer { isJudged = true }
    guard !isJudged, !isAskedFor, status != 0, !isEffect(status, signal) else { return nil }
    let name = signal == 0 ? nil : SignalName.of(signal)
    return ProcessResult.end(status: Int(status), signal: name)
  }

  /// True if the end may be the effect of what steps have sent.
  private func isEffect(_ status: Int32, _ signal: Int32) -> Bool {
    if isTypedOn, signal == 0 || Self.ofTerminals.contains(signal) { return true }
    // A shell that ends by a signal returns it as its status.
    return !signals.isDisjoint(with: Self.ending) || signals.contains(status - 128)
  }
}
