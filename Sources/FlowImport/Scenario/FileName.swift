/// A name for a file or a tag, made of any text: `Users / Admin` becomes `users-admin`.
struct FileName {
  private static let longest = 80

  let text: String

  init(_ name: String, or other: String) {
    var (text, count) = (String.UnicodeScalarView(), 0)
    for scalar in name.lowercased().unicodeScalars {
      let isPart = scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      count += String(scalar).utf8.count
      if count > Self.longest { break }
      if isPart { text.append(scalar) }
      if !isPart, !text.isEmpty, text.last != "-" { text.append("-") }
    }
    while text.last == "-" { text.removeLast() }
    self.text = text.isEmpty ? other : String(text)
  }
}
