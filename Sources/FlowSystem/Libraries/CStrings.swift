/// Strings for C: pointers to their bytes, each ending with a zero byte.
public struct CStrings {
  private var bytes: [CChar] = []
  private var starts: [Int?] = []

  /// Creates C strings, with a null pointer for nil.
  ///
  /// No string may contain a zero byte.
  public init(_ texts: [String?]) { self.init(bytes: texts.map { $0.map { Array($0.utf8) } }) }

  /// Creates values whose lengths are given beside them, with a null pointer for nil.
  public init(bytes texts: [[UInt8]?]) {
    bytes.reserveCapacity(texts.reduce(0) { $0 + ($1?.count ?? 0) + 1 })
    for text in texts {
      starts.append(text == nil ? nil : bytes.count)
      guard let text else { continue }
      bytes += text.lazy.map { CChar(bitPattern: $0) }
      bytes.append(0)
    }
  }

  /// Lends the pointers, with a null pointer at their end, to a function.
  public func withPointers<Answer>(
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
