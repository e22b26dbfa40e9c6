internal import FlowCore
internal import FlowSystem

/// The lines of a recording, and the places of its calls in them.
struct CallLines: Sendable {
  /// The lines of a call, by their indices, or 0 for none.
  struct Entry {
    let address: Address
    let invoke: UInt32
    /// An answer comes after its call, and so never first.
    var answer: UInt32 = 0
    /// The last of its events, by its number from 1.
    var lastEvent: UInt32 = 0
  }

  /// All lines after the header.
  var all: [TranscriptLine] = []
  /// The calls in order.
  var entries: [Entry] = []

  /// The string of a call's address.
  func text(of call: Int) -> String { all[Int(entries[call].invoke)].at }

  /// The key of a call in the table of addresses.
  func key(of call: Int) -> String {
    let line = all[Int(entries[call].invoke)]
    return Self.key(line.at, entries[call].address, line.value)
  }

  /// The key of a call: for a step's call its address, for a component's also its input.
  static func key(_ text: String, _ address: Address, _ input: RecordedValue?) -> String {
    address.calls.isEmpty ? text : key(text, input?.json ?? .null)
  }

  /// The key of a component's call.
  static func key(_ text: String, _ input: JSON) -> String { text + "\n" + input.text }
}
