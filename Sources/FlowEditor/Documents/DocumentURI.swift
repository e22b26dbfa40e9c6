internal import FlowSystem

/// Converts between the addresses of files in the protocol and paths.
enum DocumentURI {
  /// Returns the path of a `file:` address, or nil for any other address.
  ///
  /// A text without a file is one in the working directory.
  static func path(of uri: String) -> String? {
    if uri.hasPrefix("untitled:") { return uri.split(separator: "/").last.map(String.init) }
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.utf8.dropFirst("file://".utf8.count)
    // A host before the path: `file://localhost/a`.
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let host = String(decoding: rest[..<slash], as: UTF8.self)
    guard host.isEmpty || host == "localhost" else { return nil }
    guard let bytes = PercentEncoding.bytes(decoding: rest[slash...]), !bytes.contains(0) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the address of a full path.
  static func uri(of path: String) -> String { "file://" + PercentEncoding.path.encode(path.utf8) }
}
