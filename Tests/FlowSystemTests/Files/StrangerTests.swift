import FlowSystem
import Testing

/// Contents in place of the expected one of a file.
@Suite struct StrangerTests {
  @Test(arguments: [
    (
      Array("version https://git-lfs.github.com/spec/v1\noid sha256:0a1b\nsize 77\n".utf8),
      "this is a pointer of Git LFS, not a letter; get the file itself with 'git lfs pull'"
    ),
    ([0x1F, 0x8B, 0x08, 0x00, 0x12], "this is a gzip file, not a letter; unpack it first"),
    (Array("PK\u{3}\u{4}rest".utf8), "this is a ZIP file, not a letter; unpack it first"),
    ([0x28, 0xB5, 0x2F, 0xFD, 0x04], "this is a Zstandard file, not a letter; unpack it first"),
    (
      Array("\n <!DOCTYPE html><title>404</title>".utf8),
      "this is an HTML page, not a letter; the server may have refused to send the file"
    ),
    (
      [0xEF, 0xBB, 0xBF] + Array("<HTML lang=en>".utf8),
      "this is an HTML page, not a letter; the server may have refused to send the file"
    ),
    (
      [0xFF, 0xFE, 0x7B, 0x00, 0x22, 0x00],
      "this is text in UTF-16, not a letter; save it as UTF-8"
    ),
    ([0x00, 0x7B, 0x00, 0x22], "this is text in UTF-16, not a letter; save it as UTF-8"),
    ([0xFF, 0xFE, 0x00, 0x00, 0x7B], "this is text in UTF-32, not a letter; save it as UTF-8"),
  ]) func `a stranger is told by its beginning`(_ content: [UInt8], _ sentence: String) {
    #expect(Stranger(content)?.sentence(insteadOf: "a letter") == sentence)
  }

  @Test(arguments: [
    "", "\n", "{\"transcript\":1}", "flow: 1\n", "version: https\n", "<xml/>", "PK", "ä", "BZ",
  ]) func `everything else is no stranger`(_ text: String) {
    #expect(Stranger(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("a\nb\n", ["a\r\nb\r\n"]), ("a\r\nb\r\n", ["a\nb\n"]), ("a\r\nb\n", ["a\nb\n", "a\r\nb\r\n"]),
    ("no line", []), ("\r", []), ("\n", ["\r\n"]), ("a\r\r\n", ["a\r\n"]), ("", []),
  ]) func `a text has other line ends`(_ text: String, _ others: [String]) {
    #expect(LineEnds.others(of: Array(text.utf8)) == others.map { Array($0.utf8) })
  }
}
