internal import FlowSystem

/// Puts lists and objects of a value into files of their own, the inner ones first, until none is too long for a line.
///
/// Without it an answer of 7 MB cannot be recorded: of its JSON each fraction takes three times as many bytes in a line.
struct LongValues {
  /// The longest list or object kept in the line itself, in bytes.
  static let longestInLine = 1 << 20

  private let named: [Blob: [UInt8]]
  private var separated: [Blob: [UInt8]] = [:]

  /// Creates a separation with the bodies named in the values or in other bodies.
  init(_ bodies: [(blob: Blob, content: [UInt8])]) {
    named = Dictionary(
      bodies.map { ($0.blob, $0.content) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the bodies named in a separated value.
  func bodies(of json: JSON) -> [(blob: Blob, content: [UInt8])] {
    var bodies: [(blob: Blob, content: [UInt8])] = []
    // Nothing is read, so nothing can be wrong.
    _ = try? json.resolvingBlobs { blob in
      if let content = separated[blob] ?? named[blob] { bodies.append((blob, content)) }
      return .null
    }
    return bodies
  }

  /// The value with blobs in place of its long lists and objects.
  mutating func separated(_ json: JSON) -> JSON { part(json).json }

  /// A part of a value, its approximate length, and true if it contains a pattern, which must
  /// remain visible to people.
  private typealias Part = (json: JSON, length: Int, hasPattern: Bool)

  private mutating func part(_ json: JSON) -> Part {
    switch json {
    case .null, .bool: return (json, 5, false)
    case .number(let text): return (json, text.utf8.count + 1, false)
    case .string(let text): return (json, text.utf8.count + 3, false)
    case .array(let elements): return whole(parts(of: elements))
    case .object(let members):
      switch json.form {
      case .pattern:
        if Blob(json) != nil { return (json, 150, false) }
        let inner = parts(of: members)
        return (inner.json, inner.length, true)
      case .literal(let inner):
        // What is taken literally is not a blob itself.
        let inner = parts(of: inner)
        return whole(
          (.object([.init(JSON.literalName, inner.json)]), inner.length + 14, inner.hasPattern))
      case .plain: return whole(parts(of: members))
      }
    }
  }

  private mutating func parts(of elements: [JSON]) -> Part {
    var (kept, length, hasPattern) = ([JSON](), 3, false)
    kept.reserveCapacity(elements.count)
    for element in elements {
      let part = part(element)
      kept.append(part.json)
      length += part.length
      hasPattern = hasPattern || part.hasPattern
    }
    return (.array(kept), length, hasPattern)
  }

  private mutating func parts(of members: [JSON.Member]) -> Part {
    var (kept, length, hasPattern) = ([JSON.Member](), 3, false)
    kept.reserveCapacity(members.count)
    for member in members {
      let part = part(member.value)
      kept.append(.init(member.name, part.json))
      length += part.length + member.name.utf8.count + 3
      hasPattern = hasPattern || part.hasPattern
    }
    return (.object(kept), length, hasPattern)
  }

  /// A list or an object, or the blob in its place.
  private mutating func whole(_ part: Part) -> Part {
    if part.length <= Self.longestInLine || part.hasPattern { return part }
    // Bodies named in it are read with it, so that a body names no others.
    let whole = try? part.json.resolvingBlobs { [separated, named] blob in
      (separated[blob] ?? named[blob]).flatMap(blob.value) ?? blob.json
    }
    let content = Array((whole ?? part.json).text.utf8)
    let blob = Blob(of: content, .json)
    separated[blob] = content
    return (blob.json, 150, false)
  }
}
