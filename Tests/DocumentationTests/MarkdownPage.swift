/// The code blocks of a page, each under a line that holds its file's path in backticks and no more.
struct MarkdownPage {
  struct Block {
    let file: String
    /// What is behind the first fence, such as `swift`.
    let language: String
    let code: String
  }

  private(set) var blocks: [Block] = []

  init(_ text: String) {
    var code: [Substring]?
    var (file, language) = ("", "")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```"), let lines = code {
        let text = lines.map { $0 + "\n" }.joined()
        blocks.append(Block(file: file, language: language, code: text))
        code = nil
      } else if line.hasPrefix("```") {
        code = []
        language = String(line.dropFirst(3))
      } else if code != nil {
        code?.append(line)
      } else if !line.isEmpty {
        file = line.hasPrefix("`") && line.hasSuffix("`") ? String(line.dropFirst().dropLast()) : ""
      }
    }
  }
}
