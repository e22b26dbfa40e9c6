private import CIDN2
internal import FlowSystem

/// A label of a host name with letters beyond ASCII, by the rules of RFC 5891 to RFC 5893.
struct InternationalLabel {
  let letters: String
  /// The length of the encoded form, such as `xn--bcher-kva`.
  let encodedLength: Int

  /// Checks letters, and returns nil if no label may have them.
  init?(letters: String) throws(LibraryError) {
    // A label has at most 63 characters in its encoded form, and C stops at a zero byte.
    guard letters.utf8.count <= 63 * 4, !letters.utf8.contains(0) else { return nil }
    let idn2 = unsafe try Self.library.get().functions.pointee
    var result: UnsafeMutablePointer<UInt8>?
    guard unsafe idn2.register_u8(letters, nil, &result, 0) == 0, let encoded = unsafe result else {
      return nil
    }
    defer { unsafe idn2.free(encoded) }
    self.letters = letters
    encodedLength = unsafe String(cString: encoded).utf8.count
  }

  /// Decodes and checks a label that starts with `xn--`, in lower case.
  init?(encoded: String) throws(LibraryError) {
    let idn2 = unsafe try Self.library.get().functions.pointee
    var result: UnsafeMutablePointer<UInt8>?
    guard unsafe idn2.register_u8(nil, encoded, &result, 0) == 0 else { return nil }
    if let result = unsafe result { unsafe idn2.free(result) }
    var decoded: UnsafeMutablePointer<CChar>?
    guard unsafe idn2.to_unicode_8z8z(encoded, &decoded, 0) == 0, let letters = unsafe decoded
    else { return nil }
    defer { unsafe idn2.free(letters) }
    self.letters = unsafe String(cString: letters)
    encodedLength = encoded.utf8.count
  }

  /// `@unchecked`: it is a constant table of functions.
  @safe private final class Library: @unchecked Sendable {
    let functions: UnsafePointer<flow_idn2>

    init() throws(LibraryError) {
      unsafe functions = try SystemLibrary(
        "host names with letters beyond ASCII need", debian: "libidn2-0", homebrew: "libidn2"
      ).load { unsafe flow_idn2_load(&$0) }
    }
  }

  private static let library = Result(catching: Library.init)
}
