internal import FlowSystem

/// Names of hosts: RFC 1123, section 2.1, and internationalized ones of RFC 5890.
enum HostName {
  /// True for a name of letters, digits and hyphens.
  ///
  /// A label in Punycode is decoded and checked.
  static func isHostName(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    return isName(text.split(separator: ".", omittingEmptySubsequences: false))
  }

  /// True for a name that may have other letters.
  static func isInternational(_ text: String) -> Bool {
    // The other full stops of RFC 3490, section 3.1.
    let stops: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    let labels = text.unicodeScalars.split(omittingEmptySubsequences: false) { stops.contains($0) }
    return isName(labels.map { Substring($0) })
  }

  private static func isName(_ labels: [Substring]) -> Bool {
    var scalars: [[Unicode.Scalar]] = []
    var length = labels.count - 1
    for label in labels {
      guard let label = decoded(label) else { return false }
      scalars.append(label.scalars)
      length += label.encodedLength
    }
    guard length <= 253 else { return false }
    // One letter from right to left binds all labels (RFC 5893, section 1.4).
    let isBidirectional = scalars.joined().contains { Direction($0).isRightToLeft }
    return !isBidirectional || scalars.allSatisfy(Direction.allows)
  }

  /// Returns the label's letters, or nil for a label that is no part of a name.
  private static func decoded(
    _ label: Substring
  ) -> (scalars: [Unicode.Scalar], encodedLength: Int)? {
    let text = label.lowercased()
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty, scalars.first != "-", scalars.last != "-" else { return nil }
    if scalars.allSatisfy(\.isASCII) {
      guard scalars.count <= 63, text.utf8.allSatisfy(isLetterDigitHyphen) else { return nil }
      guard text.hasPrefix("xn--") else {
        return hasDoubleHyphen(scalars) ? nil : (scalars, scalars.count)
      }
      let encoded = Array(text.utf8.dropFirst(4))
      guard let letters = Punycode.decode(encoded), !letters.allSatisfy(\.isASCII),
        Punycode.encode(letters) == encoded, InternationalLabel.isValid(letters)
      else { return nil }
      return (letters, scalars.count)
    }
    // Case folding would hide letters that no label may have.
    let letters = Array(label.unicodeScalars)
    guard InternationalLabel.isValid(letters), let encoded = Punycode.encode(letters) else {
      return nil
    }
    return encoded.count + 4 <= 63 ? (letters, encoded.count + 4) : nil
  }

  private static func isLetterDigitHyphen(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-")
  }

  static func hasDoubleHyphen(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.count > 3 && scalars[2] == "-" && scalars[3] == "-"
  }
}

/// The encoding of letters in host names, RFC 3492.
enum Punycode {
  private static let (base, least, most, skew, damp) = (36, 1, 26, 38, 700)

  /// Returns the decoded letters, or nil for another text.
  static func decode(_ bytes: [UInt8]) -> [Unicode.Scalar]? {
    let delimiter = bytes.lastIndex(of: UInt8(ascii: "-"))
    var output = bytes[..<(delimiter ?? 0)].map { Unicode.Scalar($0) }
    var rest = bytes[(delimiter.map { $0 + 1 } ?? 0)...]
    var (code, index, bias) = (128, 0, 72)
    while !rest.isEmpty {
      let start = index
      var (weight, position) = (1, base)
      while true {
        guard let byte = rest.popFirst(), let digit = digit(of: byte) else { return nil }
        index += digit * weight
        guard index <= 0x10_0000_0000 else { return nil }
        let threshold = min(max(position - bias, least), most)
        if digit < threshold { break }
        weight *= base - threshold
        guard weight <= 0x10_0000_0000 else { return nil }
        position += base
      }
      let count = output.count + 1
      bias = adapted(index - start, count, isFirst: start == 0)
      code += index / count
      index %= count
      guard code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
      output.insert(scalar, at: index)
      index += 1
    }
    return output
  }

  /// Returns the encoded letters, or nil if they are too many.
  static func encode(_ scalars: [Unicode.Scalar]) -> [UInt8]? {
    guard scalars.count <= 256 else { return nil }
    let basic = scalars.filter(\.isASCII)
    var output = basic.map { UInt8($0.value) }
    if !output.isEmpty { output.append(UInt8(ascii: "-")) }
    var (code, delta, bias, handled) = (128, 0, 72, basic.count)
    while handled < scalars.count {
      guard let next = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= code }).min() else {
        return nil
      }
      delta += (next - code) * (handled + 1)
      code = next
      for scalar in scalars {
        if scalar.value < code { delta += 1 }
        guard scalar.value == code else { continue }
        append(delta, bias, to: &output)
        bias = adapted(delta, handled + 1, isFirst: handled == basic.count)
        delta = 0
        handled += 1
      }
      delta += 1
      code += 1
    }
    return output
  }

  private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
    var (rest, position) = (delta, base)
    while true {
      let threshold = min(max(position - bias, least), most)
      guard rest >= threshold else { break }
      output.append(letter(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(letter(rest))
  }

  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var position = 0
    while delta > (base - least) * most / 2 {
      delta /= base - least
      position += base
    }
    return position + (base - least + 1) * delta / (delta + skew)
  }

  private static func digit(of byte: UInt8) -> Int? {
    if byte.isDigit { return Int(byte) - 0x30 + 26 }
    return byte.isLetter ? Int(byte | 0x20) - 0x61 : nil
  }

  private static func letter(_ digit: Int) -> UInt8 {
    UInt8(digit < 26 ? digit + 0x61 : digit - 26 + 0x30)
  }
}
