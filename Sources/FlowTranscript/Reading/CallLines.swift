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
  let bytes: TranscriptBytes
  /// The calls in order.
  var entries: [Entry] = []
  /// The keys of calls that their lines do not contain.
  var keys: [Int: String] = [:]

  /// The address of a call in the transcript, or an empty string if its file has changed.
  func address(of call: Int) -> String {
    let offset = Int(entries[call].invoke)
    var parser = JSONParser(bytes.rest(at: offset))
    if let address = try? parser.firstText() { return address }
    bytes.noteUnreadable(at: offset)
    return ""
  }

  /// The key that finds a call.
  func key(of call: Int) -> String {
    if !keys.isEmpty, let key = keys[call] { return key }
    let address = address(of: call)
    guard CallKey.isOfComponent(address) else { return address }
    let offset = Int(entries[call].invoke)
    if let input = (try? JSONParser.parse(bytes.line(at: offset)))?["input"] {
      return CallKey.text(address, input)
    }
    bytes.noteUnreadable(at: offset)
    return address
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

/// The key of a call: for a step's call its address, for a component's its address and its input.
enum CallKey {
  /// Returns true if a component made the call at an address.
  static func isOfComponent(_ address: String) -> Bool {
    let bytes = address.utf8
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "#")) else { return false }
    return bytes[mark...].contains(UInt8(ascii: "/"))
  }

  static func text(_ address: String, _ input: JSON) -> String {
    isOfComponent(address) ? address + "\n" + input.text : address
  }

  /// The key in a journal: the address, with tags if there are any.
  static func text(_ address: String, tags: String?) -> String {
    tags.map { "\(address)~\($0)" } ?? address
  }

  /// The key of the calling call or task.
  static func caller(of key: String) -> String {
    let parts = key.split(separator: "~", omittingEmptySubsequences: false)
    let address = parts[0].utf8
    let end = address.lastIndex(of: UInt8(ascii: "/")) ?? address.endIndex
    let rest = parts.count > 2 ? parts[1..<(parts.count - 1)] : []
    return ([Substring(address[..<end])] + rest).joined(separator: "~")
  }

  /// The key of the call that started a task, or the same key outside tasks.
  static func outsideTasks(_ key: String) -> String {
    let parts = key.split(separator: "~", omittingEmptySubsequences: false)
    var (address, taskCount) = (parts[0].utf8, 0)
    let mark = address.firstIndex(of: UInt8(ascii: "#")) ?? address.endIndex
    while let slash = address.lastIndex(of: UInt8(ascii: "/")), slash > mark,
      !address[slash...].contains(UInt8(ascii: "."))
    {
      address = address[..<slash]
      taskCount += 1
    }
    return ([Substring(address)] + parts.dropFirst().dropLast(taskCount)).joined(separator: "~")
  }

  /// The hash of a component's call without its number among equal ones.
  static func question(_ address: String, _ input: JSON) -> Int {
    let bytes = address.utf8
    let begin = bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex
    let end = bytes.lastIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    var hasher = Hasher()
    hasher.combine(Substring(bytes[begin..<end]))
    hasher.combine(input.text)
    return hasher.finalize()
  }
}
