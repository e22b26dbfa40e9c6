internal import FlowCore

/// A proxy for the hosts of an upstream.
struct Proxy: Sendable {
  let listener: Listener
  private let access: ProxyAccess
  private let folder: CertificateFolder

  /// Listens on a free port.
  ///
  /// - Throws: `ListenerError`.
  init(_ news: ListenerNews) throws(ListenerError) {
    access = ProxyAccess(authority: try CertificateAuthority())
    listener = try Listener(port: 0, proxy: access, refused: news.refused, shook: news.shook)
    folder = try CertificateFolder(of: access.authority)
  }

  /// Ends all connections, and removes the certificates.
  func close() async {
    await listener.close()
    folder.remove()
  }

  /// The variables for a program, which reaches some hosts without the proxy.
  func environment(direct: [String], adding others: [String: String]) -> ProxyEnvironment {
    let url = "http://\(ProxyAccess.user):\(access.token)@127.0.0.1:\(listener.port)"
    var variables = [
      "NODE_EXTRA_CA_CERTS": folder.certificate, "NODE_USE_ENV_PROXY": "1", "FLOW_TAPE": url,
    ]
    // Clients read either case. curl reads `http_proxy` in lower case only.
    for name in ["HTTP_PROXY", "HTTPS_PROXY"] {
      variables[name] = url
      variables[name.lowercased()] = url
    }
    for name in ["NO_PROXY", "no_proxy"] { variables[name] = direct.joined(separator: ",") }
    // These take the place of the system's authorities.
    for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"] {
      variables[name] = folder.bundle
    }
    return ProxyEnvironment(
      variables: variables.merging(others) { $1 }, url: url, token: access.token,
      certificate: folder.certificate)
  }
}

/// The answer of `environment`.
struct ProxyEnvironment: Sendable {
  let variables: [String: String]
  let url: String
  let token: String
  let certificate: String

  static let record = Record(
    ProxyEnvironment.init(variables:url:token:certificate:),
    Field(
      "variables", \.variables, "The variables for 'env' of 'process.start' and 'process.run'.",
      volatile: true),
    Field("url", \.url, "The URL of the proxy, with its token.", volatile: true),
    Field(
      "token", \.token, "The password in the URL, which other users do not have.", secret: true,
      volatile: true),
    Field(
      "certificate", \.certificate, "The file with the certificate of the run's authority.",
      volatile: true))

  init(variables: [String: String], url: String, token: String, certificate: String) {
    (self.variables, self.url) = (variables, url)
    (self.token, self.certificate) = (token, certificate)
  }
}
