private import CUpstream
internal import FlowCore

/// A loaded libmicrohttpd.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class ServerLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary(
      "upstreams need", debian: "libmicrohttpd12", homebrew: "libmicrohttpd"
    ).load { unsafe flow_httpd_load(&$0) }
  }

  /// Returns the system's libmicrohttpd, loaded on the first call.
  static func system() throws(LibraryError) -> ServerLibrary { try loaded.get() }

  private static let loaded = Result(catching: ServerLibrary.init)
}

/// A loaded GnuTLS.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class EncryptionLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary(
      "the proxy of upstreams needs", debian: "libgnutls30", homebrew: "gnutls"
    ).load { unsafe flow_gnutls_load(&$0) }
  }

  /// Returns the system's GnuTLS, loaded on the first call.
  static func system() throws(LibraryError) -> EncryptionLibrary { try loaded.get() }

  private static let loaded = Result(catching: EncryptionLibrary.init)
}
