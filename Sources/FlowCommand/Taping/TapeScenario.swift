internal import FlowCore
internal import FlowSystem

/// The scenario of a tape, as it is written for a command.
enum TapeScenario {
  /// The input with the command.
  static let command = "command"
  /// The component that passes requests on to the servers.
  static let servers = "servers"

  /// The text of a scenario for a command and its arguments, which reaches some hosts without flow.
  static func text(of command: [String], direct: [String] = []) -> String {
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
        programs: {plugin: process, live: true}
      steps:
        - id: proxy
          uses: proxy.environment
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

  /// A text in double quotes, as JSON and YAML read it.
  private static func quoted(_ text: String) -> String { JSON.string(text).text }
}
