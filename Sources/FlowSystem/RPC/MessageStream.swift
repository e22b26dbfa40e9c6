/// Splits the bytes of a client into messages, lines or other parts.
package protocol StreamSplitter: Sendable {
  associatedtype Part: Sendable

  /// Returns the parts that end in the next bytes.
  ///
  /// Called on one thread, with pieces of any length in their order.
  mutating func parts(adding piece: [UInt8]) -> [Part]
}

/// Splits bytes into messages: headers, an empty line, and as many bytes of JSON as
/// `Content-Length` says.
///
/// The framing of the Language Server Protocol and of the Debug Adapter Protocol.
package struct MessageStream: StreamSplitter {
  /// A part of the stream.
  package enum Part: Sendable, Hashable {
    case message(JSON)
    /// The content of a message is not JSON.
    case notJSON(JSONError)
    /// A message over the limit, of which nothing is kept.
    case tooLong(Int)
    /// Headers without a length, or a line that is no header.
    case brokenHeader(String)
  }

  /// The most bytes of a message: the largest scenario with escapes.
  package static let longest = 128 << 20
  /// The most bytes of a header.
  private static let longestHeader = 1 << 10

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The length in the headers of the present message, or nil so far.
  private var length: Int?
  /// True after the headers of a message.
  private var isInContent = false
  /// The number of bytes of the content to come.
  private var missing = 0
  /// True in a message over the limit.
  private var isSkipping = false

  /// Creates a stream at its start, with a limit of a message in bytes.
  package init(limit: Int = MessageStream.longest) { self.limit = limit }

  /// Returns the parts that end in the next bytes.
  package mutating func parts(adding piece: [UInt8]) -> [Part] {
    var (parts, rest): ([Part], ArraySlice<UInt8>) = ([], piece[...])
    repeat {
      if let part = isInContent ? content(&rest) : header(&rest) { parts.append(part) }
    } while !rest.isEmpty
    return parts
  }

  /// Takes bytes of the content, and returns the message if it is complete.
  private mutating func content(_ rest: inout ArraySlice<UInt8>) -> Part? {
    let part = rest.prefix(missing)
    (rest, missing) = (rest.dropFirst(part.count), missing - part.count)
    if !isSkipping { bytes += part }
    guard missing == 0 else { return nil }
    defer { (bytes, length, isInContent, isSkipping) = ([], nil, false, false) }
    if isSkipping { return nil }
    do throws(JSONError) {
      return .message(try JSONParser.parse(bytes[...], repairsText: true))
    } catch {
      return .notJSON(error)
    }
  }

  /// Takes bytes up to the end of a line, and returns a problem of the line.
  private mutating func header(_ rest: inout ArraySlice<UInt8>) -> Part? {
    let part = rest.prefix { $0 != UInt8(ascii: "\n") }
    bytes += part.prefix(Self.longestHeader - bytes.count)
    rest = rest.dropFirst(part.count)
    guard rest.popFirst() != nil else { return nil }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    defer { bytes = [] }
    return bytes.isEmpty ? endOfHeaders() : field(String(decoding: bytes, as: UTF8.self))
  }

  private mutating func endOfHeaders() -> Part? {
    guard let length else { return .brokenHeader("there is no Content-Length") }
    (isInContent, missing, isSkipping) = (true, length, length > limit)
    return isSkipping ? .tooLong(length) : nil
  }

  /// Takes a header, of which only the length is of use.
  private mutating func field(_ line: String) -> Part? {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return .brokenHeader("not a header: '\(line.onOneLine)'") }
    guard parts[0].lowercased() == "content-length" else { return nil }
    let number = parts[1].drop { $0 == " " || $0 == "\t" }
    guard let length = Int(number), length >= 0 else {
      return .brokenHeader("not a length: '\(String(number).onOneLine)'")
    }
    self.length = length
    return nil
  }

  /// Returns a message with its headers.
  package static func frame(_ message: JSON) -> String {
    let text = message.text
    return "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
  }
}
