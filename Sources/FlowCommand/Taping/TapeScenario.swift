internal import FlowCore
internal import FlowSystem

/// The scenario of a tape, as it is written for a command.
enum TapeScenario {
  /// The input with the command.
  static let command = "command"
  /// The component that passes requests on to the servers.
  static let servers = "servers"

  /// The text of a scenario for a command and its arguments.
  ///
  /// It reaches the hosts `direct` without flow, and starts `flow stand-in` in place of the servers
  /// `mcp` of the project.
  static func text(
    of command: [String], direct: [String] = [], mcp: [String] = []
  ) -> String {
    let hosts = direct.isEmpty ? "" : ", direct: [\(direct.map(quoted).joined(separator: ", "))]"
    return """
      # Written by 'flow tape'. 'flow tape -- COMMAND' and 'flow test' run it on the recorded answers of the
      # servers that the command asks.
      flow: 1
      name: \(quoted(command.joined(separator: " ")))
      inputs:
        \(self.command):
          type: list(string)
          default: [\(command.map(quoted).joined(separator: ", "))]
      components:
        # The preset knows what varies and what is used in requests to APIs of models, by their hosts.
        \(servers): {plugin: http, with: {preset: by-host}}
        proxy:
          plugin: upstream
          live: true
          using: {server: \(servers)}
          with: {hosts: {"*": server}\(hosts)}
          # Which of several threads asks first is chance. Equal requests keep their order in any case.
          varies: {server.exchange: {order: any}}
      \(components(of: mcp))  programs: {plugin: process, live: true}
      steps:
      \(mcp.isEmpty ? "" : standIn)  - id: proxy
          uses: proxy.environment
      \(mcp.isEmpty ? "" : standInVariables)\
        - id: command
          uses: programs.run
          with:
            argv: ${{ inputs.\(self.command) }}
            env: ${{ steps.proxy.variables }}
            foreground: true
          volatile: [stdout, stderr]
          expect: {status: 0}

      """
  }

  /// The components of MCP servers, and the one that answers in their place.
  private static func components(of servers: [String]) -> String {
    if servers.isEmpty { return "" }
    let components = servers.map { "  \(component($0)): {plugin: \(quoted($0))}\n" }
    let roles = servers.map { "\(quoted($0)): \(component($0))" }.joined(separator: ", ")
    return components.joined()
      + "  # The command starts 'flow stand-in NAME' in place of each server.\n"
      + "  stand_in: {plugin: stand-in, live: true, using: {\(roles)}}\n"
  }

  /// The name of a component for a server, whose own name may be that of another component.
  private static func component(_ server: String) -> String {
    "mcp_" + server.replacing("-", with: "_")
  }

  private static let standIn = "  - id: stand_in\n    uses: stand_in.environment\n"
  private static let standInVariables =
    "    with: {add: \"${{ steps.stand_in.variables }}\"}\n"

  /// A text in double quotes, as JSON and YAML read it.
  private static func quoted(_ text: String) -> String { JSON.string(text).text }
}
