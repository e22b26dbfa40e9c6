public import HTTPCoding

/// A problem of the messages in a body.
public enum GRPCFrameError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A message of more bytes than these.
  case tooLarge(limit: Int)
  /// A compressed message in a body that announces no coding.
  case noCoding
  /// A coding that is not undone.
  case unknownCoding(String)
  /// A message that its coding does not explain.
  case broken(ContentCodingError)
  /// Bytes that are no start of a message.
  case malformed
  /// A body that ends inside of a message.
  case endsEarly
  /// A second message to a method that takes one.
  case second

  /// The problem in words.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "a message has more than \(limit) bytes"
    case .noCoding: "a message is compressed, and 'grpc-encoding' does not say how"
    case .unknownCoding(let name): "the 'grpc-encoding' \(name.prefix(40)) is not known"
    case .broken(let error): "a message cannot be decompressed: \(error)"
    case .malformed: "the body has no messages of gRPC"
    case .endsEarly: "the body ends inside of a message"
    case .second: "the body has more than the one message of the method"
    }
  }

  /// The status of the call.
  public var status: GRPCStatus {
    switch self {
    case .tooLarge: .resourceExhausted
    case .unknownCoding: .unimplemented
    case .noCoding, .broken, .malformed, .endsEarly, .second: .internal
    }
  }
}

/// Joins a message and its length, as bodies have them.
public enum MessageFrame {
  /// The value of `grpc-accept-encoding` for messages that `MessageFrames` splits.
  public static let accepted = "identity,deflate,gzip"

  /// Returns the bytes of a message: a flag, four bytes of its length, and itself.
  ///
  /// - Parameters:
  ///   - message: The bytes, at most 4 GiB.
  ///   - isCompressed: True for bytes in the coding of `grpc-encoding`.
  /// - Returns: The frame.
  public static func bytes(_ message: [UInt8], isCompressed: Bool = false) -> [UInt8] {
    let count = message.count
    var frame: [UInt8] = [isCompressed ? 1 : 0]
    frame.reserveCapacity(5 + count)
    for shift in [24, 16, 8, 0] { frame.append(UInt8(truncatingIfNeeded: count >> shift)) }
    return frame + message
  }
}

/// Splits a body into messages, as its bytes arrive.
public struct MessageFrames: Sendable {
  private let coding: String
  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0

  /// Creates a splitter of an empty body.
  ///
  /// - Parameters:
  ///   - coding: The value of `grpc-encoding`, or nil.
  ///   - limit: The most bytes of a message, compressed or not.
  public init(coding: String?, limit: Int) {
    (self.coding, self.limit) = (coding ?? "identity", limit)
  }

  /// The number of bytes that are no whole message yet.
  public var waitingCount: Int { bytes.count - start }

  /// Adds bytes of the body.
  public mutating func append(_ more: [UInt8]) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// Returns the next whole message, or nil until more bytes have arrived.
  ///
  /// - Throws: `GRPCFrameError`.
  public mutating func next() throws(GRPCFrameError) -> [UInt8]? {
    guard waitingCount >= 5 else { return nil }
    guard bytes[start] <= 1 else { throw .malformed }
    let count = bytes[(start + 1)...(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    guard count <= limit else { throw .tooLarge(limit: limit) }
    guard waitingCount >= 5 + count else { return nil }
    let (isCompressed, first) = (bytes[start] == 1, start + 5)
    start = first + count
    let content = Array(bytes[first..<start])
    return isCompressed ? try decompressed(content) : content
  }

  /// Checks that the body does not end inside of a message.
  ///
  /// - Throws: `GRPCFrameError.endsEarly`.
  public func finish() throws(GRPCFrameError) {
    if waitingCount > 0 { throw .endsEarly }
  }

  private func decompressed(_ content: [UInt8]) throws(GRPCFrameError) -> [UInt8] {
    if coding == "identity" { throw .noCoding }
    guard coding == "gzip" || coding == "deflate" else { throw .unknownCoding(coding) }
    var result: [UInt8] = []
    do {
      let decoder = try ContentDecoder(coding)
      try decoder.decode(content) { piece in
        guard piece.count <= limit - result.count else {
          throw GRPCFrameError.tooLarge(limit: limit)
        }
        result += piece
      }
      try decoder.finish()
    } catch let error as ContentCodingError {
      throw .broken(error)
    } catch let error as GRPCFrameError {
      throw error
    } catch {
      throw .malformed
    }
    return result
  }
}
