/// The blocks of a file in PEM (RFC 7468).
enum PEM {
  /// Returns true if a block of this kind is encrypted: `PRIVATE KEY` includes `EC PRIVATE KEY`.
  ///
  /// libcurl before 8.13 ends the process on an in-memory key without a passphrase
  /// (https://github.com/curl/curl/issues/16806), and OpenSSL asks for one on the terminal
  /// elsewhere.
  static func isEncrypted(_ bytes: [UInt8], _ kind: String) -> Bool {
    var isInside = false
    var rest = bytes[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      rest = rest.dropFirst(line.count + 1)
      if line.starts(with: begin) {
        let label = String(decoding: line.dropFirst(begin.count).prefix(80), as: UTF8.self)
        isInside = label.contains(kind)
        if isInside, label.contains("ENCRYPTED") { return true }
      } else if isInside, line.starts(with: procedure) {
        // RFC 1421, section 4.6.1.1.
        if String(decoding: line.prefix(80), as: UTF8.self).contains("ENCRYPTED") { return true }
      }
    }
    return false
  }

  private static let begin = Array("-----BEGIN ".utf8)
  private static let procedure = Array("Proc-Type:".utf8)
}
