internal import FlowCore

extension JSONParser {
  /// Where a part of a text begins, in bytes from 0; nil when there is no such part.
  ///
  /// A tree has no positions, since hardly any of them is ever asked for.
  static func offset(of path: [FieldPath.Step], in bytes: ArraySlice<UInt8>) -> Int? {
    var parser = JSONParser(bytes)
    // The text was parsed before, so there is nothing to tell about it.
    return try? parser.offset(of: path[...])
  }

  private mutating func offset(of path: ArraySlice<FieldPath.Step>) throws(JSONError) -> Int? {
    skipBlanks()
    guard let step = path.first else { return position - bytes.startIndex }
    let end: Unicode.Scalar = next == UInt8(ascii: "{") ? "}" : "]"
    position += 1
    var index = 0
    repeat {
      skipBlanks()
      let here = end == "]" ? FieldPath.Step.index(index) : .field(try string())
      if end == "}" {
        skipBlanks()
        _ = take(":")
      }
      if here == step { return try offset(of: path.dropFirst()) }
      _ = try value()
      index += 1
    } while try separator(orEnd: end)
    return nil
  }
}
