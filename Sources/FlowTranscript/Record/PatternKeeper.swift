internal import FlowCore
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

extension Transcript {
  /// Returns a new recording of the same scenario with the patterns written into this one.
  ///
  /// A pattern is kept if the value at its address and path matches it, and the value is its new
  /// example. If only examples would change, the transcript remains as it was, unless the redactor
  /// has something to hide in them.
  package func keepingMatchers(
    in recording: InMemoryTranscript, of plan: Plan, _ redactor: Redactor = Redactor()
  ) -> InMemoryTranscript {
    let bodies = BlobReader(beside: "", given: recording.bodies)
    guard let bytes = keepingMatchers(in: recording.bytes, of: plan, bodies, redactor) else {
      return recording
    }
    var kept = recording
    kept.bytes = bytes
    // A body in whose place a pattern without an example stands is not named any more.
    let named = BlobNames(in: bytes).digests
    kept.bodies = recording.bodies.filter { named.contains($0.key.digest) }
    return kept
  }

  /// Returns the bytes of a new recording at a path, whose bodies are in files already, or nil if
  /// they do not change.
  package func keepingMatchers(
    in recording: [UInt8], beside path: String, of plan: Plan, _ redactor: Redactor
  ) -> [UInt8]? {
    keepingMatchers(in: recording, of: plan, BlobReader(beside: path, given: [:]), redactor)
  }

  /// True if a new recording has to keep something of this one.
  package var hasMatchers: Bool {
    date != nil || outputs.hasPatterns || calls.withPatterns.contains { _ in true }
  }

  private func keepingMatchers(
    in recording: [UInt8], of plan: Plan, _ bodies: BlobReader, _ redactor: Redactor
  ) -> [UInt8]? {
    guard hasMatchers else { return nil }
    let served = outputs.served
    let isSafe =
      served.redacted(by: redactor, names: true) == served
      && calls.withPatterns.allSatisfy { $0.isRedacted(by: redactor) }
    let kept = { (keepsExamples: Bool) in
      PatternKeeper(self, CallTypes(plan), bodies, keepsExamples: keepsExamples)
        .rewritten(recording)
    }
    // What follows from a new value goes with it, or with neither.
    if isSafe, case let bytes = kept(true), bytes == calls.lines.bytes.whole { return bytes }
    return kept(false)
  }
}

extension Transcript.Call {
  /// Returns true if the redactor has nothing to hide in it.
  fileprivate func isRedacted(by redactor: Redactor) -> Bool {
    values == redacted(by: redactor).values
  }

  private var values: [JSON] {
    var values = [input.json] + emitted.map(\.payload.served)
    if case .output(let output)? = answer { values.append(output.served) }
    return values
  }
}

extension JSON {
  /// The value with its patterns' examples.
  fileprivate var examples: JSON {
    var reader = RecordedValue.Reader()
    return (try? reader.value(self).served) ?? self
  }
}

/// Goes through a recording and the calls of an older transcript side by side.
private struct PatternKeeper: LineChange {
  private let old: Transcript
  private let types: CallTypes
  /// Reads the new bodies.
  private var bodies: BlobReader
  /// True if patterns keep their examples.
  private let keepsExamples: Bool
  /// The names of the old bodies for kept examples, or nil until they are needed.
  private var oldNames: BlobNames?
  /// Finds the old calls.
  private var finder: CallFinder
  /// The varied values, with the placeholder numbers of the new recording.
  private var varied = VariedValues { _ in false }
  /// The old call of each address that was made again last, and how many events followed.
  private var latest: [Address: (call: Int, events: Int)] = [:]

  init(
    _ old: Transcript, _ types: CallTypes, _ bodies: BlobReader, keepsExamples: Bool
  ) {
    self.keepsExamples = keepsExamples
    oldNames = keepsExamples ? nil : BlobNames(in: [])
    self.old = old
    self.types = types
    self.bodies = bodies
    finder = CallFinder(old.calls)
  }

  /// Returns a line with the kept patterns, or nil if it does not change.
  mutating func changed(_ line: TranscriptLine) -> TranscriptLine? {
    // The patterns match the values themselves, and the line has their names again.
    var texts: [[UInt8]: Blob] = [:]
    var trees: [(value: JSON, blob: Blob)] = []
    var resolved = line
    do throws(BlobError) {
      resolved.value = try line.value?.resolvingBlobs { blob throws(BlobError) in
        let value = try bodies.value(of: blob)
        if let text = value.string {
          texts[Array(text.utf8)] = blob
        } else {
          trees.append((value, blob))
        }
        return value
      }
    } catch {
      // It was written just now. The reader of the result reports it.
      return nil
    }
    guard var changed = kept(resolved) else { return nil }
    changed.value = changed.value?.namingBlobs { value in
      let tree = trees.first { $0.value == value }?.blob
      return value.string.flatMap { texts[Array($0.utf8)] } ?? tree ?? oldBlob(of: value)
    }
    return changed
  }

  /// Returns the old body of a value, or nil.
  private mutating func oldBlob(of value: JSON) -> Blob? {
    let old = oldNames ?? BlobNames(in: self.old.calls.lines.bytes.whole)
    oldNames = old
    guard let text = value.string else {
      // Few transcripts have any, and each list would have to be written.
      if old.trees.isEmpty { return nil }
      let tree = Blob(of: Array(value.text.utf8), .json)
      return old.trees.contains(tree.digest) ? tree : nil
    }
    if old.digests.isEmpty { return nil }
    let plain = Blob(of: Array(text.utf8), .text)
    if old.digests.contains(plain.digest) { return plain }
    let encoded = Base64.decode(text).map { Blob(of: $0, .base64) }
    return encoded.flatMap { old.digests.contains($0.digest) ? $0 : nil }
  }

  private mutating func kept(_ line: TranscriptLine) -> TranscriptLine? {
    var line = line
    let isEnd = if case .end = line.kind { true } else { false }
    if keepsExamples, case .end(let passed, .some, let files, let isSealed) = line.kind {
      line.kind = .end(passed: passed, date: self.old.date, files: files, isSealed: isSealed)
    }
    guard let new = line.value, let (old, type) = recorded(for: line) else { return nil }
    var reader = RecordedValue.Reader()
    // What was recorded just now has no malformed patterns.
    guard let value = try? reader.value(new) else { return isEnd ? line : nil }
    if keepsExamples, isOnlyVaried(old, value.served, as: type, in: line) {
      line.value = old.json
    } else if old.hasPatterns {
      line.value = value.keepingPatterns(of: old, as: type, andExamples: keepsExamples).json
    } else if !isEnd {
      return nil
    }
    return line
  }

  /// Returns true if a new value differs from the old one, and only in varied values.
  private mutating func isOnlyVaried(
    _ old: RecordedValue, _ new: JSON, as type: ValueType?, in line: TranscriptLine
  ) -> Bool {
    varied.learn(from: old, new)
    let isGiven =
      switch line.kind {
      case .invoke, .end: true
      default: false
      }
    let changes = FieldChange.between(
      old.matched(by: .plain(new), as: type).json, new, as: type ?? .dynamic)
    return !changes.isEmpty && changes.allSatisfy { varied.explains($0, isGiven: isGiven) }
  }

  /// Returns the old transcript's value in the place of a line's value, with its type, or nil.
  private mutating func recorded(for line: TranscriptLine) -> (RecordedValue, ValueType?)? {
    if case .end = line.kind { return (old.outputs, .dynamic) }
    guard let address = Address(line.at) else { return nil }
    switch line.kind {
    case .invoke(let name, _):
      let type = types[name].map { ValueType.record($0.input) }
      let input = line.value?.examples ?? .null
      latest[address] = finder.take(at: address, input, as: type, &varied).map { ($0, 0) }
      guard let call = call(address), call.name == name,
        varied.same.pair(call.input, input).isEmpty
      else { return nil }
      return (call.input, type)
    case .answer:
      guard let call = call(address), case .output(let output)? = call.answer else { return nil }
      return (output, types[call.name].map { .record($0.output) })
    case .emit(let event): return nextPayload(address, event).map { ($0, nil) }
    case .error, .cancelled, .timer, .timerCancelled, .retry, .end: return nil
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
