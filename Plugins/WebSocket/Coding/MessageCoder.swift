private import CCoding

/// A compressor or a decompressor of the messages of one side (RFC 7692, section 7.2).
@safe final class MessageCoder {
  private let coder: OpaquePointer
  /// True if each message is coded on its own.
  private let forgets: Bool

  private static let pieceLength = 65_536
  /// The end of each message, which is not sent (section 7.2.1).
  private static let end: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
  /// The smallest window that zlib compresses for.
  private static let leastWindow = 9

  /// True if the system has zlib.
  static var isKnown: Bool { flow_message_coder_is_known() }

  /// Creates a compressor, or nil if zlib has none for such a window or no memory is left.
  ///
  /// Its side then sends its messages as they are.
  init?(compressingWith bits: Int, forgets: Bool) {
    guard bits >= Self.leastWindow, let coder = unsafe flow_message_deflater_new(Int32(bits))
    else { return nil }
    unsafe self.coder = coder
    self.forgets = forgets
  }

  /// Creates a decompressor, or nil without memory.
  init?(decompressingWithForgetting forgets: Bool) {
    guard let coder = unsafe flow_message_inflater_new() else { return nil }
    unsafe self.coder = coder
    self.forgets = forgets
  }

  deinit { unsafe flow_message_coder_free(coder) }

  /// Returns the compressed form of a message that is not empty, or nil if zlib fails.
  func compress(_ message: [UInt8]) -> [UInt8]? {
    var compressed: [UInt8] = []
    do throws(WebSocketFailure) {
      try run(message[...]) { piece throws(WebSocketFailure) in compressed += piece }
    } catch {
      return nil
    }
    guard compressed.suffix(4) == Self.end[...] else { return nil }
    if forgets { unsafe flow_message_coder_reset(coder) }
    return compressed.dropLast(4)
  }

  /// Decompresses a part of a message, and passes the result on in pieces of at most 64 KiB.
  ///
  /// - Throws: `WebSocketFailure.damaged`, or the error of `sink`.
  func decompress(
    _ part: ArraySlice<UInt8>, into sink: ([UInt8]) throws(WebSocketFailure) -> Void
  ) throws(WebSocketFailure) {
    try run(part, into: sink)
  }

  /// Ends a message, see `decompress`.
  func finish(
    into sink: ([UInt8]) throws(WebSocketFailure) -> Void
  ) throws(WebSocketFailure) {
    // A stream that is marked as ended needs no other end.
    if unsafe !flow_message_coder_has_ended(coder) { try run(Self.end[...], into: sink) }
    guard unsafe flow_message_coder_is_complete(coder) else { throw .damaged }
    if unsafe forgets || flow_message_coder_has_ended(coder) {
      unsafe flow_message_coder_reset(coder)
    }
  }

  private func run(
    _ bytes: ArraySlice<UInt8>, into sink: ([UInt8]) throws(WebSocketFailure) -> Void
  ) throws(WebSocketFailure) {
    var rest = bytes
    var isFull = false
    while !rest.isEmpty || isFull {
      let (piece, count) = try piece(of: rest)
      // Data that is neither read nor leads to more would go on forever.
      guard count > 0 || !piece.isEmpty || rest.isEmpty else { throw .damaged }
      rest = rest.dropFirst(count)
      isFull = piece.count == Self.pieceLength
      if !piece.isEmpty { try sink(piece) }
    }
  }

  /// Returns the next piece, and the number of bytes used for it.
  private func piece(of bytes: ArraySlice<UInt8>) throws(WebSocketFailure) -> ([UInt8], Int) {
    var (result, count) = (0, bytes.count)
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, written in
      unsafe bytes.withUnsafeBufferPointer { source in
        var from = source.baseAddress
        guard let to = buffer.baseAddress else { return }
        unsafe result = flow_message_coder_run(coder, &from, &count, to, Self.pieceLength)
      }
      written = max(0, result)
    }
    if result < 0 { throw .damaged }
    return (piece, bytes.count - count)
  }
}
