import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import MCPPlugin

/// A server that ends by itself after its answer.
@Suite struct EndedServerTests {
  /// The first call ends its server after the answer, and the second one waits for that end.
  private static let server = TestServer(
    call: """
      first = os.path.join(here, "first")
      if not os.path.exists(first):
          open(first, "w").write(str(os.getpid()))
          send({"id": id, "result": text("done", **({"resultType": "complete"} if MODERN else {}))})
          sys.stderr.write("out of luck\\n"); sys.stderr.flush()
          os._exit(3)
      while True:
          try: os.kill(int(open(first).read()), 0)
          except ProcessLookupError: return text("done")
      """)

  private static func project(_ further: String = "") throws -> ServerProject {
    try ServerProject(
      server, steps: "  - {id: first, uses: it.act}\n  - uses: other.act\n" + further,
      settings: "}, other: {plugin: test")
  }

  @Test func `an end that no step asks for fails the step during which it came`() async throws {
    let project = try Self.project()
    _ = try await project.lock()

    let run = try await project.flow("run", "@/s.yaml", "--quiet")

    // It ends after the answer to the first step, when the second one may have begun.
    let places = ["@/s.yaml:4:5", "@/s.yaml:5:5"]
    let text =
      ": error: 'it' notes the error 'unavailable': the server ended with status 3, and no step "
      + "asked for its end; its last lines: 'out of luck' [F2011]"
    let line = String(run.errors.prefix { $0 != "\n" })
    #expect(places.map { $0 + text }.contains(line), "\(run.errors)")
    #expect(run.code == .failed)
    #expect(project.living == [])
  }

  @Test func `a step that asks for the end of a server makes it an expected one`() async throws {
    let project = try Self.project("  - {uses: it.act, expect: {error: unavailable}}\n")
    _ = try await project.lock()

    let run = try await project.flow("run", "@/s.yaml", "--quiet")

    #expect(run.errors == "")
    #expect(run.code == .passed)
  }
}
