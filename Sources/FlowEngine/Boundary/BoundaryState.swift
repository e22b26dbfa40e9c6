internal import FlowCore
internal import FlowPlan

// The state behind the lock of a boundary.

extension Boundary {
  /// The place of a component's call among the others, and the caller that answers it.
  struct Place {
    let owner: CallOwner
    let answering: Answering
    let number: Int
    let tag: UInt64
    let lane: Int
  }

  /// The caller that answers.
  ///
  /// A class: every call of a component passes it on, and copying a protocol's value takes longer.
  final class Answering: Sendable {
    let caller: any Caller

    init(_ caller: any Caller) { self.caller = caller }
  }

  /// The recorded calls of components.
  ///
  /// A class for the same reason.
  final class Recorded: Sendable {
    let calls: any CallNumbers
    /// Waits until nothing else can go on.
    let settle: @Sendable () async -> Void

    init(_ calls: any CallNumbers, settle: @escaping @Sendable () async -> Void) {
      self.calls = calls
      self.settle = settle
    }
  }

  /// An open component, in the scope of its scenario.
  struct Instance {
    let component: HandedComponent
    let scope: Address?
  }

  struct State {
    var answering: Answering?
    var recorded: Recorded?
    var requests: RecordedRequests?
    private var owners: [Address: CallOwner] = [:]
    /// The last owner found, which is nearly always the next one asked for.
    private var latest: (address: Address, owner: CallOwner)?
    /// The components handed to scenarios that run in a step, in place of their own.
    var handed: [Address: [Int: Instance]] = [:]
    /// The reason for an unanswered call whose caller had ended, or the first noted failure.
    var failure: BoundaryFailure?

    /// The call at an address, while it goes on.
    mutating func owner(at address: Address) -> CallOwner? {
      if let latest, latest.address == address { return latest.owner }
      guard let owner = owners[address] else { return nil }
      latest = (address, owner)
      return owner
    }

    mutating func begin(_ owner: CallOwner, at address: Address) {
      latest = nil
      owners[address] = owner
    }

    mutating func removeOwner(at address: Address) -> CallOwner? {
      latest = nil
      return owners.removeValue(forKey: address)
    }

    /// True if other tasks may still make recorded calls, and this call could take an answer of
    /// theirs.
    mutating func isUnsure(
      _ question: CallQuestion, at address: Address, by task: UInt64, as known: Address.Call?
    ) -> Bool {
      guard let recorded, known == nil, let owner = owner(at: address) else { return false }
      return recorded.calls.isUnsure(
        calledBy: address, question.name, tag: question.input, task: owner.lane(of: task))
    }

    /// Starts a call of a task, under its recorded number or numbered among equal calls.
    mutating func begin(
      _ question: CallQuestion, at address: Address, by task: UInt64, as known: Address.Call?
    ) throws(ComponentError) -> Place {
      let (name, tag) = (question.name, question.input)
      guard let answering, let owner = owner(at: address) else {
        throw noteLateCall(of: name, at: address)
      }
      let (number, lane) = try owner.number(question, task)
      owner.open.append(name)
      let found =
        known == nil ? recorded?.calls.place(calledBy: address, name, tag: tag, task: lane) : nil
      return Place(
        owner: owner, answering: answering, number: known?.number ?? found?.number ?? number,
        tag: known?.tag ?? tag, lane: found?.lane ?? lane)
    }

    /// Notes a call after the end of its caller.
    ///
    /// The run fails whatever the call returns.
    mutating func noteLateCall(of name: String, at address: Address) -> ComponentError {
      let late = BoundaryFailure.lateCall(
        "'\(name)' was called after the call at '\(address)' had ended")
      if failure == nil { failure = late }
      return ComponentError(.unexpected, late.message)
    }

    /// Notes the reason for a call without an answer: at its caller, or at the run if the caller
    /// has ended.
    mutating func note(_ failure: BoundaryFailure, of caller: Address?) {
      if let caller, let owner = owner(at: caller) {
        owner.note(failure)
      } else if self.failure == nil {
        self.failure = failure
      }
    }
  }
}
