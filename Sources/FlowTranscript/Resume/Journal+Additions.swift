package import FlowCore
internal import FlowEngine
package import FlowRedaction
package import FlowScenario
internal import FlowSystem

// Lines that `flow resume` adds to a journal before the run goes on.

/// A reason that a call of a journal cannot be recorded as done.
package enum DoneCallError: Error, Sendable {
  /// No call at the address waits for its answer.
  case unknown(waiting: [String])
  /// The call has its answer.
  case answered
  /// Several calls of components have this address.
  case ambiguous
  /// The type of the answer is not known.
  case untyped
  /// The answer does not fit its type.
  case misfit(DecodeError)
}

extension Journal {
  /// Returns the line that continues a failed run, and the journal with it, or nil if the run would
  /// fail in the same way.
  ///
  /// With a changed scenario the result is unknown.
  package func retrying(
    _ failures: FailedSteps, isChanged: Bool
  ) -> (line: [UInt8], journal: Journal)? {
    let retried = RetriedSteps(failures, in: self)
    let isDecided = failures.areDecided && !retried.hasFailedCalls
    if !isChanged, failures.entries.isEmpty || isDecided { return nil }
    let line = TranscriptLine(at: "steps", kind: .retry(steps: retried.addresses))
    var writer = JSONWriter(longestLine: LineCursor.longest)
    line.write(to: &writer)
    writer.endLine()
    let steps = Set(retried.addresses.compactMap { Address($0)?.step })
    return (writer.bytes, without(steps))
  }

  private func without(_ steps: Set<Address>) -> Journal {
    Journal(
      header: header, run: run, passed: nil, outputs: .plain(.object([])), date: nil,
      length: length, tornBytes: tornBytes, checksum: checksum, calls: calls.without(steps),
      timers: timers.without(steps))
  }

  /// Returns the line of an answer that a person supplies for a call with an unknown outcome.
  ///
  /// Its secrets are hidden by `redactor`.
  ///
  /// - Throws: `DoneCallError`.
  package func doneLine(
    _ address: String, answer: JSON, in plan: Plan, hidingSecretsBy redactor: Redactor
  ) throws(DoneCallError) -> [UInt8] {
    let call = try waitingCall(at: address)
    guard let type = AnswerTypes(calls, plan).type(of: call) else { throw .untyped }
    let value: Value
    do throws(DecodeError) { value = try Value(answer, as: .record(type)) } catch {
      throw .misfit(error)
    }
    // A secret that is too short is hidden in its field only.
    try? redactor.hideSecrets(in: value, of: call.component)
    let written = JSON(redactor.redacted(value), as: .record(type))
    let tags = call.address.tags.map { [JSON.Member("call", .string($0))] } ?? []
    var writer = JSONWriter(longestLine: LineCursor.longest)
    writer.value(
      .object(
        [
          .init("at", .string(address)), .init("ok", written), .init("by", .string("person")),
        ] + tags))
    writer.endLine()
    return writer.bytes
  }

  private func waitingCall(at address: String) throws(DoneCallError) -> Transcript.Call {
    let numbers = calls.indices.filter { calls.lines.text(of: $0) == address }
    let open = numbers.filter { !calls.isAnswered($0) }
    guard let number = open.first else {
      if !numbers.isEmpty { throw .answered }
      let waiting = calls.indices.filter { !calls.isAnswered($0) && calls[$0].name.contains(".") }
      throw .unknown(waiting: waiting.map { calls.lines.text(of: $0) })
    }
    if open.count > 1 { throw .ambiguous }
    return calls[number]
  }

  /// Returns the next lines of the journal, with checksums if the others have them.
  package func signing(_ lines: [[UInt8]]) -> [[UInt8]] {
    var checksum = checksum
    return lines.map { line in
      var line = line
      checksum?.sign(&line)
      return line
    }
  }
}

extension [RecordedTimer.Key: RecordedTimer] {
  /// The timers without those of some steps.
  func without(_ steps: Set<Address>) -> Self {
    filter { timer, _ in !steps.contains(timer.address.step) }
  }
}

/// The declared types of the answers to a journal's calls.
private struct AnswerTypes {
  private let calls: CallList
  private let plan: Plan

  init(_ calls: CallList, _ plan: Plan) { (self.calls, self.plan) = (calls, plan) }

  /// The type of a call's answer, or nil if it is no call of an operation in the scenario.
  func type(of call: Transcript.Call) -> RecordType? {
    let place = call.address
    guard let inner = place.calls.last else {
      var finder = StepFinder(plan)
      return finder.place(at: place.path)?.output
    }
    guard let caller = caller(of: place) else { return nil }
    for component in plan.allComponents where component.name == caller {
      for role in component.roles {
        let operation = inner.name.dropFirst(role.name.count + 1)
        if inner.name.hasPrefix(role.name + "."), let call = role.calls[String(operation)] {
          return call.outputType
        }
      }
    }
    return nil
  }

  /// The name of the component that made a call, outside of its tasks.
  private func caller(of place: Address) -> String? {
    place.caller.flatMap { calls.latest(at: $0.outsideLane) }.map { calls[$0].component }
  }
}
