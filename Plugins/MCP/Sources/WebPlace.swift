import FlowCore
import HTTPPlugin

/// A server behind a URL with everything needed to reach it.
struct WebPlace: Sendable {
  let url: String
  let headers: [String: String]
  let bearer: String?

  /// Creates the place of a declaration, with the headers of both.
  ///
  /// - Throws: `SecretError`.
  init(
    _ url: String, _ declaration: MCPDeclaration, _ settings: MCPSettings, _ context: Context
  ) throws(SecretError) {
    self.url = url
    var headers = declaration.headers
    for (name, secret) in declaration.secrets { headers[name] = try context.secrets.value(secret) }
    for (name, value) in settings.headers {
      headers = headers.filter { $0.key.lowercased() != name.lowercased() }
      headers[name] = value
    }
    self.headers = headers
    bearer =
      if let bearer = settings.bearer { bearer } else if let secret = declaration.bearer {
        try context.secrets.value(secret)
      } else { nil }
  }

  /// Checks a URL and the headers of a declaration.
  ///
  /// - Throws: `MCPError.invalid`.
  static func check(_ url: String, _ headers: [String: String]) throws(MCPError) {
    do throws(WebError) { try WebClient.check(url, headers: headers) } catch {
      throw .invalid("\(error)")
    }
  }
}
