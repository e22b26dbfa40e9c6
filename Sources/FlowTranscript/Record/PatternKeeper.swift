internal import FlowCore
package import FlowScenario

extension Transcript {
  /// A new recording of the same scenario with the matchers that were written into this one.
  ///
  /// Each stands again where the value at its address and path fits it; the value is its new example.
  package func keepingMatchers(in recording: InMemoryTranscript, of plan: Plan) -> InMemoryTranscript {
    guard outputs.hasMatchers || calls.contains(where: { $0.written != nil }) else {
      return recording
    }
    var keeper = PatternKeeper(self, CallTypes(plan), recording.bodies)
    var kept = recording
    kept.bytes = keeper.bytes(recording.bytes)
    if Seal.isThere(in: recording.bytes) { kept.bytes = Seal.sealed(kept.bytes) }
    // A matcher without an example stands for a body that nothing names any more.
    let named = BlobNames(in: kept.bytes).digests
    kept.bodies = recording.bodies.filter { named.contains($0.key.digest) }
    return kept
  }
}

/// Goes through a recording and the calls of an older transcript side by side.
private struct PatternKeeper {
  private let old: Transcript
  private let types: CallTypes
  /// The new bodies.
  private let bodies: [Blob: [UInt8]]
  /// The old calls of each address that are still to come, the next one last.
  private var waiting: [String: [Int]]
  /// The old call of each address that was made again last, and how many events followed.
  private var latest: [String: (call: Int, events: Int)] = [:]

  init(_ old: Transcript, _ types: CallTypes, _ bodies: [Blob: [UInt8]]) {
    self.old = old
    self.types = types
    self.bodies = bodies
    waiting = old.calls.numbersByAddress
  }

  mutating func bytes(_ recording: [UInt8]) -> [UInt8] {
    var lines = LineCursor(recording)
    var writer = JSONWriter()
    while let line = lines.next() {
      if let changed = changed(line) {
        writer.value(changed)
        writer.endLine()
      } else {
        writer.append(lines: Array(line) + [0x0A])
      }
    }
    return writer.bytes
  }

  /// A line with the matchers that stand again; nil for one that stays as it is.
  private mutating func changed(_ line: ArraySlice<UInt8>) -> JSON? {
    guard let json = try? JSONParser.parse(line) else { return nil }
    // What is matched are the texts themselves; in the line their names stand again.
    var names: [[UInt8]: Blob] = [:]
    let resolved = try? json.resolvingBlobs { blob throws(BlobError) in
      guard let text = bodies[blob].flatMap(blob.text) else { throw BlobError(blob, "is missing") }
      names[Array(text.utf8)] = blob
      return text
    }
    return resolved.flatMap { changed($0) }?.namingBlobs(names)
  }

  private mutating func changed(_ json: JSON) -> JSON? {
    guard let content = TranscriptLine(json) else { return nil }
    switch content {
    case .invoke(let address, let name, let input):
      latest[address] = waiting[address]?.popLast().map { ($0, 0) }
      guard let call = call(address), call.name == name, call.written?.hasInput == true else {
        return nil
      }
      let type = types[name].map { ValueType.record($0.input) }
      return json.with("input", input.keepingMatchers(of: call.input, as: type))
    case .answer(let address, let output):
      guard let call = call(address), let pattern = call.written?.output else { return nil }
      let type = types[call.name].map { ValueType.record($0.output) }
      return json.with("ok", output.keepingMatchers(of: pattern, as: type))
    case .emit(let address, let event, let payload):
      return nextPayload(address, event).map {
        json.with("payload", payload.keepingMatchers(of: $0, as: nil))
      }
    case .end(_, let outputs, _):
      return json.with("outputs", outputs.keepingMatchers(of: old.outputs, as: .dynamic))
    case .error, .cancelled: return nil
    }
  }

  private func call(_ address: String) -> Transcript.Call? {
    latest[address].map { old.calls[$0.call] }
  }

  /// The matchers in the payload of the next event of a call.
  private mutating func nextPayload(_ address: String, _ event: String) -> JSON? {
    guard let call = call(address), let index = latest[address]?.events else { return nil }
    latest[address]?.events += 1
    guard index < call.emitted.count, call.emitted[index].event == event else { return nil }
    return call.written?.payloads[index]
  }
}

extension JSON {
  /// The same object with another value of a member.
  fileprivate func with(_ name: String, _ value: JSON) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.map { $0.name == name ? Member(name, value) : $0 })
  }
}
