internal import FlowSystem

/// A table of calls by address, with some twenty bytes for each call and no copy of the addresses.
///
/// A hash table of the last call at each address. The calls at one address form a ring, in which
/// the first follows the last. Its keys are strings, which are in the lines: an `Address` for each
/// of a hundred thousand lines would take three times the memory and longer than all of its search.
struct AddressTable: Sendable {
  private static let none = UInt32.max

  /// The last call of each address.
  ///
  /// The count is a power of two, and half of them are empty.
  private var slots = [UInt32](repeating: none, count: 16)
  private var addressCount = 0
  /// The hash of each call's address.
  private var hashes: [UInt32] = []
  /// The next call in the ring of each one.
  ///
  /// After the last one, none when all were taken.
  private var next: [UInt32] = []

  /// The last call at an address, or nil.
  func last(at address: String, in calls: CallLines) -> Int? {
    let last = slots[slot(of: address, Self.hash(address), calls)]
    return last == Self.none ? nil : Int(last)
  }

  /// Adds the next call.
  mutating func append(at address: String, in calls: CallLines) {
    if addressCount * 2 >= slots.count { grow() }
    let (call, hash) = (UInt32(next.count), Self.hash(address))
    let slot = slot(of: address, hash, calls)
    let last = slots[slot]
    hashes.append(hash)
    if last == Self.none {
      addressCount += 1
      next.append(call)
    } else {
      next.append(next[Int(last)])
      next[Int(last)] = call
    }
    slots[slot] = call
  }

  /// Takes the first remaining call at an address, or returns nil.
  mutating func takeFirst(at address: String, in calls: CallLines) -> Int? {
    guard let last = last(at: address, in: calls) else { return nil }
    let first = next[last]
    if first == Self.none { return nil }
    next[last] = first == last ? Self.none : next[Int(first)]
    return Int(first)
  }

  /// The number of each call at its address, from 1, or 0 for a single one.
  ///
  /// - Precondition: No call was taken.
  var ordinals: [UInt32] {
    var ordinals = [UInt32](repeating: 0, count: next.count)
    for last in slots where last != Self.none && next[Int(last)] != last {
      var (call, ordinal) = (last, UInt32(0))
      repeat {
        call = next[Int(call)]
        ordinal += 1
        ordinals[Int(call)] = ordinal
      } while call != last
    }
    return ordinals
  }

  /// Of the bytes: `hashValue` is the same for all forms of an accented letter.
  private static func hash(_ address: String) -> UInt32 {
    var (address, hasher) = (address, Hasher())
    address.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  /// The slot of an address, present or future.
  private func slot(of address: String, _ hash: UInt32, _ calls: CallLines) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != Self.none {
      let call = Int(slots[slot])
      if hashes[call] == hash, calls.key(of: call).isIdentical(to: address) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt32](repeating: Self.none, count: old.count * 2)
    for call in old where call != Self.none {
      var slot = Int(hashes[Int(call)]) & (slots.count - 1)
      while slots[slot] != Self.none { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = call
    }
  }
}
