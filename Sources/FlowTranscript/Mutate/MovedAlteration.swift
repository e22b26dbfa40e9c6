package import FlowCore
internal import FlowSystem

extension Alteration {
  /// An alteration among those of one answer, the same in every recording of the call.
  package struct Key: Hashable, Sendable {
    /// The place of the value.
    package let path: FieldPath
    /// The difference.
    let change: ValueChange

    /// The key of the same alterations in all elements of a list.
    package var ofAnyElement: Key {
      let steps = path.steps.map { step in
        if case .index = step { FieldPath.Step.index(0) } else { step }
      }
      return Key(path: FieldPath(steps), change: change)
    }
  }

  /// The key.
  package var key: Key { Key(path: path, change: kind) }

  /// Returns the same alteration of another recorded call.
  ///
  /// - Returns: Nil if its answer has no such place, or the altered value already.
  package func moved(to call: Int, of transcript: Transcript) -> Alteration? {
    let target = transcript.calls[call]
    guard let recorded = target.part(at: path), recorded != altered ?? .null else { return nil }
    return Alteration(
      call: call, address: target.address, attempt: transcript.calls.attempts[call],
      name: target.name, line: target.answerLine ?? target.line, path: path,
      recorded: recorded == .null ? nil : recorded, altered: altered, kind: kind,
      otherLine: otherLine, type: type, isIncidental: isIncidental)
  }

  /// Returns true if both alter the same value to the same other one.
  package func isSame(as other: Alteration) -> Bool {
    (recorded ?? .null) == (other.recorded ?? .null) && altered == other.altered
  }
}

extension Transcript.Call {
  /// Returns the value at a path of the answer, null for an absent member, or nil if it has no such
  /// place.
  fileprivate func part(at path: FieldPath) -> JSON? {
    switch (path.steps.first, answer) {
    case (.field("ok")?, .output(let output)?): output.served.part(at: path.steps.dropFirst())
    case (.field("error")?, .error(let code, _)?): .string(code)
    default: nil
    }
  }
}
