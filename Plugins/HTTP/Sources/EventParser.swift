internal import FlowCore

/// An event sent by a server.
public struct ServerEvent: Sendable, Hashable {
  /// The type, `message` if the server names none.
  public var event: String
  /// The text, several lines joined by line breaks.
  public var data: String
  /// The latest event id from the server, or an empty string.
  public var id: String

  static let record = Record(
    ServerEvent.init(event:data:id:),
    Field("event", \.event, "The type of the event. 'message' if the server names none."),
    Field("data", \.data, "The text of the event. Several lines are joined by line breaks."),
    Field("id", \.id, "The latest event id from the server. Empty if there is none."))
}

/// A parser of event streams in pieces of any length (HTML, section 9.2.6).
public struct EventParser: Sendable {
  private let limit: Int
  /// The id of the latest event, sent when the stream is opened again.
  public private(set) var lastID: String
  /// The time to wait before opening the stream again.
  public private(set) var retry: Duration = .seconds(3)
  /// True if an event or a line exceeded the limit.
  ///
  /// Nothing after it is parsed.
  public private(set) var isExceeded: Bool = false
  private var isFirstLine = true
  private var isAfterReturn = false
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var type = ""
  private var id: String
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let longestRetry = 86_400_000

  /// Creates a parser for events and lines of at most `limit` bytes.
  public init(limit: Int, lastID: String = "") {
    self.limit = limit
    self.lastID = lastID
    id = lastID
  }

  /// Prepares for another connection and forgets an unfinished event.
  ///
  /// The id is kept, as in browsers, although the standard empties it: a connection that ends
  /// without an event would lose the place otherwise.
  public mutating func begin() {
    (isFirstLine, isAfterReturn) = (true, false)
    (line, data, type, id) = ([], [], "", lastID)
  }

  /// Returns the events completed by some bytes.
  public mutating func events(in bytes: [UInt8]) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes where !isExceeded {
      let isSecondOfBreak = isAfterReturn && byte == UInt8(ascii: "\n")
      isAfterReturn = byte == UInt8(ascii: "\r")
      if isSecondOfBreak { continue }
      if isAfterReturn || byte == UInt8(ascii: "\n") {
        if let event = endLine() { events.append(event) }
      } else {
        line.append(byte)
      }
      isExceeded = line.count + data.count > limit
    }
    return events
  }

  private mutating func endLine() -> ServerEvent? {
    var text = line[...]
    line.removeAll(keepingCapacity: true)
    if isFirstLine, text.starts(with: Self.mark) { text = text.dropFirst(Self.mark.count) }
    isFirstLine = false
    if text.isEmpty { return endEvent() }
    let name = text.prefix { $0 != UInt8(ascii: ":") }
    // A line without a colon is all name. A line without a name is a comment.
    var value = text.dropFirst(name.count + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    take(String(decoding: name, as: UTF8.self), value)
    return nil
  }

  private mutating func take(_ name: String, _ value: ArraySlice<UInt8>) {
    switch name {
    case "event": type = String(decoding: value, as: UTF8.self)
    case "data": data += value + [UInt8(ascii: "\n")]
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      guard value.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
        let time = Int(String(decoding: value, as: UTF8.self))
      else { return }
      retry = .milliseconds(min(time, Self.longestRetry))
    default: break
    }
  }

  private mutating func endEvent() -> ServerEvent? {
    lastID = id
    defer { (data, type) = ([], "") }
    if data.isEmpty { return nil }
    return ServerEvent(
      event: type.isEmpty ? "message" : type,
      data: String(decoding: data.dropLast(), as: UTF8.self), id: id)
  }
}
