/// A reason other than a wrong passphrase for which libcurl does not read a client's key.
enum KeyProblem: Sendable, Hashable {
  /// An encryption of PKCS #12 that OpenSSL 3 has only in its module of old algorithms, such as
  /// the RC2 of Windows and of Java 8.
  case oldPKCS12
  /// The same of an encrypted key in PEM.
  case oldKey
  /// A key store of Java, a format of its own.
  case javaKeyStore

  /// Finds the reason in libcurl's description of a failure and in the file with the key.
  init?(isPKCS12: Bool, _ detail: String, _ file: [UInt8]) {
    if isPKCS12, file.starts(with: [0xFE, 0xED, 0xFE, 0xED]) {
      self = .javaKeyStore
    } else if isPKCS12, detail.contains("parse PKCS12"), Self.hasOldBags(file),
      !detail.contains("mac verify failure")
    {
      self = .oldPKCS12
    } else if !isPKCS12, Self.hasOldEncryption(file) {
      self = .oldKey
    } else {
      return nil
    }
  }

  /// Returns true for a file with the RC2 and RC4 of PKCS #12 (RFC 7292, appendix C).
  ///
  /// The words of OpenSSL for an unsupported algorithm differ while other threads use it. A
  /// wrong passphrase fails before that, at the check of the whole file.
  private static func hasOldBags(_ file: [UInt8]) -> Bool {
    [1, 2, 5, 6].contains { file.firstRange(of: company + [0x0C, 0x01, $0]) != nil }
  }

  /// The start of the numbers of algorithms of PKCS.
  private static let company: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]

  /// Returns true for a key encrypted by PBES1 (RFC 8018, appendix A.3) or the RC2 and RC4 of PKCS #12
  /// (RFC 7292, appendix C).
  private static func hasOldEncryption(_ file: [UInt8]) -> Bool {
    let text = String(decoding: file, as: UTF8.self)
    guard let start = text.firstRange(of: "BEGIN ENCRYPTED PRIVATE KEY-----") else { return false }
    // The number of the algorithm is at the start of the key.
    let key = decoded(text[start.upperBound...].utf8.filter { $0 > UInt8(ascii: " ") }.prefix(64))
    return [1, 3, 4, 6, 10, 11].contains { key.firstRange(of: company + [0x05, $0]) != nil }
      || hasOldBags(key)
  }

  /// Decodes the start of base 64.
  private static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bytes, bits, count) = ([UInt8](), 0, 0)
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else { break }
      (bits, count) = (bits << 6 | value, count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      bits &= 1 << count - 1
    }
    return bytes
  }
}

extension KeyProblem: CustomStringConvertible {
  /// The reason, and how to convert the file.
  var description: String {
    switch self {
    case .oldPKCS12:
      "the encryption of 'client_pkcs12' is an old one, which this OpenSSL does not support; convert "
        + "the file: 'openssl pkcs12 -legacy -in old.p12 -out all.pem', then "
        + "'openssl pkcs12 -export -in all.pem -out new.p12'"
    case .oldKey:
      "the encryption of 'client_key' is an old one, which this OpenSSL does not support, or "
        + "'client_key_password' is wrong; convert the file: "
        + "'openssl pkcs8 -topk8 -provider legacy -provider default -in old.pem -out new.pem'"
    case .javaKeyStore:
      "'client_pkcs12' is a key store of Java; convert it: 'keytool -importkeystore "
        + "-srckeystore old.jks -destkeystore new.p12 -deststoretype pkcs12'"
    }
  }
}
