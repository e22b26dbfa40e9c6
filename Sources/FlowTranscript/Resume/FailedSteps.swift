package import FlowCore
package import FlowEngine
internal import FlowPlan
internal import Synchronization

/// The failures that made a run fail, found from its events.
///
/// A failure inside of a step with `continue-on-error` is none of them.
package final class FailedSteps: EventSink {
  /// A failed step, or a failed opening of a component.
  struct Entry: Sendable {
    let address: Address
    let failure: StepFailure
    /// True for a `repeat` that reached its limit.
    var isLoop = false

    /// True if the step itself failed, and not a step inside of it.
    var isOwn: Bool {
      if case .inner = failure { return false }
      return true
    }
  }

  private let state = Mutex<[Entry]>([])

  /// Creates a sink without failures.
  package init() {}

  /// The failures, inner ones before the steps around them.
  var entries: [Entry] { state.withLock(\.self) }

  /// Notes the end of a step, and the components that could not be opened.
  package func receive(_ event: Event) {
    switch event {
    case .stepEnded(let address, let step, .passed, _) where step.countsAttempts:
      state.withLock { $0.removeAttempts(of: address, before: .max) }
    case .stepEnded(let address, let step, .failed(let failure), _):
      let continues = failure.isContinued(by: step.options)
      state.withLock { entries in
        if continues, !entries.isCutOff(inside: address) {
          return entries.removeAll { $0.address.belongs(to: address) }
        }
        if step.countsAttempts { entries.keepLastAttempt(of: address) }
        var entry = Entry(address: address, failure: failure)
        if case .limit = failure { entry.isLoop = true }
        entries.append(entry)
      }
    case .runEnded(let report):
      let unopened = report.failures.filter(\.isOfOpening)
      state.withLock { entries in
        entries += unopened.map { Entry(address: $0.address, failure: $0.failure) }
      }
    default: return
    }
  }

  /// True if another attempt must fail in the same way, because the failures depend on recorded
  /// answers only.
  var areDecided: Bool {
    let own = entries.filter(\.isOwn)
    return !own.isEmpty
      && own.allSatisfy {
        switch $0.failure {
        case .assertions, .evaluation: true
        default: false
        }
      }
  }

  /// The `finally` blocks that ran because of a failure before them.
  ///
  /// They run again after the continued run.
  var finallyBlocks: [Address] {
    let own = entries.filter(\.isOwn).map(\.address)
    let blocks = [Address(path: "finally")] + entries.map(\.address.finallyBlock)
    let roots: [Address?] = [nil] + entries.map(\.address)
    return zip(roots, blocks).filter { root, block in
      own.contains { failed in
        root.map(failed.belongs(to:)) ?? true && !failed.belongs(to: block)
      }
    }.map(\.1)
  }

  /// The address of the first failure, or nil.
  package var first: Address? { entries.first(where: \.isOwn)?.address }
}

extension [FailedSteps.Entry] {
  /// Removes the failures of a repeated block except those of its last attempt.
  ///
  /// The others failed nothing: another attempt followed.
  fileprivate mutating func keepLastAttempt(of block: Address) {
    let last = compactMap { $0.address.attempt(of: block) }.max()
    if let last { removeAttempts(of: block, before: last) }
  }

  /// Removes the failures inside of the attempts of a block before one of them.
  fileprivate mutating func removeAttempts(of block: Address, before attempt: Int) {
    removeAll { entry in entry.address.attempt(of: block).map { $0 < attempt } ?? false }
  }

  /// Returns true if a step failed only because everything around it was cancelled, or at the
  /// boundary.
  fileprivate func isCutOff(inside step: Address) -> Bool {
    let own = filter { $0.isOwn && $0.address.belongs(to: step) }
    if own.contains(where: \.failure.isBoundary) { return true }
    return !own.isEmpty
      && own.allSatisfy {
        if case .cancelled = $0.failure { return true }
        return false
      }
  }
}

extension RunReport.Failure {
  fileprivate var isOfOpening: Bool {
    if case .notOpened = failure { return true }
    return false
  }
}

extension Address {
  /// The attempt of a repeated block in which a step is, or nil for other steps and in its `finally`.
  fileprivate func attempt(of block: Address) -> Int? {
    guard belongs(to: block), path != block.path, !isInFinally(inside: block) else { return nil }
    return iterations.dropFirst(block.iterations.count).first
  }

  fileprivate var finallyBlock: Address {
    Address(path: path + "/finally", iterations: iterations)
  }

  /// The address of the step, for a call inside of it, too, as it is read from a journal.
  var step: Address { Address(path: path, iterations: iterations.isEmpty ? [1] : iterations) }
}
