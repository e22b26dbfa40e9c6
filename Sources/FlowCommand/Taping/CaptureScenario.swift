internal import FlowCore
internal import FlowSystem

/// The scenarios of a capture: one that passes requests on, and one of the captured requests.
struct CaptureScenario {
  /// The component that people and browsers send requests to.
  static let front = "visitors"
  /// The component of the service in captured requests.
  static let service = "api"

  /// The port for people and browsers.
  let port: Int
  /// The address of the service.
  let service: String
  /// The command that starts it, empty for one that runs already.
  let command: [String]

  /// The scenario that passes requests on until it is cancelled.
  var waiting: String {
    """
    flow: 1
    components:
      service: {plugin: http, with: {base: \(quoted(service)), follow: false}}
      \(Self.front):
        plugin: upstream
        using: {server: service}
        with: {port: \(port), drop: \(Self.conditions)}
    \(components(hasUpstreams: true))steps:
    \(start(hasUpstreams: true))  - uses: \(Self.front).address
      - wait: 1000h

    """
  }

  /// The headers by which a browser asks only for what it does not have, or says that it has nothing.
  private static let conditions =
    "[if-none-match, if-modified-since, cache-control, pragma, accept-language, dnt]"

  /// Returns a scenario of captured requests with the start of the service before them.
  func completed(_ steps: String, hasUpstreams: Bool) -> String {
    "# Written by 'flow tape --listen' from the use of a service.\n"
      + steps.replacing(
        "\ncomponents:\n", with: "\ncomponents:\n" + components(hasUpstreams: hasUpstreams)
      )
      .replacing("\nsteps:\n", with: "\nsteps:\n" + start(hasUpstreams: hasUpstreams))
  }

  private func components(hasUpstreams: Bool) -> String {
    if command.isEmpty { return "" }
    let upstreams = """
        servers: {plugin: http}
        proxy: {plugin: upstream, live: true, using: {server: servers}, with: {hosts: {"*": server}}}

      """
    return (hasUpstreams ? upstreams : "") + "  programs: {plugin: process, live: true}\n"
  }

  private func start(hasUpstreams: Bool) -> String {
    if command.isEmpty { return "" }
    let environment = hasUpstreams ? ", env: \"${{ steps.proxy.variables }}\"" : ""
    return (hasUpstreams ? "  - {id: proxy, uses: proxy.environment}\n" : "") + """
        - name: The service starts
          uses: programs.start
          with: {name: service, argv: [\(command.map(quoted).joined(separator: ", "))]\(environment)}
        - uses: programs.wait_for
          with: {name: service, url: \(quoted(service))}
          timeout: 60s

      """
  }

  private func quoted(_ text: String) -> String { JSON.string(text).text }
}
