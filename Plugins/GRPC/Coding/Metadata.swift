public import FlowCore

/// The headers of a call or an answer that are not those of the protocol.
public enum GRPCMetadata {
  /// Headers of the protocol and of HTTP, which no metadata has.
  private static let reserved: Set<String> = [
    "content-type", "te", "user-agent", "host", "connection", "content-length",
    "transfer-encoding", "keep-alive", "date", "server", "trailer", "accept-encoding",
  ]

  /// Returns true for the name of a header that is metadata.
  public static func has(_ name: String) -> Bool {
    !name.hasPrefix(":") && !name.hasPrefix("grpc-") && !reserved.contains(name)
  }

  /// Returns the metadata among headers: a text for a name that is there once, or else a list.
  ///
  /// A value of a name with `-bin` at its end is bytes, or a text if it is no base 64.
  ///
  /// - Parameter headers: All headers in their order, with names in lower case.
  /// - Returns: A map.
  public static func value(_ headers: [(name: String, value: String)]) -> Value {
    var (names, values) = ([String](), [String: [Value]]())
    for (name, text) in headers where has(name) {
      if values[name] == nil { names.append(name) }
      values[name, default: []] += parts(name, text)
    }
    return .map(
      ValueMap(
        names.sorted().map { name in
          let list = values[name] ?? []
          return (name, list.count == 1 ? list[0] : .list(list))
        }))
  }

  private static func parts(_ name: String, _ text: String) -> [Value] {
    guard name.hasSuffix("-bin") else { return [.string(text)] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let word = String(part.drop { $0 == " " }.prefix { $0 != " " })
      return bytes(word).map(Value.bytes) ?? .string(word)
    }
  }

  /// Decodes base 64 with or without its padding.
  public static func bytes(_ text: String) -> Bytes? {
    let bare = text.prefix { $0 != "=" }
    return Bytes(base64: bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4))
  }

  /// Encodes bytes in base 64 without padding, as headers have them.
  public static func text(_ bytes: [UInt8]) -> String {
    String(Bytes(bytes).base64.prefix { $0 != "=" })
  }

  /// Returns the headers of metadata.
  ///
  /// - Parameter metadata: The form that `value` returns. Numbers and truth values are their texts.
  /// - Returns: The headers, with names in lower case.
  /// - Throws: `GRPCMetadataError` for a name or a value that no header can have.
  public static func headers(
    _ metadata: Value
  ) throws(GRPCMetadataError) -> [(name: String, value: String)] {
    guard case .map(let map) = metadata else { return [] }
    var headers: [(name: String, value: String)] = []
    for entry in map.entries {
      let name = entry.key.interpolated.lowercased()
      guard isName(name), has(name) else {
        throw GRPCMetadataError(name, "it is no name of metadata")
      }
      let values = if case .list(let list) = entry.value { list } else { [entry.value] }
      for value in values { headers.append((name, try text(value, of: name))) }
    }
    return headers
  }

  private static func text(
    _ value: Value, of name: String
  ) throws(GRPCMetadataError) -> String {
    if name.hasSuffix("-bin") {
      switch value {
      case .bytes(let bytes): return text(bytes.content)
      // A text that is no base 64 was none when it came, too.
      case .string(let text): return text
      default: throw GRPCMetadataError(name, "its value is not bytes")
      }
    }
    switch value {
    case .null, .list, .map, .record, .bytes:
      throw GRPCMetadataError(name, "its value is not a text")
    default: break
    }
    let text = value.interpolated
    guard text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
      throw GRPCMetadataError(name, "its value has other characters than printable ASCII")
    }
    return text
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || "_-.".utf8.contains($0)
      }
  }
}

/// Metadata that cannot be sent.
public struct GRPCMetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  private let name: String
  private let reason: String

  init(_ name: String, _ reason: String) { (self.name, self.reason) = (name, reason) }

  /// The problem in words.
  public var description: String { "the metadata '\(name.prefix(60))' cannot be sent: \(reason)" }
}
