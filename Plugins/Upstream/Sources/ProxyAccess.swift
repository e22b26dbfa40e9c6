private import CUpstream
internal import FlowCore

/// The certificate authority of a run, whose keys exist in memory only.
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
}

/// The access to a proxy: its certificates, and the token that its clients have to send.
struct ProxyAccess: Sendable {
  /// The name in the URL of the proxy.
  static let user = "flow"

  let authority: CertificateAuthority
  /// A secret of this run. Others on the machine cannot use the proxy without it.
  let token: String

  /// Makes access with a token of 128 random bits.
  init(authority: CertificateAuthority) {
    self.authority = authority
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    token = String((0..<32).map { _ in digits[Int(generator.next(upperBound: 16 as UInt8))] })
  }

  /// The value of the header `Proxy-Authorization`.
  var authorization: String { "Basic \(Bytes(Array("\(Self.user):\(token)".utf8)).base64)" }
}
