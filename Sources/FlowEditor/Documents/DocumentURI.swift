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
    var (bytes, index) = ([UInt8](), slash)
    while index < rest.endIndex {
      guard rest[index] == UInt8(ascii: "%") else {
        bytes.append(rest[index])
        index = rest.index(after: index)
        continue
      }
      let digits = rest[index...].dropFirst().prefix(2)
      guard digits.count == 2, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
        byte != 0
      else { return nil }
      bytes.append(byte)
      index = rest.index(index, offsetBy: 3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the address of a full path.
  static func uri(of path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes = Array("file://".utf8)
    for byte in path.utf8 {
      if plain.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The unreserved characters of RFC 3986, and the slash.
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
}
