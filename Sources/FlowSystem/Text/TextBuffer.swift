/// UTF-8 that grows by small pieces.
///
/// Each piece looks once at the room that is left, and is then stored: an `Array` takes three times as long for a
/// few bytes, and a `String` ten times.
package struct TextBuffer: @unchecked Sendable {
  /// Nil without any room.
  @usableFromInline var storage: TextStorage?
  /// The capacity in bytes.
  @usableFromInline var capacity = 0
  /// The number of bytes.
  @usableFromInline package private(set) var count = 0

  /// Nothing.
  @inlinable package init() {}

  /// Nothing, with room for so many bytes.
  package init(capacity: Int) { grow(by: capacity) }

  /// True if there are no bytes.
  package var isEmpty: Bool { count == 0 }

  /// All of it.
  package var bytes: [UInt8] { self[0...] }

  /// The bytes from a place on, at most the count.
  package subscript(range: PartialRangeFrom<Int>) -> [UInt8] {
    unsafe withBytes { unsafe Array($0[range.lowerBound...]) }
  }

  /// All of it, as text.
  package var text: String { unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) } }

  /// Removes the bytes from a place on, from 0 to the count, and keeps the memory for more.
  package mutating func cut(at place: Int) {
    precondition(0...count ~= place)
    count = place
  }

  /// Returns true if each byte satisfies a condition.
  @inlinable package func everyByte(satisfies condition: (UInt8) -> Bool) -> Bool {
    unsafe withBytes { unsafe $0.allSatisfy(condition) }
  }

  /// Passes all bytes to a closure, without a copy.
  @inlinable func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard let storage else { return unsafe body(UnsafeBufferPointer(start: nil, count: 0)) }
    return unsafe storage.withUnsafeMutablePointerToElements {
      unsafe body(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// Appends at most so many bytes: `store` puts them behind a pointer and says how many there are.
  @inline(__always) mutating func append(
    atMost most: Int, _ store: (UnsafeMutablePointer<UInt8>) -> Int
  ) {
    if capacity &- count < most || !isKnownUniquelyReferenced(&storage) { grow(by: most) }
    // There is room for `most` bytes after `count`, and no one else has access to it.
    unsafe storage?.withUnsafeMutablePointerToElements { start in
      count &+= unsafe store(start + count)
    }
  }

  /// Appends a byte.
  package mutating func append(_ byte: UInt8) {
    unsafe append(atMost: 1) { room in
      unsafe room.pointee = byte
      return 1
    }
  }

  /// Appends constant text.
  package mutating func append(constant text: StaticString) {
    let count = text.utf8CodeUnitCount
    if count == 0 { return }
    unsafe append(atMost: count) { room in
      unsafe room.update(from: text.utf8Start, count: count)
      return count
    }
  }

  /// Appends text as it is.
  package mutating func append(text: String) {
    var text = text
    text.withUTF8 { unsafe append($0) }
  }

  /// Appends bytes.
  package mutating func append(bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
  }

  /// Appends another text.
  package mutating func append(_ other: TextBuffer) {
    unsafe other.withBytes { unsafe append($0) }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    unsafe append(atMost: bytes.count) { room in
      unsafe room.update(from: start, count: bytes.count)
      return bytes.count
    }
  }

  /// Appends a number from 0 in decimal digits, with zeros before it up to a width of at most 20.
  package mutating func append(number: Int, width: Int = 1) {
    precondition(number >= 0 && 1...20 ~= width)
    // As most numbers of reports.
    if number < 10, width == 1 { return append(UInt8(ascii: "0") + UInt8(number)) }
    var (digits, most) = (1, 10)
    // 19 digits are the most of a number.
    while digits < 19, number >= most {
      digits &+= 1
      most = digits < 19 ? most &* 10 : .max
    }
    let length = max(digits, width)
    unsafe append(atMost: length) { room in
      var rest = UInt(bitPattern: number)
      for place in stride(from: length - 1, through: 0, by: -1) {
        unsafe room[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      return length
    }
  }

  @inline(never) private mutating func grow(by more: Int) {
    // At least enough for small texts.
    capacity = max(count + more, capacity * 2, 96)
    let larger = TextStorage.create(minimumCapacity: capacity) { _ in }
    unsafe withBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe larger.withUnsafeMutablePointerToElements {
        unsafe $0.update(from: start, count: bytes.count)
      }
    }
    storage = unsafe unsafeDowncast(larger, to: TextStorage.self)
  }
}

/// The memory of texts, shared until one of them grows.
///
/// An array would look up its type for each allocation.
@usableFromInline final class TextStorage: ManagedBuffer<Void, UInt8> {}
