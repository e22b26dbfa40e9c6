package import FlowCore
internal import FlowSystem

/// A path into a JSON document, RFC 6901.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
  /// The text of the pointer: empty for the whole document, or `/` before each escaped token.
  public let description: String

  /// The whole document.
  public static let root = JSONPointer(text: "")

  private init(text: String) { description = text }

  /// Compares the bytes: two forms of one accented letter are two names.
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.description.isIdentical(to: right.description)
  }

  /// Returns the pointer to a member of this place.
  public func appending(_ name: String) -> JSONPointer {
    JSONPointer(text: description + "/" + Self.escaped(name))
  }

  /// Returns the pointer to an element of this place, from 0.
  public func appending(_ index: Int) -> JSONPointer {
    JSONPointer(text: description + "/" + String(index))
  }

  /// The unescaped tokens of a pointer's text, or nil for a text that is no pointer.
  package static func tokens(of text: String) -> [String]? {
    if text.isEmpty { return [] }
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    var tokens: [String] = []
    for part in parts {
      guard let token = unescaped(part) else { return nil }
      tokens.append(token)
    }
    return tokens
  }

  private static func escaped(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return name
    }
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func unescaped(_ part: Substring) -> String? {
    guard part.utf8.contains(UInt8(ascii: "~")) else { return String(part) }
    var text = String.UnicodeScalarView()
    var rest = part.unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "~" else {
        text.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "0": text.append("~")
      case "1": text.append("/")
      default: return nil
      }
    }
    return String(text)
  }
}

extension Value {
  /// The part of a list or map at a token of a pointer, or nil.
  package func part(_ token: String) -> Value? {
    switch self {
    case .map(let map): return map[token]
    case .list(let values):
      // No leading zeros, no signs (RFC 6901, section 4).
      guard let index = Int(token), String(index) == token, values.indices.contains(index) else {
        return nil
      }
      return values[index]
    default: return nil
    }
  }
}
