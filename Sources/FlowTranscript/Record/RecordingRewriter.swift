internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowSystem

/// A change of the lines of a finished recording.
protocol LineChange {
  /// Returns a line in place of another one, or nil if it stays as it is.
  ///
  /// Called once for each line after the header, in order.
  mutating func changed(_ line: TranscriptLine) -> TranscriptLine?
}

extension LineChange {
  /// Returns a recording with the change of all its lines, each of which is parsed once.
  ///
  /// A seal is made anew.
  consuming func rewritten(_ recording: [UInt8]) -> [UInt8] {
    var (change, lines, writer) = (self, LineCursor(recording), JSONWriter())
    while let line = lines.next() {
      let read = (try? JSONParser.parse(line)).flatMap { TranscriptLine($0) }
      if let changed = read.flatMap({ change.changed($0) }) {
        writer.value(changed.json)
        writer.endLine()
      } else {
        writer.append(lines: Array(line) + [0x0A])
      }
    }
    return Seal.isThere(in: recording) ? Seal.sealed(writer.bytes) : writer.bytes
  }
}

/// Marks the calls that were added to a recording, by target and input.
struct Additions: LineChange, Sendable {
  private var calls: [String: Addition] = [:]

  init() {}

  /// Creates the calls that a transcript marks as added before.
  init(in transcript: Transcript) {
    for call in transcript.calls.lazy where call.marks.added != nil {
      calls[Self.key("\(call.address)", call.input.json)] = call.marks.added
    }
  }

  var isEmpty: Bool { calls.isEmpty }

  mutating func note(_ invocation: Invocation, _ addition: Addition) {
    calls[Self.key("\(invocation.address)", invocation.inputJSON)] = addition
  }

  /// These, and others in their places.
  func merging(_ others: Additions) -> Additions {
    var copy = self
    copy.calls.merge(others.calls) { $1 }
    return copy
  }

  func changed(_ line: TranscriptLine) -> TranscriptLine? {
    guard case .invoke(let name, var marks) = line.kind, let input = line.value,
      let addition = calls[Self.key(line.at, input)]
    else { return nil }
    marks.added = addition
    var copy = line
    copy.kind = .invoke(name: name, marks)
    return copy
  }

  /// Returns the address and input of a call, without its number among equal calls and without
  /// placeholder numbers.
  private static func key(_ address: String, _ input: JSON) -> String {
    let place = address.prefix(upTo: address.lastIndex(of: "#") ?? address.endIndex)
    let text = Array("\(place)\n\(input.text)".utf8)
    return String(decoding: PlaceholderNumbers.removed(from: text), as: UTF8.self)
  }
}
