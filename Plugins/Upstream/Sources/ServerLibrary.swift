private import CUpstream

/// A loaded libmicrohttpd.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class ServerLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  /// Loads a library by its file name from the system's folders.
  init(loading file: String) throws(ServerLibraryError) {
    var problem: UnsafePointer<CChar>? = nil
    guard let functions = unsafe flow_httpd_load(file, &problem) else {
      throw ServerLibraryError(
        file: file, reason: unsafe problem.map { unsafe String(cString: $0) } ?? "",
        need: "upstreams need", debian: "libmicrohttpd12", homebrew: "libmicrohttpd")
    }
    unsafe self.functions = functions
  }

  /// Returns the system's libmicrohttpd, loaded on the first call.
  static func system() throws(ServerLibraryError) -> ServerLibrary { try loaded.get() }

  private static let loaded = Result { () throws(ServerLibraryError) in
    try firstOf(SystemLibrary.files("libmicrohttpd", 12)) { (file) throws(ServerLibraryError) in
      try ServerLibrary(loading: file)
    }
  }
}

/// A loaded GnuTLS.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class EncryptionLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  /// Loads a library by its file name from the system's folders.
  init(loading file: String) throws(ServerLibraryError) {
    var problem: UnsafePointer<CChar>? = nil
    guard let functions = unsafe flow_gnutls_load(file, &problem) else {
      throw ServerLibraryError(
        file: file, reason: unsafe problem.map { unsafe String(cString: $0) } ?? "",
        need: "the proxy of upstreams needs", debian: "libgnutls30", homebrew: "gnutls")
    }
    unsafe self.functions = functions
  }

  /// Returns the system's GnuTLS, loaded on the first call.
  static func system() throws(ServerLibraryError) -> EncryptionLibrary { try loaded.get() }

  private static let loaded = Result { () throws(ServerLibraryError) in
    try firstOf(SystemLibrary.files("libgnutls", 30)) { (file) throws(ServerLibraryError) in
      try EncryptionLibrary(loading: file)
    }
  }
}

/// The places of a library.
private enum SystemLibrary {
  /// Returns the files to try in order.
  ///
  /// Homebrew's folder on Apple silicon is not among the system's.
  static func files(_ name: String, _ version: Int) -> [String] {
    #if os(macOS)
      ["\(name).\(version).dylib", "/opt/homebrew/lib/\(name).\(version).dylib"]
    #else
      ["\(name).so.\(version)"]
    #endif
  }
}

/// Returns the first result of several files, or throws the error of the first one.
private func firstOf<Library>(
  _ files: [String], _ load: (String) throws(ServerLibraryError) -> Library
) throws(ServerLibraryError) -> Library {
  for file in files.dropFirst().reversed() {
    // The error of the first file names the reason that counts.
    if let library = try? load(file) { return library }
  }
  return try load(files[0])
}

/// An error for a missing or outdated library.
struct ServerLibraryError: Error, CustomStringConvertible {
  let file: String
  let reason: String
  let need: String
  let debian: String
  let homebrew: String

  /// The missing file, the reason, and how to install it.
  var description: String {
    "\(need) \(file), which cannot be loaded: \(reason); Debian and Ubuntu have it in the package "
      + "'\(debian)', Homebrew in '\(homebrew)'"
  }
}
