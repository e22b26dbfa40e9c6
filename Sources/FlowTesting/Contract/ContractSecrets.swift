internal import FlowCore

/// The secrets with which the sample is run: those that the author gives, and made-up ones.
///
/// A world has one value for each name. Nothing else differs from world to world.
struct ContractSecrets: Sendable {
  /// Several values for each name.
  let given: [String: [String]]

  /// How many worlds there are: one for each value of the secret that has the most, and two at least.
  var worldCount: Int { max(2, given.values.map(\.count).max() ?? 0) }

  /// The secret of a name in a world, counted from 0.
  func value(_ name: String, in world: Int) -> String {
    guard let values = given[name], !values.isEmpty else { return Self.madeUp(name, in: world) }
    return values[world % values.count]
  }

  /// What encodings write otherwise.
  private static let signs: [Character] = ["+", "/", "\"", "&", "é"]

  /// A made-up secret of 21 bytes.
  ///
  /// In the next world it has another character at every place, and none of them is the same letter in the
  /// other case; so each piece of it differs, and the sum of its bytes. Its length is the same in every
  /// encoding: what is as long as it in both worlds says nothing of its letters.
  private static func madeUp(_ name: String, in world: Int) -> String {
    var random = SeededGenerator(seed: 0, label: name)
    let isOther = !world.isMultiple(of: 2)
    let (letter, digit): (UInt8, UInt8) = isOther ? (13, 5) : (0, 0)
    var text = ""
    for index in signs.indices {
      text.append(character("a", .random(in: 0..<13, using: &random) + letter))
      text.append(character("A", .random(in: 0..<13, using: &random) + letter))
      text.append(character("0", .random(in: 0..<5, using: &random) + digit))
      text.append(signs[(index + (isOther ? 1 : 0)) % signs.count])
    }
    return text
  }

  private static func character(_ first: Unicode.Scalar, _ offset: UInt8) -> Character {
    Character(Unicode.Scalar(UInt8(ascii: first) + offset))
  }
}
