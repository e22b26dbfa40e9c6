internal import FlowSystem

/// The positions of a transcript's calls in its bytes.
struct CallLines: Sendable {
  /// The lines of a call, by their offsets in the bytes, or 0, the header's, for none.
  struct Entry {
    let line: UInt32
    let invoke: UInt32
    var answerLine: UInt32 = 0
    var answer: UInt32 = 0
    /// The last of its events, by its number from 1.
    var lastEvent: UInt32 = 0
  }

  /// The whole transcript.
  let bytes: LineBytes
  /// The calls in order.
  var entries: [Entry] = []
  /// The keys of calls that their lines do not contain.
  var keys: [Int: String] = [:]

  /// The string of a call's address, or an empty string if its file has changed.
  func text(of call: Int) -> String {
    let offset = Int(entries[call].invoke)
    var parser = JSONParser(bytes.rest(at: offset))
    if let address = try? parser.firstText() { return address }
    bytes.noteUnreadable(at: offset)
    return ""
  }

  /// The key of a call in the table of addresses.
  func key(of call: Int) -> String {
    if !keys.isEmpty, let key = keys[call] { return key }
    let address = text(of: call)
    guard Self.isOfComponent(address) else { return address }
    let offset = Int(entries[call].invoke)
    if let input = (try? JSONParser.parse(bytes.line(at: offset)))?["input"] {
      return Self.key(address, input)
    }
    bytes.noteUnreadable(at: offset)
    return address
  }

  /// The key of a call: for a step's call its address, for a component's also its input.
  static func key(_ address: String, _ input: JSON) -> String {
    isOfComponent(address) ? address + "\n" + input.text : address
  }

  /// Returns true if a component made the call at an address.
  static func isOfComponent(_ address: String) -> Bool {
    let bytes = address.utf8
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "#")) else { return false }
    return bytes[mark...].contains(UInt8(ascii: "/"))
  }
}

extension JSONParser {
  /// Reads the value of an object's first member, if it is a string.
  fileprivate mutating func firstText() throws(JSONError) -> String? {
    skipBlanks()
    guard take("{") else { return nil }
    skipBlanks()
    _ = try string()
    skipBlanks()
    guard take(":") else { return nil }
    skipBlanks()
    return try string()
  }
}
