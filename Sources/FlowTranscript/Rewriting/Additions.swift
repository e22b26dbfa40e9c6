internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowSystem

/// The calls that were added to a recording, by target and input.
struct Additions: Sendable {
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

  /// Returns a recording with marks on these calls.
  func marked(in transcript: Transcript) -> Transcript {
    transcript.with(
      transcript.lines.map { line in
        guard case .invoke(let name, var marks) = line.kind, let input = line.value,
          let addition = calls[Self.key(line.at, input.json)]
        else { return line }
        var copy = line
        marks.added = addition
        copy.kind = .invoke(name: name, marks)
        return copy
      })
  }

  /// Returns the address and input of a call, without its number among equal calls and without
  /// placeholder numbers.
  private static func key(_ address: String, _ input: JSON) -> String {
    let place = address.prefix(upTo: address.lastIndex(of: "#") ?? address.endIndex)
    let text = Array("\(place)\n\(input.text)".utf8)
    return String(decoding: PlaceholderNumbers.removed(from: text), as: UTF8.self)
  }
}
