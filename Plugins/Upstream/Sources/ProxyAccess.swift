private import CUpstream
internal import FlowCore

/// The certificate authority of a run.
///
/// Its keys exist in memory only.
///
/// `@unchecked`: its changing part has a lock.
@safe final class CertificateAuthority: @unchecked Sendable {
  let pointer: OpaquePointer
  /// The certificate in PEM format, with a final line break.
  let certificate: String

  /// Makes an authority with new keys.
  init() throws(ListenerError) {
    let library: EncryptionLibrary
    do { library = try EncryptionLibrary.system() } catch { throw .library(error) }
    guard let pointer = unsafe flow_authority_new(library.functions) else { throw .authority }
    unsafe self.pointer = pointer
    let text = unsafe flow_authority_certificate(pointer)
    certificate = unsafe String(
      decoding: UnsafeBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
  }

  deinit { unsafe flow_authority_free(pointer) }

  /// Writes the certificate to a new file, for clients that trust another authority beside the
  /// system's.
  ///
  /// - Throws: `ListenerError` if the file exists or cannot be written.
  func writeCertificate(to path: String) throws(ListenerError) {
    try Self.create(path, Array(certificate.utf8))
  }

  /// Writes the system's authorities and the certificate to a new file, for clients that replace
  /// the system's authorities by those of a file.
  ///
  /// - Throws: `ListenerError` if the file exists or cannot be written.
  func writeBundle(to path: String) throws(ListenerError) {
    try Self.create(path, Self.systemAuthorities() + Array(certificate.utf8))
  }

  private static func create(_ path: String, _ content: [UInt8]) throws(ListenerError) {
    let failure = unsafe content.withUnsafeBytes {
      unsafe flow_file_create(path, $0.baseAddress, $0.count)
    }
    if failure != 0 { throw .file(path, reason: systemText(failure)) }
  }

  /// Returns the first of the files that systems have, ending in a line break, or nothing.
  private static func systemAuthorities() -> [UInt8] {
    let places = [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    for place in places {
      var count = 0
      guard let bytes = unsafe flow_file_read(place, 16 << 20, &count) else { continue }
      defer { unsafe flow_file_free(bytes) }
      return unsafe Array(UnsafeBufferPointer(start: bytes, count: count)) + [0x0A]
    }
    return []
  }
}

/// The access to a proxy: its certificates, and the token of its clients.
struct ProxyAccess: Sendable {
  /// The name in the URL of the proxy.
  static let user = "flow"

  let authority: CertificateAuthority
  /// A secret of this run.
  ///
  /// Other users of the machine cannot use the proxy without it.
  let token: String

  /// Makes access with a token of 128 random bits.
  init(authority: CertificateAuthority) {
    self.authority = authority
    token = accessToken()
  }
}

/// Returns a token of 128 random bits.
func accessToken() -> String {
  var generator = SystemRandomNumberGenerator()
  let digits = Array("0123456789abcdef")
  return String((0..<32).map { _ in digits[Int(generator.next(upperBound: 16 as UInt8))] })
}
