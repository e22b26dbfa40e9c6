internal import FlowCore

/// The ports of an upstream, which may outlive a run: a program that goes on knows their numbers, and
/// the token and the certificate of the proxy.
final class KeptPorts: KeptPart {
  let listener: Listener
  let proxy: Proxy?
  private let settings: UpstreamSettings

  /// Opens the port, and the proxy if there are hosts.
  ///
  /// - Throws: `ListenerError`.
  init(_ settings: UpstreamSettings, _ news: ListenerNews) throws(ListenerError) {
    self.settings = settings
    let clients = settings.anyone == true ? ListenerClients.anyone : .ownUser
    listener = try Listener(port: settings.port, clients: clients, refused: news.refused)
    proxy = settings.hosts.isEmpty ? nil : try Proxy(news)
  }

  /// The ports for another run, or nil after their end if it has other settings.
  ///
  /// - Throws: `ListenerError` if something else has a port that a step closed.
  func renewed(
    _ settings: UpstreamSettings, _ news: ListenerNews
  ) async throws(ListenerError) -> KeptPorts? {
    guard settings == self.settings else {
      await end()
      return nil
    }
    try listener.accept()
    listener.renew(news)
    proxy?.listener.renew(news)
    return self
  }

  /// Lets requests be reset until another run takes the ports.
  func rest() {
    listener.rest()
    proxy?.listener.rest()
  }

  /// Ends all connections, closes the ports, and removes the certificates.
  func end() async {
    await listener.close()
    await proxy?.close()
  }
}
