/// The boundary of a body with parts (RFC 2046, section 5.1.1), which a program draws for each request.
///
/// It means nothing, so the body is compared and passed on with one that is always the same.
struct MultipartBoundary {
  /// The boundary in every recorded body.
  private static let constant = "boundary"

  /// The value of the header `Content-Type` with the constant boundary.
  let type: String
  /// The body with the constant boundary.
  let body: [UInt8]

  /// Replaces the boundary of a body.
  ///
  /// Nil for a body of another type, without its boundary, or with the constant one in a part.
  init?(type: String, body: [UInt8]) {
    guard type.lowercased().hasPrefix("multipart/"), let range = Self.boundary(in: type) else {
      return nil
    }
    let own = Array("--\(type[range])".utf8)
    let new = Array("--\(Self.constant)".utf8)
    var (result, place, count) = ([UInt8](), 0, 0)
    while place < body.count {
      let isLineStart = place == 0 || body[..<place].suffix(2).elementsEqual([0x0D, 0x0A])
      if isLineStart, body[place...].starts(with: own) {
        result += new
        place += own.count
        count += 1
      } else if isLineStart, body[place...].starts(with: new) {
        return nil
      } else {
        result.append(body[place])
        place += 1
      }
    }
    guard count > 0 else { return nil }
    self.body = result
    self.type = type.replacingCharacters(in: range, with: Self.constant)
  }

  /// The place of the parameter's value, without its quotes.
  private static func boundary(in type: String) -> Range<String.Index>? {
    guard let name = type.lowercased().firstRange(of: "boundary=") else { return nil }
    // Media types are ASCII, so the places are those of the text itself.
    let offset = type.lowercased().distance(from: type.startIndex, to: name.upperBound)
    guard offset < type.count else { return nil }
    var start = type.index(type.startIndex, offsetBy: offset)
    let isQuoted = type[start] == "\""
    if isQuoted { start = type.index(after: start) }
    let end = type[start...].firstIndex { isQuoted ? $0 == "\"" : $0 == ";" || $0 == " " }
    let range = start..<(end ?? type.endIndex)
    return range.isEmpty ? nil : range
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
