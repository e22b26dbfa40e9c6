private import CCurl

/// A loaded libcurl.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class CurlLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  /// Loads a library by its file name from the system's folders.
  init(loading file: String) throws(CurlLibraryError) {
    var problem: UnsafePointer<CChar>? = nil
    guard let functions = unsafe flow_curl_load(file, &problem) else {
      let reason = unsafe problem.map { unsafe String(cString: $0) } ?? ""
      throw CurlLibraryError(file: file, reason: reason)
    }
    unsafe self.functions = functions
  }

  /// Returns the system's libcurl, loaded on the first call.
  static func system() throws(CurlLibraryError) -> CurlLibrary {
    try loaded.get()
  }

  private static let loaded = Result { () throws(CurlLibraryError) in
    #if os(macOS)
      try CurlLibrary(loading: "libcurl.4.dylib")
    #else
      try CurlLibrary(loading: "libcurl.so.4")
    #endif
  }

  /// Returns libcurl's own words for a result.
  func text(_ code: Int32) -> String {
    unsafe String(cString: flow_curl_text(functions, code))
  }
}

/// An error for a libcurl that is missing or too old.
struct CurlLibraryError: Error, CustomStringConvertible {
  let file: String
  let reason: String

  /// The missing file, the reason, and how to install it.
  var description: String {
    "requests need \(file), which cannot be loaded: \(reason); "
      + "Debian and Ubuntu have it in the package 'libcurl4'"
  }
}
