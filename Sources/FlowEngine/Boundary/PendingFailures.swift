internal import FlowCore
internal import Synchronization

/// The failures that components have noted for the end of the run, and may withdraw until then.
///
/// Each is of the step during which it happened: the first one that ends afterwards.
package final class PendingFailures: Sendable {
  private struct Note {
    let pending: PendingFailure
    let failure: BoundaryFailure
    /// The failure as one of its step, or nil before a step has ended.
    var placed: RunReport.Failure?
  }

  private let notes = Mutex<[Note]>([])
  /// True if a failure has no step yet.
  ///
  /// Every step asks, and hardly any run has one.
  private let isAnyUnplaced = Atomic(false)

  /// False for a run with injected faults or altered answers, from which failures that count only
  /// in passed runs follow.
  private let isOrdinary: Bool

  package init(isOrdinary: Bool = true) { self.isOrdinary = isOrdinary }

  /// True if a failure has no step yet.
  var hasUnplaced: Bool { isAnyUnplaced.load(ordering: .acquiring) }

  /// Adds a failure of a component.
  func add(_ pending: PendingFailure, of component: String) {
    let failure = BoundaryFailure.noted(pending.error, by: component, notes: pending.notes)
    notes.withLock { $0.append(Note(pending: pending, failure: failure)) }
    isAnyUnplaced.store(true, ordering: .releasing)
  }

  /// Gives the failures without a step to the one that ends now.
  func place(_ describe: (BoundaryFailure) -> RunReport.Failure) {
    isAnyUnplaced.store(false, ordering: .releasing)
    notes.withLock { notes in
      for index in notes.indices where notes[index].placed == nil {
        notes[index].placed = describe(notes[index].failure)
      }
    }
  }

  /// Returns the failures that were not withdrawn, in their order.
  ///
  /// `hasFailed` is true for a run that has others.
  func remaining(hasFailed: Bool) -> [RunReport.Failure] {
    let left = notes.withLock(\.self).filter { !$0.pending.isWithdrawn }
    let hasFailed = hasFailed || !isOrdinary || left.contains { !$0.pending.isOfPassedRun }
    return left.filter { !hasFailed || !$0.pending.isOfPassedRun }.map { note in
      note.placed
        ?? RunReport.Failure(
          address: Address(path: "steps"), place: nil, failure: .boundary(note.failure))
    }
  }
}
