internal import FlowSystem

/// Where the calls of a transcript stand in its bytes.
struct CallLines: Sendable {
  /// The lines of a call, by their offsets in the bytes; 0, where the header is, stands for none.
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
  /// The keys of those calls whose lines do not say them.
  var keys: [Int: String] = [:]

  /// Where a call was made, as the transcript says it; nothing where its file has changed meanwhile.
  func address(of call: Int) -> String {
    let offset = Int(entries[call].invoke)
    var parser = JSONParser(bytes.rest(at: offset))
    if let address = try? parser.firstText() { return address }
    bytes.noteUnreadable(at: offset)
    return ""
  }

  /// What a call is found by.
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
  /// The value of an object's first member, a text.
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

/// What a call is found by: a step's by its address, a component's by its address and its input.
enum CallKey {
  /// Whether the call at an address was made by a component.
  static func isOfComponent(_ address: String) -> Bool {
    let bytes = address.utf8
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "#")) else { return false }
    return bytes[mark...].contains(UInt8(ascii: "/"))
  }

  static func text(_ address: String, _ input: JSON) -> String {
    isOfComponent(address) ? address + "\n" + input.text : address
  }

  /// What tells a journal's calls apart; the address alone without tags.
  static func text(_ address: String, tags: String?) -> String {
    tags.map { "\(address)~\($0)" } ?? address
  }

  /// The key of the call, or of the task, that made the one of a key.
  static func caller(of key: String) -> String {
    let parts = key.split(separator: "~", omittingEmptySubsequences: false)
    let address = parts[0].utf8
    let end = address.lastIndex(of: UInt8(ascii: "/")) ?? address.endIndex
    let rest = parts.count > 2 ? parts[1..<(parts.count - 1)] : []
    return ([Substring(address[..<end])] + rest).joined(separator: "~")
  }

  /// The key of the call during which the task of a key was started; the same where it is no task's.
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

  /// The hash of what the call of a component asks; a number tells equal ones apart.
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
