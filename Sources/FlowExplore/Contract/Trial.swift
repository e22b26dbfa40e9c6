internal import FlowCore

/// Calls one after the other, and what they are to show.
struct Trial: Sendable {
  /// A write that must leave a resource as it was if it is refused.
  struct Reads: Sendable {
    var before: Int
    var write: Int
    var after: Int
  }

  /// A read that must find nothing after a delete.
  struct Deletion: Sendable {
    /// The read that found the resource.
    var before: Int
    var delete: Int
    var read: Int
  }

  /// A read that must find what a call has made.
  struct Creation: Sendable {
    var create: Int
    var read: Int
  }

  var calls: [DrawnCall]
  /// The number of the call that the description forbids, or nil.
  var forbidden: Int?
  var reads: Reads?
  var deletion: Deletion?
  /// The number of the call that lacks right credentials, or nil.
  var closed: Int?
  /// The number of the call with a bound that the description allows, or nil.
  var promised: Int?
  /// Calls that may stand in place of one: other changes at the same place, the simplest first.
  var alternatives: (call: Int, others: [DrawnCall])?
  /// A read that must find what was made, or nil.
  var creation: Creation?

  init(_ calls: [DrawnCall]) { self.calls = calls }

  /// The numbers of the calls that it speaks of.
  private var claimed: Set<Int> {
    Set(
      [
        forbidden, closed, promised, creation?.create, creation?.read, reads?.before, reads?.write,
        reads?.after, deletion?.before,
        deletion?.delete, deletion?.read,
      ].compactMap(\.self))
  }

  /// Returns the trial up to a call, with the claims that this leaves.
  func prefix(through last: Int) -> Trial {
    var trial = self
    trial.calls = Array(calls.prefix(last + 1))
    if let number = forbidden, number > last { trial.forbidden = nil }
    if let number = closed, number > last { trial.closed = nil }
    if let number = promised, number > last { trial.promised = nil }
    if let number = alternatives?.call, number > last { trial.alternatives = nil }
    if let own = creation, own.read > last { trial.creation = nil }
    if let own = reads, own.after > last { trial.reads = nil }
    if let own = deletion, own.read > last { trial.deletion = nil }
    return trial
  }

  /// The trial with the read before a write twice, or nil without these reads.
  ///
  /// A resource that changes by itself is different already then.
  var readTwice: Trial? {
    guard let reads else { return nil }
    var trial = self
    trial.calls.insert(calls[reads.before], at: reads.before)
    for index in trial.calls.indices {
      trial.calls[index].renumber { $0 >= reads.before ? $0 + 1 : $0 }
    }
    trial.reads = Reads(
      before: reads.before + 1, write: reads.write + 1, after: reads.after + 1)
    (trial.forbidden, trial.closed, trial.promised) = (nil, nil, nil)
    return trial
  }

  /// The trial with the claims of one rule alone.
  func focused(on rule: ContractRule) -> Trial {
    var trial = self
    if rule != .invalidInput { trial.forbidden = nil }
    if rule != .authentication { trial.closed = nil }
    if rule != .validInput { trial.promised = nil }
    if rule != .created { trial.creation = nil }
    if rule != .deleted { trial.deletion = nil }
    if rule != .refusedWrite { trial.reads = nil }
    return trial
  }

  /// Returns the trial without a call, or nil if another call or a claim needs it.
  func without(_ call: Int) -> Trial? {
    guard call < calls.count - 1, !claimed.contains(call),
      !calls.contains(where: { $0.links.contains { $0.call == call } })
    else { return nil }
    let number = { (old: Int) in old > call ? old - 1 : old }
    var trial = self
    trial.calls.remove(at: call)
    for index in trial.calls.indices { trial.calls[index].renumber(number) }
    trial.forbidden = forbidden.map(number)
    trial.closed = closed.map(number)
    trial.promised = promised.map(number)
    trial.alternatives = nil
    trial.creation = creation.map {
      Creation(create: number($0.create), read: number($0.read))
    }
    trial.reads = reads.map {
      Reads(before: number($0.before), write: number($0.write), after: number($0.after))
    }
    trial.deletion = deletion.map {
      Deletion(before: number($0.before), delete: number($0.delete), read: number($0.read))
    }
    return trial
  }
}
