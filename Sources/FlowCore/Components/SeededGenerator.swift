/// Random numbers that a seed and a label decide: the same ones on every machine and in every run.
///
/// The state is seeded by FNV-1a over the label and stepped by SplitMix64 (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014). It is not for cryptography.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The generator of one place in a run.
  public init(seed: UInt64, label: String) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for byte in label.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    state = hash
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
