/// Strings for C: pointers to their bytes, each ending with a zero byte.
struct CStrings {
  private var bytes: [CChar] = []
  private var starts: [Int?] = []

  /// Creates C strings, with a null pointer for nil.
  ///
  /// No string may contain a zero byte.
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
        // There is at least the final null pointer.
        unsafe body(pointers.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}
