/// The comments that Postman allows in a body of JSON, and does not send.
enum JSONComments {
  /// Returns a text without `// …` and `/* … */` outside of strings.
  static func removed(from text: String) -> String {
    var (result, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
    var isInside = false
    while let scalar = rest.popFirst() {
      if scalar == "\"" { isInside.toggle() }
      if isInside, scalar == "\\", let escaped = rest.popFirst() {
        result.append(scalar)
        result.append(escaped)
      } else if !isInside, scalar == "/", rest.first == "/" {
        rest = rest.drop { $0 != "\n" }
      } else if !isInside, scalar == "/", rest.first == "*" {
        rest = afterBlock(rest.dropFirst())
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func afterBlock(
    _ text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView {
    var rest = text
    while let scalar = rest.popFirst() {
      if scalar == "*", rest.first == "/" { return rest.dropFirst() }
    }
    return rest
  }
}
