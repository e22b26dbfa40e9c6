private import CCurl
internal import FlowCore

/// A loaded libcurl.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class CurlLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary("requests need", debian: "libcurl4")
      .load { unsafe flow_curl_load(&$0) }
  }

  /// Returns the system's libcurl, loaded on the first call.
  static func system() throws(LibraryError) -> CurlLibrary { try loaded.get() }

  private static let loaded = Result(catching: CurlLibrary.init)

  /// Returns libcurl's own words for a result.
  func text(_ code: Int32) -> String {
    unsafe String(cString: flow_curl_text(functions, code))
  }
}
