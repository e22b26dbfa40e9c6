import FlowCommand
import TestKit
import Testing

/// Steps that ask a started program again and again until it is ready.
@Suite(.serialized) struct PolledProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    let port = try freePort()
    folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components:
        programs: {plugin: process}
        api: {plugin: http, with: {base: "http://127.0.0.1:\(port)"}}
      steps:
        - uses: programs.start
          with:
            name: site
            argv: ["sleep $(cat pause) && exec python3 -m http.server \(port) --bind 127.0.0.1"]
            shell: true
        - {uses: api.get, with: {path: /page}, expect: {text: hello}, retry: {attempts: 600, backoff: 100ms}}
        - {uses: api.get, with: {path: /page}, expect: {status: 200}}
        - {uses: programs.stop, with: {name: site}}

      """, to: "site.yaml")
    try folder.write("hello", to: "page")
  }

  private func run(_ arguments: String..., pause: String) async throws -> FlowRun {
    try folder.write(pause, to: "pause")
    return try await FlowRun([arguments[0], folder.path("site.yaml")] + arguments.dropFirst())
  }

  @Test(arguments: ["0", "2"])
  func `the number of attempts depends on the time that a live program needs`(
    _ pause: String
  ) async throws {
    let recorded = try await run("run", "--record", pause: "0.7")
    #expect(recorded.errors == "")

    let live = try await run("test", "--live=programs,api", pause: pause)

    #expect(live.errors == "")
    #expect(live.code == .passed)
  }
}
