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

/// A loaded libnghttp2.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class HTTP2Library: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary(
      "HTTP/2 needs", debian: "libnghttp2-14", homebrew: "libnghttp2"
    ).load { unsafe flow_nghttp2_load(&$0) }
  }

  /// Returns the system's libnghttp2, loaded on the first call.
  static func system() throws(LibraryError) -> HTTP2Library { try loaded.get() }

  private static let loaded = Result(catching: HTTP2Library.init)
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
