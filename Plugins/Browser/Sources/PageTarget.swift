import FlowCore

/// What to open.
struct PageTarget: Sendable {
  /// Where the browser goes.
  let url: String
  /// What is written into the page then; nil for nothing.
  let html: String?

  /// The longest file that is opened, in bytes.
  private static let limit = 8 << 20

  /// A URL that the run allows, or a file's text.
  ///
  /// The text and not a URL of the file: that would be another one on each machine, and lead to all other files.
  init(url: String?, file: String?, in context: Context) throws(BrowserError) {
    switch (url, file) {
    case (let url?, nil):
      try Self.check(url, context)
      (self.url, html) = (url, nil)
    case (nil, let file?):
      (self.url, html) = ("about:blank", try Self.text(of: file, in: context.directory))
    default: throw .noTarget
    }
  }

  private static func text(
    of file: String, in directory: Directory
  ) throws(BrowserError) -> String {
    let bytes: [UInt8]
    do { bytes = try directory.read(file, limit: limit) } catch { throw .file(error) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .noText(file) }
    return text
  }

  /// Checks that a page may be opened.
  ///
  /// - Throws: `url` for a scheme that leads elsewhere than to the web, and for what browsers read in another way than
  ///   it looks; `forbidden`.
  static func check(_ url: String, _ context: Context) throws(BrowserError) {
    if url == "about:blank" || url.lowercased().hasPrefix("data:") { return }
    guard let (host, port) = place(of: url) else { throw .url(url) }
    guard context.network.allows(host: host, port: port) else { throw .forbidden(url) }
  }

  /// The host and the port of a URL of the web; nil for any other one.
  private static func place(of url: String) -> (host: String, port: Int)? {
    // Browsers take a backslash for a slash, and skip tabs.
    guard url.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "\\") }) else { return nil }
    let scheme = url.prefix { $0 != ":" }
    guard let standard = ["http": 80, "https": 443][scheme.lowercased()] else { return nil }
    let rest = url.dropFirst(scheme.count)
    guard rest.hasPrefix("://") else { return nil }
    let authority = rest.dropFirst(3).prefix { !"/?#".contains($0) }
    let isAddress = authority.hasPrefix("[")
    let end = isAddress ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
    let host = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
    let port = authority[host.endIndex...]
    guard !host.isEmpty, !authority.contains("@") else { return nil }
    if port.isEmpty || port == ":" { return (String(host), standard) }
    guard port.hasPrefix(":"), let number = Int(port.dropFirst()), 1...65_535 ~= number else {
      return nil
    }
    return (String(host), number)
  }
}
