import FlowCore
import Foundation
import TestKit
import Testing

/// Plugins in other languages, created by `flow new plugin`.
@Suite struct NewServerTests {
  struct Language: Sendable, CustomTestStringConvertible {
    let name: String
    let interpreter: String
    let file: String
    var testDescription: String { name }
  }

  private static let languages = [
    Language(name: "python", interpreter: "python3", file: "server.py"),
    Language(name: "javascript", interpreter: "node", file: "server.mjs"),
  ].filter { PluginProgram.has($0.interpreter) }

  @Test(
    .enabled(if: !languages.isEmpty, "neither Python nor Node is installed"), arguments: languages)
  func `a new plugin is described, recorded, replayed and checked`(
    _ language: Language
  ) async throws {
    let outside = PluginProgram(in: try TemporaryFolder())
    let new = try await outside.flow("new", "plugin", "weather", "--language", language.name)
    let command = "cd weather && \"$0\" plugin lock && \"$0\" run weather.yaml --record"

    #expect(
      new.output == """
        wrote weather/\(language.file)
        wrote weather/weather.yaml
        wrote weather/flow.yaml

        next, in weather:
          flow plugin lock weather        describes the program in flow.lock
          flow run weather.yaml --record  runs the scenario, and records it
          flow test weather.yaml          replays it, without the program
          flow contract weather           runs the checks of components
          \(language.file.padded(to: 32))is the program, to be changed

        """, "\(new.errors)")
    let recorded = try Self.shell(command, in: outside.folder)
    #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
    let contract = try Self.shell("cd weather && \"$0\" contract weather", in: outside.folder)
    #expect(contract.output.hasSuffix("every rule holds: 1 operation\n"), "\(contract.output)")
    try outside.folder.write("broken(\n", to: "weather/\(language.file)")
    let replayed = try Self.shell("cd weather && \"$0\" test", in: outside.folder)
    #expect(replayed.code == 0, "\(replayed.output)\(replayed.errors)")
    let live = try Self.shell("cd weather && \"$0\" run weather.yaml", in: outside.folder)
    #expect(live.code == 1, "\(live.output)\(live.errors)")
  }

  @Test func `inside of a project the line to add is printed`() async throws {
    let program = PluginProgram(in: try TemporaryFolder())
    try program.folder.write("flow: 1\n", to: "flow.yaml")

    let run = try await program.flow(
      "new", "plugin", "tide", "my tools/tide", "--language", "python")

    #expect(
      run.output == """
        wrote my tools/tide/server.py
        wrote my tools/tide/tide.yaml

        add to 'plugins' of flow.yaml:
          tide: {mcp: [python3, "my tools/tide/server.py"], state: memory}

        next, in .:
          flow plugin lock tide                        describes the program in flow.lock
          flow run 'my tools/tide/tide.yaml' --record  runs the scenario, and records it
          flow test 'my tools/tide/tide.yaml'          replays it, without the program
          flow contract tide                           runs the checks of components
          my tools/tide/server.py                      is the program, to be changed

        """, "\(run.errors)")
    #expect(try program.folder.text("flow.yaml") == "flow: 1\n")
    #expect(run.code == 0)
  }

  @Test(arguments: [
    (["http"], "'http' cannot be the name of a plugin: it is the name of a plugin of this flow"),
    (
      ["a-b"],
      "'a-b' cannot be the name of a plugin: it must start with a lower-case letter and have only letters, digits and '_'"
    ),
    (["true"], "'true' cannot be the name of a plugin: YAML may read it as a value, not as a name"),
    (["a", "--flow", "."], "'--flow' cannot be combined with '--language'"),
  ])
  func `an unusable name or option is refused`(_ arguments: [String], _ problem: String)
    async throws
  {
    let program = PluginProgram(in: try TemporaryFolder())

    let run = try await program.flow(["new", "plugin", "--language", "python"] + arguments)

    #expect(run.errors == "flow: \(problem)\nsee 'flow help new'\n")
    #expect(run.code == 64)
    #expect(try program.folder.names == [])
  }

  @Test func `nothing is overwritten`() async throws {
    let program = PluginProgram(in: try TemporaryFolder())
    try program.folder.write("mine\n", to: "tide/server.mjs")

    let run = try await program.flow("new", "plugin", "tide", "--language", "javascript")

    #expect(run.errors == "flow: 'tide/server.mjs' already exists; nothing was written\n")
    #expect(try program.folder.names(in: "tide") == ["server.mjs"])
    #expect(run.code == 73)
  }

  private static func shell(
    _ line: String, in folder: TemporaryFolder
  ) throws -> ChildProcess.Ending {
    try ChildProcess(
      "/bin/sh", ["-c", line, BuiltProgram.url("flow").path], in: folder.directory.path
    ).ending()
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
