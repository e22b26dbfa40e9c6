package import FlowCore
package import FlowPlan

/// News of a run for a person who watches it, which are no part of its result.
package enum RunNews: Sendable {
  /// A line of a running program, with secrets hidden.
  case line(Address, String)
  /// A step is tried again, with the reason why the attempt before failed, or nil.
  case attempt(Address, number: Int, limit: Int, reason: String?)
  /// A `repeat` goes on, with the values in its condition as far as they are known.
  case iteration(Address, number: Int, limit: Int?, [OperandText])
  /// An iteration starts, with the variable of its loop.
  case entered(Address, variable: String, Value)
  /// Such an iteration has ended.
  case left(Address)
}
