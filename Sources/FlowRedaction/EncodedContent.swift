internal import FlowSystem

/// The content of a base 64 string apart from the secrets in it.
///
/// Strings of different content must not share a placeholder. The content does not depend on the
/// secrets, not even on the number of bits they fill in a digit: it is the same in a replay, which
/// has placeholders for them.
struct EncodedContent {
  /// A secret in the digits.
  struct Part {
    /// From the first digit on.
    let bits: Range<Int>
    let placeholders: [Placeholder]
  }

  /// The digits as numbers from 0 to 63.
  private let digits: [UInt8]
  /// The parts in order, without overlaps, at least one.
  private let parts: [Part]
  /// True if more digits were cut off.
  private let isCut: Bool

  /// The content of some digits with these secrets, in any order.
  init(_ digits: ArraySlice<UInt8>, isCut: Bool, _ parts: [Part]) {
    self.isCut = isCut
    let worth = Base64.worth
    self.digits = digits.map { worth[Int($0)] }
    var chosen: [Part] = []
    let sorted = parts.sorted {
      ($0.bits.lowerBound, $1.bits.upperBound) < ($1.bits.lowerBound, $0.bits.upperBound)
    }
    for part in sorted where part.bits.lowerBound >= chosen.last?.bits.upperBound ?? 0 {
      chosen.append(part)
    }
    self.parts = chosen
  }

  /// The placeholder of all digits: that of the first secret, with the content if there is any.
  var placeholder: Placeholder? {
    for placeholder in parts.flatMap(\.placeholders) {
      if case .secret(let name, _, _) = placeholder {
        return .secret(name, .base64, content: isSecretAlone ? nil : digest)
      }
    }
    return nil
  }

  private var isSecretAlone: Bool {
    guard parts.count == 1, case .secret(_, nil, _)? = parts[0].placeholders.first,
      parts[0].placeholders.count == 1, parts[0].bits.lowerBound == 0
    else { return false }
    let rest = parts[0].bits.upperBound..<digits.count * 6
    // Bits of the next byte of a secret say nothing.
    return isCut && rest.count < 8 || isFilling(rest)
  }

  private var digest: String {
    var content: [UInt8] = []
    var end: Int?
    for part in parts {
      content += gap(after: end, before: part.bits.lowerBound, isLast: false)
      for placeholder in part.placeholders { content += placeholder.text.utf8 }
      end = part.bits.upperBound
    }
    content += rest(after: end ?? 0)
    // Other schedules give other numbers.
    let digest = SHA256(PlaceholderNumbers.removed(from: content)).hexadecimal
    return String(digest.prefix(Placeholder.contentDigits))
  }

  private func rest(after secret: Int) -> [UInt8] {
    let end = digits.count * 6
    return isCut
      ? tagged("~", bits(secret..<secret + (end - secret) / 8 * 8))
      : gap(after: secret, before: end, isLast: true)
  }

  /// Returns the digits between secrets, in a form that does not depend on the secrets.
  ///
  /// Either the text of a secret continues after it with more bytes. Or the text ends with the
  /// secret, zeros fill the last digit, and digits of something else follow.
  private func gap(after secret: Int?, before end: Int, isLast: Bool) -> [UInt8] {
    guard let secret else { return tagged("^", bits(0..<end)) }
    let whole = secret..<secret + (end - secret) / 8 * 8
    let rest = whole.upperBound..<end
    let bytes = bits(whole)
    if isText(bytes), isLast ? isFilling(rest) : rest.isEmpty { return tagged("=", bytes) }
    if let joined = joined(after: secret, before: end) { return joined }
    let next = min(end, (secret + 5) / 6 * 6)
    if isFilling(secret..<next) { return tagged("/", bits(next..<end)) }
    return tagged("?", bits(secret..<end))
  }

  /// Returns the rest of a text that ends before a digit such as `/`, and the digits from there on,
  /// or nil.
  ///
  /// UTF-8 text does not contain these digits at positions where a byte starts with a digit's first
  /// bit.
  private func joined(after secret: Int, before end: Int) -> [UInt8]? {
    var place = secret
    while place < end {
      let next = (place + 5) / 6 * 6
      if next < end, digits[next / 6] >= 62, isFilling(place..<next) {
        return tagged("=", bits(secret..<place)) + tagged("/", bits(next..<end))
      }
      guard place + 8 <= end, isText(byte: bits(place..<place + 8)[0]) else { return nil }
      place += 8
    }
    return nil
  }

  private func tagged(_ tag: Unicode.Scalar, _ bytes: [UInt8]) -> [UInt8] {
    Array("\(tag)\(bytes.count)".utf8) + [0] + bytes
  }

  /// Returns true if some bits only fill the last digit of a text.
  private func isFilling(_ range: Range<Int>) -> Bool {
    range.count < 6 && bits(range).allSatisfy { $0 == 0 }
  }

  private func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy(isText(byte:)) && String(validating: bytes, as: UTF8.self) != nil
  }

  private func isText(byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || [9, 10, 13].contains(byte)
  }

  /// Returns bits as bytes, the last one filled with zeros.
  private func bits(_ range: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (range.count + 7) / 8)
    for (index, place) in range.enumerated() {
      let bit = digits[place / 6] >> UInt8(5 - place % 6) & 1
      bytes[index / 8] |= bit << UInt8(7 - index % 8)
    }
    return bytes
  }
}
