internal import FlowCore
internal import FlowPlan
internal import FlowSystem

/// The narrowest place of a difference that a declaration can name.
///
/// A declaration that is coarser than what differed hides other changes.
struct ProposedPlace {
  /// The longest texts of which a part is proposed, in bytes.
  private static let longest = 200

  /// The place, with a template for a part of a text.
  let path: String
  /// The values of the part in both runs, or of the whole place.
  let values: [String]

  /// Finds the place of a change, of which `path` is the place of the whole value.
  init(of change: FieldChange, at path: String) {
    guard case (.string(let old)?, .string(let new)?) = (change.recorded, change.now),
      let (template, parts) = Self.template(old, new), ValuePath("\(path)=\(template)") != nil
    else {
      self.path = path
      values = [change.recorded?.text ?? "", change.now?.text ?? ""]
      return
    }
    self.path = "\(path)=\(template)"
    values = parts.map { JSON.string($0).text }
  }

  /// The template of two texts that differ in whole words between white space and slashes, with the
  /// parts, or nil if the texts have nothing else in common.
  private static func template(
    _ old: String, _ new: String
  ) -> (text: String, parts: [String])? {
    guard old.utf8.count <= longest, new.utf8.count <= longest, !old.hasTime,
      !old.utf8.contains(UInt8(ascii: "{")), !old.utf8.contains(UInt8(ascii: "}"))
    else { return nil }
    let (words, others) = (pieces(of: old), pieces(of: new))
    guard words.count == others.count, words.count > 1 else { return nil }
    let different = words.indices.filter { words[$0] != others[$0] }
    // Several parts would need to be told apart.
    guard different.count == 1, let place = different.first, !isBoundary(words[place]),
      words.contains(where: { $0 != words[place] && $0.contains(where: \.isLetter) })
    else { return nil }
    var shown = words
    shown[place] = "{part}"
    return (shown.joined(), [words[place], others[place]])
  }

  private static func isBoundary(_ piece: String) -> Bool {
    piece.isEmpty || piece.allSatisfy { $0 == "/" || $0.isWhitespace }
  }

  /// The words of a text, and what is between them.
  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    for character in text {
      let isBreak = character == "/" || character.isWhitespace
      if let last = pieces.last?.last, (last == "/" || last.isWhitespace) == isBreak {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
    }
    return pieces
  }
}

extension String {
  /// True for a text with a time of day: its date differs with it, only more rarely.
  fileprivate var hasTime: Bool {
    let bytes = Array(utf8)
    let isDigit = { (index: Int) in
      bytes.indices.contains(index)
        && UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index]
    }
    return bytes.indices.contains { index in
      bytes[index] == UInt8(ascii: ":") && isDigit(index - 2) && isDigit(index - 1)
        && isDigit(index + 1) && isDigit(index + 2) && !isDigit(index + 3) && !isDigit(index - 3)
    }
  }
}
