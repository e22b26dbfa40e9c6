internal import FlowCore
internal import FlowSQL

extension MariaDBAddress {
  /// Parses a URL, whose host must be allowed by a network.
  ///
  /// - Throws: `ComponentError`, which does not quote the URL.
  init(_ url: String, allowedBy network: Network) throws(ComponentError) {
    try self.init(url)
    guard network.allows(host: host, port: port) else {
      throw ComponentError(.forbidden, "'url': '\(host):\(port)' is not among the allowed hosts")
    }
  }
}
