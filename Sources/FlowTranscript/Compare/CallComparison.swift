internal import FlowCore
internal import FlowScenario

/// Compares the calls of two runs, address by address.
struct CallComparison {
  private let types: CallTypes

  init(_ plan: Plan?) {
    types = CallTypes(plan)
  }

  /// A call that is made several times at one address is compared time by time.
  func differences(
    _ recorded: [Transcript.Call], _ now: [Transcript.Call]
  ) -> [TranscriptDifference.Call] {
    var waiting = now.numbersByAddress
    var differences: [TranscriptDifference.Call] = []
    for call in recorded {
      guard let index = waiting[call.address]?.popLast() else {
        differences.append(.init(call, .removed))
        continue
      }
      let fields = fields(call, now[index])
      if !fields.isEmpty { differences.append(.init(now[index], .changed, fields)) }
    }
    let added = waiting.values.joined().sorted()
    return differences + added.map { .init(now[$0], .added) }
  }

  private func fields(_ recorded: Transcript.Call, _ now: Transcript.Call) -> [FieldChange] {
    let types = recorded.name == now.name ? types[now.name] : nil
    let recorded = recorded.matched(by: now, input: types?.input, output: types?.output)
    let input = types.map { ValueType.record($0.input) } ?? .dynamic
    let output = types.map { ValueType.record($0.output) } ?? .dynamic
    let (before, after) = (recorded.answerMembers, now.answerMembers)
    return FieldChange.between(.string(recorded.name), .string(now.name), at: "invoke")
      + FieldChange.between(recorded.input, now.input, as: input, at: "input")
      + FieldChange.between(recorded.events, now.events, at: "events")
      + FieldChange.between(before["ok"], after["ok"], as: output, at: "ok")
      + ["error", "message", "cancelled"].flatMap { name in
        FieldChange.between(before[name], after[name], at: name)
      }
  }
}

extension TranscriptDifference.Call {
  fileprivate init(
    _ call: Transcript.Call, _ kind: Kind, _ fields: [FieldChange] = []
  ) {
    self.init(address: call.address, name: call.name, kind: kind, fields: fields)
  }
}

extension Transcript.Call {
  /// The same with what is there now in place of every matcher that accepts it.
  fileprivate func matched(
    by now: Transcript.Call, input: RecordType?, output: RecordType?
  ) -> Transcript.Call {
    guard let written else { return self }
    var copy = self
    copy.input = self.input.matched(by: now.input, as: input.map(ValueType.record))
    if let pattern = written.output, case .output(let answer)? = now.answer {
      copy.answer = .output(pattern.matched(by: answer, as: output.map(ValueType.record)))
    }
    for (index, payload) in written.payloads where index < now.emitted.count {
      copy.emitted[index].payload = payload.matched(by: now.emitted[index].payload, as: nil)
    }
    return copy
  }

  /// What the component reported, as a list.
  fileprivate var events: JSON {
    .array(
      emitted.map { .object([.init("emit", .string($0.event)), .init("payload", $0.payload)]) })
  }

  /// The members of its answer: those of the line, without the address.
  fileprivate var answerMembers: JSON {
    switch answer {
    case .output(let output)?: .object([.init("ok", output)])
    case .error(let code, let message)?:
      .object([.init("error", .string(code)), .init("message", .string(message))])
    case .cancelled?: .object([.init("cancelled", .bool(true))])
    case nil: .object([])
    }
  }
}
