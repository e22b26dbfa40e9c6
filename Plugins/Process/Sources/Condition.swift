import FlowCore

/// The inputs of `wait_for`.
struct ConditionInput: Sendable {
  var name: String
  var port: Int?
  var line: String?
  var url: String?
  var anyone: Bool?
  var prompt: String?

  static let record = Record(
    ConditionInput.init(name:port:line:url:anyone:prompt:),
    Field("name", \.name, "The name from 'start'."),
    Field("port", \.port, "A local TCP port that must accept connections."),
    Field("line", \.line, "Text that a line of the output must contain."),
    Field(
      "url", \.url,
      "A local URL that must respond with a status from 200 to 399, such as http://localhost:8080/."
    ),
    Field(
      "anyone", \.anyone,
      "Accepts another program on the port, such as the proxy of a container."),
    Field(
      "prompt", \.prompt,
      "Text that must appear on the program's terminal after the latest 'type'."))
}

/// The condition of `wait_for`.
enum Condition: Sendable, Hashable {
  /// A port, which may belong to any program if `anyone` is true.
  case port(LocalPort, anyone: Bool)
  case line(String)
  /// Text on a terminal.
  case prompt(String)
  /// A response of a URL, from any program if `anyone` is true.
  case url(LocalURL, anyone: Bool)

  /// Creates the given condition.
  ///
  /// - Throws: `.invalid` for none, several, and one without a meaning.
  init(_ input: ConditionInput) throws(ProcessError) {
    guard input.anyone == nil || input.line == nil && input.prompt == nil else {
      throw .invalid("'anyone' needs 'port' or 'url'")
    }
    let anyone = input.anyone ?? false
    switch (input.port, input.line, input.url, input.prompt) {
    case (let port?, nil, nil, nil):
      guard let number = UInt16(exactly: port), number > 0 else {
        throw .invalid("\(port) is not a port from 1 to 65535")
      }
      self = .port(LocalPort(number), anyone: anyone)
    case (nil, let line?, nil, nil): self = .line(line)
    case (nil, nil, nil, let text?):
      guard !text.isEmpty else { throw .invalid("'prompt' is empty") }
      self = .prompt(text)
    case (nil, nil, let text?, nil):
      guard let url = LocalURL(text) else {
        throw .invalid("'url' must lead to this machine, such as http://localhost:8080/")
      }
      self = .url(url, anyone: anyone)
    default: throw .invalid("give exactly one of 'port', 'line', 'url' and 'prompt'")
    }
  }
}

/// A URL of a server on this machine, without TLS.
struct LocalURL: Sendable, Hashable {
  let text: String
  let port: LocalPort
  /// A request for the URL, asking the server to close the connection (RFC 9112, section 3).
  let request: String

  /// Parses a URL, or returns nil for any other string.
  init?(_ text: String) {
    let reference = URIReference(text)
    guard reference.scheme?.lowercased() == "http", let server = reference.authority,
      text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), let parts = URIAuthority(server),
      parts.userInformation == nil, case let name = parts.host.lowercased(),
      ["localhost", "127.0.0.1", "[::1]"].contains(name),
      let port = parts.port.map({ UInt16($0) }) ?? 80, port > 0
    else { return nil }
    self.text = text
    self.port = LocalPort(port, host: name)
    let path = reference.pathAndQuery
    let target = path.hasPrefix("/") ? path : "/" + path
    request =
      "GET \(target) HTTP/1.1\r\nHost: \(server)\r\nAccept: */*\r\nConnection: close\r\n\r\n"
  }
}
