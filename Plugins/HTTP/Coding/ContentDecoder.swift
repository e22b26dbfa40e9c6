private import CCoding

/// A supported content coding of HTTP (RFC 9110, section 8.4.1).
public enum ContentCoding: Sendable, Hashable, CaseIterable {
  /// A coding by its name.
  case deflate, gzip, brotli, zstd

  /// The value of `Accept-Encoding` for this system, or an empty string if it can undo no coding.
  public static let accepted = allCases.filter(\.isKnown).map(\.name).joined(separator: ", ")

  fileprivate init?(_ name: String) {
    guard let coding = Self.allCases.first(where: { $0.name == name || "x-\($0.name)" == name })
    else { return nil }
    self = coding
  }

  fileprivate var name: String {
    switch self {
    case .deflate: "deflate"
    case .gzip: "gzip"
    case .brotli: "br"
    case .zstd: "zstd"
    }
  }

  fileprivate var isKnown: Bool { flow_coding_is_known(coding) }

  fileprivate var coding: flow_coding {
    switch self {
    case .deflate: .deflate
    case .gzip: .gzip
    case .brotli: .brotli
    case .zstd: .zstd
    }
  }
}

/// An error in decompressing a body.
public enum ContentCodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A coding unknown to `flow` or without its library.
  case unknown(String)
  /// More codings than are undone, by their number.
  case tooMany(Int)
  /// Data that is not of the coding.
  case broken(ContentCoding)
  /// Data without its end.
  case endsEarly(ContentCoding)
  /// The system has no memory left.
  case exhausted

  /// The error in words.
  public var description: String {
    switch self {
    case .unknown(let name): "unsupported Content-Encoding '\(name.excerpt)'"
    case .tooMany(let count): "too many Content-Encodings (\(count))"
    case .broken(let coding): "the \(coding.name) data is damaged"
    case .endsEarly(let coding): "the \(coding.name) data ends too early"
    case .exhausted: "the system is out of memory"
    }
  }
}

/// Undoes the content codings of one body, piece by piece.
///
/// Not thread-safe: the task that reads the body owns it.
@safe public final class ContentDecoder {
  @safe private struct Stage {
    let coding: ContentCoding
    let decoder: OpaquePointer
  }

  // The coding applied last comes first.
  private var stages: [Stage] = []
  private var hasInput = false
  // As in libcurl: each coding could multiply the bytes by a thousand.
  private static let greatestCount = 5
  private static let pieceLength = 65_536

  /// Creates a decoder for a `content-encoding` header, passing bytes on unchanged for nil or
  /// `identity`.
  public init(_ header: String?) throws(ContentCodingError) {
    let names = (header ?? "").split(separator: ",").map {
      String($0.filter { $0 != " " && $0 != "\t" }).lowercased()
    }.filter { !$0.isEmpty && $0 != "identity" }
    guard names.count <= Self.greatestCount else { throw .tooMany(names.count) }
    for name in names.reversed() {
      guard let coding = ContentCoding(name), coding.isKnown else { throw .unknown(name) }
      guard let decoder = unsafe flow_decoder_new(coding.coding) else { throw .exhausted }
      stages.append(unsafe Stage(coding: coding, decoder: decoder))
    }
  }

  deinit {
    for stage in stages { unsafe flow_decoder_free(stage.decoder) }
  }

  /// True if the bytes stay unchanged.
  public var isIdentity: Bool { stages.isEmpty }

  /// Decodes more bytes and passes the result on in pieces of at most 64 KiB.
  ///
  /// - Throws: `ContentCodingError`, or the error of `sink`.
  public func decode(_ bytes: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    hasInput = hasInput || !bytes.isEmpty
    try decode(bytes, by: 0, into: sink)
  }

  /// Checks that the body is complete, or empty as in the response to HEAD.
  public func finish() throws(ContentCodingError) {
    guard hasInput else { return }
    for stage in stages where unsafe !flow_decoder_is_complete(stage.decoder) {
      throw .endsEarly(stage.coding)
    }
  }

  private func decode(
    _ bytes: [UInt8], by index: Int, into sink: ([UInt8]) throws -> Void
  ) throws {
    guard index < stages.count else { return try sink(bytes) }
    var rest = bytes[...]
    var isFull = false
    while !rest.isEmpty || isFull {
      let (piece, count) = try Self.piece(of: rest, by: stages[index])
      // A stage that neither reads nor writes would go on forever.
      guard count > 0 || !piece.isEmpty || rest.isEmpty else {
        throw ContentCodingError.broken(stages[index].coding)
      }
      rest = rest.dropFirst(count)
      isFull = piece.count == Self.pieceLength
      if !piece.isEmpty { try decode(piece, by: index + 1, into: sink) }
    }
  }

  /// Returns the next piece, and the number of bytes used for it.
  private static func piece(
    of bytes: ArraySlice<UInt8>, by stage: Stage
  ) throws -> ([UInt8], Int) {
    var (result, count) = (0, bytes.count)
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: pieceLength) { buffer, written in
      unsafe bytes.withUnsafeBufferPointer { source in
        var from = source.baseAddress
        guard let to = buffer.baseAddress else { return }
        unsafe result = flow_decoder_decode(stage.decoder, &from, &count, to, pieceLength)
      }
      written = max(0, result)
    }
    guard result >= 0 else { throw ContentCodingError.broken(stage.coding) }
    return (piece, bytes.count - count)
  }
}

extension String {
  /// The start of a string written by a server, for a message: up to 40 characters of printable
  /// ASCII.
  fileprivate var excerpt: String {
    let short = unicodeScalars.prefix(41)
    let text = String(
      String.UnicodeScalarView(
        short.prefix(40).map { 0x20..<0x7F ~= $0.value ? $0 : "?" }))
    return short.count > 40 ? text + "…" : text
  }
}
