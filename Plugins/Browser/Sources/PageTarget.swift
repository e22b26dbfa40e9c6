import FlowCore

/// The page to open.
struct PageTarget: Sendable {
  /// The URL to open.
  let url: String
  /// The HTML written into the page afterwards, or nil.
  let html: String?

  /// The longest file to open, in bytes.
  private static let limit = 8 << 20

  /// Creates a target from a URL allowed in this run, or from the text of a file.
  ///
  /// The text and not the URL of the file: a URL would differ on each machine, and give access to
  /// all other files.
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
  /// - Throws: `url` for a scheme outside of the web and for a URL that browsers read differently
  ///   than it looks, or `forbidden`.
  static func check(_ url: String, _ context: Context) throws(BrowserError) {
    if url == "about:blank" || url.lowercased().hasPrefix("data:") { return }
    guard let (host, port) = place(of: url) else { throw .url(url) }
    guard context.network.allows(host: host, port: port) else { throw .forbidden(url) }
  }

  /// Returns the host and the port of a web URL, or nil for any other URL.
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
