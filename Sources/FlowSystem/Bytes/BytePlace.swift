#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension ArraySlice<UInt8> {
  /// Returns the index of the first byte with a value, or nil.
  ///
  /// The system's search takes a small part of the time of `firstIndex`.
  package func firstPlace(of byte: UInt8) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = unsafe memchr(start, CInt(byte), bytes.count)
      else { return nil }
      return unsafe startIndex + (UnsafeRawPointer(found) - start)
    }
  }
}

extension String {
  /// Returns true if a text occurs in this one with no letter or digit of ASCII beside it.
  package func containsWord(_ word: String) -> Bool {
    let (bytes, word) = (Array(utf8), Array(word.utf8))
    guard let first = word.first else { return false }
    var rest = bytes[...]
    while let start = rest.firstPlace(of: first), start + word.count <= bytes.count {
      let end = start + word.count
      if bytes[start..<end] == word[...], start == 0 || !bytes[start - 1].isOfWord,
        end == bytes.count || !bytes[end].isOfWord
      {
        return true
      }
      rest = bytes[(start + 1)...]
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isOfWord: Bool { isLetter || isDigit }
}
