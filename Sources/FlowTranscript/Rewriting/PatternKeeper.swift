internal import FlowCore
internal import FlowPlan
internal import FlowSystem

extension Transcript {
  /// Returns a new recording of the same scenario with the patterns written into this one.
  ///
  /// A pattern is kept if the value at its address and path matches it, and the value is its new
  /// example.
  func keepingMatchers(in recording: Transcript, of plan: Plan) -> Transcript {
    guard hasMatchers else { return recording }
    var keeper = PatternKeeper(self, CallTypes(plan))
    return recording.with(recording.lines.map { keeper.kept($0) ?? $0 })
  }

  /// True if a value in it has a pattern.
  package var hasMatchers: Bool { lines.contains { $0.value?.hasPatterns == true } }

  /// Returns true if its file has the same bytes as that of another one.
  package func isSame(as other: Transcript) -> Bool {
    header == other.header && isSealed == other.isSealed && lines == other.lines
  }
}

/// Goes through a recording and the calls of an older transcript side by side.
private struct PatternKeeper {
  private let old: Transcript
  private let types: CallTypes
  /// Finds the old calls.
  private var finder: CallFinder
  /// The varied values, with the placeholder numbers of the new recording.
  private var varied = VariedValues { _ in false }
  /// The old call of each address that was made again last, and how many events followed.
  private var latest: [Address: (call: Int, events: Int)] = [:]

  init(_ old: Transcript, _ types: CallTypes) {
    self.old = old
    self.types = types
    finder = CallFinder(old.calls)
  }

  /// Returns the next line with the kept patterns, or nil if it stays as it is.
  mutating func kept(_ line: TranscriptLine) -> TranscriptLine? {
    guard let value = line.value, let (old, type) = recorded(for: line), old.hasPatterns else {
      return nil
    }
    var line = line
    line.value = value.keepingPatterns(of: old, as: type)
    return line
  }

  /// Returns the old transcript's value in the place of a line's value, with its type, or nil.
  private mutating func recorded(for line: TranscriptLine) -> (RecordedValue, ValueType?)? {
    if case .end = line.kind { return (old.outputs, .dynamic) }
    guard let address = Address(line.at) else { return nil }
    switch line.kind {
    case .invoke(let name, _):
      let type = types[name].map { ValueType.record($0.input) }
      let input = line.value?.served ?? .null
      latest[address] = finder.take(at: address, input, as: type, &varied).map { ($0, 0) }
      guard let call = call(address), call.name == name,
        varied.same.pair(call.input, input).isEmpty
      else { return nil }
      return (call.input, type)
    case .answer:
      guard let call = call(address), case .output(let output)? = call.answer else { return nil }
      return (output, types[call.name].map { .record($0.output) })
    case .emit(let event, _): return nextPayload(address, event).map { ($0, nil) }
    case .error, .cancelled, .timer, .timerCancelled, .retry, .version, .end: return nil
    }
  }

  private func call(_ address: Address) -> Transcript.Call? {
    latest[address].map { old.calls[$0.call] }
  }

  /// The payload of the next event of a call.
  private mutating func nextPayload(_ address: Address, _ event: String) -> RecordedValue? {
    guard let call = call(address), let index = latest[address]?.events else { return nil }
    latest[address]?.events += 1
    guard index < call.emitted.count, call.emitted[index].event == event else { return nil }
    return call.emitted[index].payload
  }
}
