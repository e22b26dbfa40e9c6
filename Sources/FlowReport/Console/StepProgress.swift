internal import FlowCore
internal import FlowEngine
internal import FlowPlan

/// The progress of a step with its own line on the console.
struct StepProgress {
  /// A failed step inside of it, or the step itself.
  private struct Failure {
    let address: Address
    let reason: String
    let attempts: Int
  }

  let address: Address
  let step: PlannedStep
  /// The number of started steps inside of it.
  private(set) var innerSteps = 0
  private var calls = 0
  private var past: [ConsoleReport.Past: Int] = [:]
  /// The number of calls by each running step with a `retry`.
  private var attempts: [Address: Int] = [:]
  /// The number of the present attempt of each block with a `retry`.
  private var blocks: [Address: Int] = [:]
  private var failures: [Failure] = []
  private var told = 0
  private var untold = 0

  // A loop may go on after thousands of failures.
  private static let mostTold = 10

  init(_ address: Address, _ step: PlannedStep) {
    self.address = address
    self.step = step
    if step.options?.retry != nil { attempts[address] = 0 }
    if step.countsAttempts { blocks[address] = 0 }
  }

  // MARK: - What happens

  mutating func begin(_ address: Address, _ step: PlannedStep) {
    innerSteps += 1
    noteAttempt(at: address)
    if step.options?.retry != nil { attempts[address] = 0 }
    if step.countsAttempts { blocks[address] = 0 }
  }

  /// Notes the attempt of a block around a starting step, and forgets the failures of earlier ones.
  private mutating func noteAttempt(at inner: Address) {
    for (block, attempt) in blocks where inner.belongs(to: block) {
      guard let number = inner.iterations.dropFirst(block.iterations.count).first,
        number > attempt
      else { continue }
      (blocks[block], attempts[block]) = (number, number)
      if number > 1 { failures.removeAll { $0.address.belongs(to: block) } }
    }
  }

  mutating func invoke(_ invocation: Invocation) {
    if let count = attempts[invocation.address] { attempts[invocation.address] = count + 1 }
  }

  mutating func complete(_ invocation: Invocation) {
    if case .open = invocation.target { return }
    if invocation.address.caller == nil { calls += 1 }
  }

  mutating func note(_ address: Address, _ kind: ConsoleReport.Past) {
    if address.caller == nil { past[kind, default: 0] += 1 }
  }

  /// Notes the end of a step: this one, or one inside of it.
  ///
  /// Returns the reasons for its failure, a sentence for each step, if the scenario continues and no
  /// other text contains them.
  mutating func end(_ address: Address, _ step: PlannedStep, _ outcome: StepState) -> [String] {
    defer { if address != self.address { (attempts[address], blocks[address]) = (nil, nil) } }
    guard case .failed(let failure) = outcome else { return [] }
    if let reason = failure.reason(at: address), failures.count < Self.mostTold {
      failures.append(
        Failure(address: address, reason: reason, attempts: attempts[address] ?? 0))
    }
    guard failure.isContinued(by: step.options) else { return [] }
    let over = failures.filter { $0.address.belongs(to: address) }
    failures.removeAll { $0.address.belongs(to: address) }
    let shown = over.prefix(Self.mostTold - told)
    told += shown.count
    untold += over.count - shown.count
    return shown.map(sentence)
  }

  private func sentence(_ failure: Failure) -> String {
    let isInner = failure.address != address && failure.attempts > 1
    return failure.reason + (isInner ? " (\(failure.attempts) attempts)" : "")
  }

  // MARK: - What the line says

  /// The details in parentheses before the time: `4 steps`, `served`, `3 attempts`.
  var details: [String] {
    // As nearly every step.
    if innerSteps == 0 && past.isEmpty && attempts.isEmpty { return [] }
    return (innerSteps > 0 ? [counted(innerSteps, "step")] : []) + pastTexts
      + (attempts[address, default: 0] > 1 ? ["\(attempts[address, default: 0]) attempts"] : [])
  }

  /// The number of failures left out, in words, or nil.
  var rest: String? {
    untold > 0 ? "and \(counted(untold, "more step")) failed" : nil
  }

  private var pastTexts: [String] {
    ConsoleReport.Past.allCases.compactMap { kind in
      guard let count = past[kind] else { return nil }
      // A call that was repeated and got no answer is not among the calls, so there may be more.
      return count >= calls
        ? kind.rawValue : "\(count) of \(counted(calls, "call")) \(kind.rawValue)"
    }
  }
}
