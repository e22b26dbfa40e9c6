/// Finds equal keys in one mapping after another.
///
/// Keys are equal when they mean the same: `a` and `'a'` do, `1` and `0x1` do, `1` and `'1'` do not.
struct DuplicateKeys {
  struct Pair {
    let first: Int
    let second: Int
  }

  private struct Key {
    let index: Int
    let text: Range<Int>
    let meaning: Scalar
  }

  /// Up to this many keys, comparing each with each costs less than hashing them.
  private static let fewKeys = 8
  /// Kept from mapping to mapping, so a small mapping allocates nothing.
  private var keys: [Key] = []

  /// Returns the first key that repeats an earlier one, and that earlier one.
  ///
  /// The mapping's children are the last of the entries, and its keys scalars or aliases of scalars.
  mutating func find(inMappingAt index: Int, of entries: [Document.Entry], text: [UInt8]) -> Pair? {
    collectKeys(ofMappingAt: index, in: entries, text: text)
    return keys.count <= Self.fewKeys ? pairByComparing(text) : pairByHashing(text)
  }

  private mutating func collectKeys(
    ofMappingAt index: Int, in entries: [Document.Entry], text: [UInt8]
  ) {
    keys.removeAll(keepingCapacity: true)
    var next = index + 1
    while next < entries.count {
      let key = entries[next]
      let content = key.isAlias ? entries[Int(key.offset)] : key
      let meaning = content.scalar(in: text) ?? .string
      keys.append(Key(index: next, text: content.textRange, meaning: meaning))
      next = Int(entries[Int(key.next)].next)
    }
  }

  private func pairByComparing(_ text: [UInt8]) -> Pair? {
    for second in keys.indices.dropFirst() {
      for first in 0..<second where areEqual(keys[first], keys[second], text) {
        return Pair(first: keys[first].index, second: keys[second].index)
      }
    }
    return nil
  }

  private func pairByHashing(_ text: [UInt8]) -> Pair? {
    var keysByHash: [Int: Key] = [:]
    keysByHash.reserveCapacity(keys.count)
    for key in keys {
      var slot = hash(key, text)
      while let other = keysByHash[slot] {
        if areEqual(other, key, text) { return Pair(first: other.index, second: key.index) }
        slot &+= 1
      }
      keysByHash[slot] = key
    }
    return nil
  }

  private func areEqual(_ first: Key, _ second: Key, _ text: [UInt8]) -> Bool {
    switch (first.meaning, second.meaning) {
    case (.string, .string), (.bigInt, .bigInt):
      first.text.count == second.text.count && text[first.text] == text[second.text]
    case (.float(let first), .float(let second)): first == second || first.isNaN && second.isNaN
    default: first.meaning == second.meaning
    }
  }

  /// Equal keys have equal hashes.
  ///
  /// The random seed of `Hasher` prevents chosen collisions.
  private func hash(_ key: Key, _ text: [UInt8]) -> Int {
    var hasher = Hasher()
    hasher.combine(key.meaning)
    if key.meaning == .string || key.meaning == .bigInt {
      unsafe text[key.text].withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }
}
