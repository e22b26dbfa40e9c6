private import Synchronization

/// A failure that fails the run at its end, unless its component withdraws it before.
///
/// `Context.failAtEnd` returns one.
public final class PendingFailure: Sendable {
  /// The reason.
  package let error: ComponentError
  /// Lines that help to find the cause, such as the last lines of a program.
  package let notes: [String]
  /// True if it counts only in a run without another failure, from which it may follow.
  package let isOfPassedRun: Bool
  private let withdrawal = Atomic(false)

  package init(_ error: ComponentError, notes: [String] = [], ifPassed isOfPassedRun: Bool = false)
  {
    (self.error, self.notes, self.isOfPassedRun) = (error, notes, isOfPassedRun)
  }

  /// Takes the failure back, because a step has asked for what happened.
  ///
  /// May be called repeatedly.
  public func withdraw() { withdrawal.store(true, ordering: .releasing) }

  /// True if the component has taken it back.
  package var isWithdrawn: Bool { withdrawal.load(ordering: .acquiring) }
}
