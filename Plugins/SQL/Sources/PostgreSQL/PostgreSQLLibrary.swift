internal import CPostgreSQL

/// A loaded libpq.
///
/// `@unchecked`: it is a table of functions that nothing changes.
@safe final class PostgreSQLLibrary: @unchecked Sendable {
  let functions: UnsafePointer<flow_pq>

  /// Loads a library by its file's name, which the system looks for in its folders.
  init(loading file: String) throws(PostgreSQLLibraryError) {
    var problem: UnsafePointer<CChar>? = nil
    guard let functions = unsafe flow_pq_load(file, &problem) else {
      let reason = unsafe problem.map { unsafe String(cString: $0) } ?? ""
      throw PostgreSQLLibraryError(file: file, reason: reason)
    }
    unsafe self.functions = functions
  }

  /// The system's libpq, loaded by the first component that asks for it.
  static func system() throws(PostgreSQLLibraryError) -> PostgreSQLLibrary {
    try loaded.get()
  }

  private static let loaded = Result { () throws(PostgreSQLLibraryError) in
    #if os(macOS)
      try PostgreSQLLibrary(loading: "libpq.5.dylib")
    #else
      try PostgreSQLLibrary(loading: "libpq.so.5")
    #endif
  }
}

/// A libpq that is missing or too old.
struct PostgreSQLLibraryError: Error, CustomStringConvertible {
  let file: String
  let reason: String

  /// What is missing, why, and how to get it.
  var description: String {
    "PostgreSQL needs \(file), which cannot be loaded: \(reason); "
      + "Debian and Ubuntu have it in the package 'libpq5', Homebrew in 'libpq'"
  }
}

/// Texts as C takes them: pointers to their bytes, each with a zero at its end.
struct CStrings {
  private var bytes: [CChar] = []
  private var starts: [Int?] = []

  /// Texts without zero bytes; nil for a null pointer.
  init(_ texts: [String?]) {
    for text in texts {
      starts.append(text == nil ? nil : bytes.count)
      guard let text else { continue }
      bytes += text.utf8.map { CChar(bitPattern: $0) } + [0]
    }
  }

  /// Lends the pointers to a function.
  func withPointers<Answer>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
  ) -> Answer {
    unsafe (bytes + [0]).withUnsafeBufferPointer { bytes in
      let base = bytes.baseAddress
      let pointers = unsafe starts.map { start in
        unsafe start.flatMap { unsafe base?.advanced(by: $0) }
      }
      return unsafe (pointers + [nil]).withUnsafeBufferPointer { pointers in
        // There is at least the last one.
        unsafe body(pointers.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}
