/// Tells RE2's syntax (github.com/google/re2/wiki/Syntax) from what PCRE2 has beyond it.
enum PatternSyntax {
  /// The name of the first construct that RE2 does not have; nil when there is none.
  static func foreignConstruct(in pattern: String) -> String? {
    let bytes = Array(pattern.utf8)
    var position = 0
    var isInClass = false
    while position < bytes.count {
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch bytes[position] {
      case UInt8(ascii: "\\"):
        if let name = escape(next, isInClass: isInClass) { return name }
        position += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass:
        if next == UInt8(ascii: "*") { return "verbs are not supported" }
        if next == UInt8(ascii: "?"), let name = group(bytes[(position + 2)...]) { return name }
      case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "}"):
        if !isInClass, next == UInt8(ascii: "+") {
          return "possessive quantifiers are not supported"
        }
      default: break
      }
      position += 1
    }
    return nil
  }

  private static func escape(_ mark: UInt8, isInClass: Bool) -> String? {
    switch mark {
    case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "k"), UInt8(ascii: "g"):
      isInClass ? nil : "back references are not supported"
    case UInt8(ascii: "K"), UInt8(ascii: "G"), UInt8(ascii: "R"), UInt8(ascii: "X"),
      UInt8(ascii: "Z"), UInt8(ascii: "N"), UInt8(ascii: "h"), UInt8(ascii: "H"),
      UInt8(ascii: "V"), UInt8(ascii: "c"), UInt8(ascii: "o"):
      "'\\\(Unicode.Scalar(mark))' is not supported"
    default: nil
    }
  }

  /// What follows `(?`: flags, `:` or a name; nothing else.
  private static func group(_ rest: ArraySlice<UInt8>) -> String? {
    let second = rest.dropFirst().first
    switch rest.first {
    case UInt8(ascii: ":"), UInt8(ascii: "i"), UInt8(ascii: "m"), UInt8(ascii: "s"),
      UInt8(ascii: "U"), UInt8(ascii: "-"):
      return nil
    case UInt8(ascii: "P") where second == UInt8(ascii: "<"): return nil
    case UInt8(ascii: "<") where second != UInt8(ascii: "=") && second != UInt8(ascii: "!"):
      return nil
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"):
      return "looking around is not supported"
    default: return "this kind of group is not supported"
    }
  }
}
