/// `*`, `+`, `?` or `{2,5}`, and whether as little as possible is meant.
struct PatternRepetition {
  /// How it is written, with the mark of laziness.
  let text: String
  /// How it is written, without it.
  let count: String
  /// Whether a question mark follows, which turns greed round.
  let isLazy: Bool
  /// Where it begins.
  let start: Int
  /// Whether it stands right behind an opening parenthesis.
  let followsParenthesis: Bool
  private var least = 0
  private var most: Int?

  /// Reads a repetition; nil for everything else, such as a brace that stands for itself.
  init?(_ reader: inout PatternReader) {
    start = reader.position
    followsParenthesis = reader.peek(-1) == "("
    guard let next = reader.next else { return nil }
    switch next {
    case "*", "+", "?": _ = reader.take()
    case "{":
      guard let bounds = Self.bounds(&reader) else { return nil }
      (least, most) = bounds
    default: return nil
    }
    count = reader.text(from: start)
    isLazy = reader.take("?")
    text = reader.text(from: start)
  }

  /// Whether the greatest count is not below the smallest.
  var isInOrder: Bool { most.map { least <= $0 } ?? true }

  /// By how much the repetitions of what is in it are multiplied.
  var factor: Int { max(1, most ?? least) }

  /// What stands in braces; takes nothing where they stand for themselves.
  private static func bounds(_ reader: inout PatternReader) -> (least: Int, most: Int?)? {
    var rest = reader
    guard rest.take("{"), let least = number(&rest) else { return nil }
    var most: Int? = least
    if rest.take(",") {
      most = nil
      if rest.next != "}" {
        guard let number = number(&rest) else { return nil }
        most = number
      }
    }
    guard rest.take("}") else { return nil }
    reader = rest
    return (least, most)
  }

  /// At most nine digits without a zero in front, as `ParseInteger` of RE2 has it.
  private static func number(_ reader: inout PatternReader) -> Int? {
    let start = reader.position
    var number = 0
    while let digit = reader.next, "0"..."9" ~= digit {
      guard number < 100_000_000, number > 0 || reader.position == start else { return nil }
      number = number * 10 + Int(digit.value - 0x30)
      _ = reader.take()
    }
    return reader.position > start ? number : nil
  }
}
