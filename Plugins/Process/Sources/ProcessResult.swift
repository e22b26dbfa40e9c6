import FlowCore

/// The answer of `run`, `stop` and `wait_for_end`.
struct ProcessResult: Sendable, Hashable {
  var status: Int
  var signal: String?
  var stdout: String
  var stderr: String
  var truncated: Bool
  var elapsed: Duration

  /// Returns an end in words, such as `ended with status 1` or `was ended by SIGSEGV`.
  static func end(status: Int, signal: String?) -> String {
    signal.map { "was ended by \($0)" } ?? "ended with status \(status)"
  }

  /// The answer of `run`.
  static let record = record(output: .always)

  /// The answer of `stop`.
  ///
  /// The output of a server is a log with its process number, its clients' ports and the time.
  static let ofStopped = record(output: .whenRead)

  private static func record(output comparison: FieldComparison) -> Record<ProcessResult> {
    Record(
      ProcessResult.init(status:signal:stdout:stderr:truncated:elapsed:),
      Field("status", \.status, "The exit code. After a signal, 128 plus its number."),
      Field("signal", \.signal, "The signal that ended the program, such as SIGTERM."),
      Field("stdout", \.stdout, "The standard output.", compared: comparison, log: true),
      Field("stderr", \.stderr, "The standard error.", compared: comparison, log: true),
      Field("truncated", \.truncated, "True if an output was cut off at 'limit'."),
      Field("elapsed", \.elapsed, "The running time.", volatile: true))
  }
}
