import TestKit
import Testing

/// What a run shows of programs that were started.
@Suite struct StartedProgramTests {
  @Test func `a wait that fails shows what the program wrote last`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: process}}
      steps:
        - uses: p.start
          with: {name: server, argv: ["seq 5; echo 'address in use' >&2; exit 98"], shell: true}
        - {uses: p.wait_for, with: {name: server, line: ready}}

      """, to: "s.yaml")

    let run = try await FlowRun("run", folder.path("s.yaml"))

    let lines = run.output.split(separator: "\n").filter { $0.contains(" wrote: ") }
    #expect(
      lines == ["3", "4", "5", "address in use"].map { "    p.wait_for#1: 'server' wrote: \($0)" })
    #expect(run.errors.contains("'server' ended with status 98 before it wrote 'ready'"))
  }

  @Test func `a program whose time is over shows what it wrote last`() async throws {
    let folder = try TemporaryFolder()
    try folder.makeHeldPipe("held")
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: process}}
      steps:
        - uses: p.run
          with: {argv: ["echo linking; echo 'waiting for a lock' >&2; cat held"], shell: true}
          timeout: 1s

      """, to: "s.yaml")

    let run = try await FlowRun("run", folder.path("s.yaml"))

    let lines = run.output.split(separator: "\n").filter { $0.contains(" wrote: ") }
    #expect(
      lines == ["linking", "waiting for a lock"].map { "    p.run#1: 'sh' wrote: \($0)" })
    #expect(run.errors.contains("'p.run#1' did not end within 1s"))
  }

  @Test func `with -v the lines of a program come as they are written, and only once`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.makeHeldPipe("held")
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: process}}
      steps:
        - uses: p.run
          with: {argv: ["printf 'linking\\\\n\\\\033[2Jwaiting'; cat held"], shell: true}
          timeout: 1s

      """, to: "s.yaml")

    let run = try await FlowRun("run", "-v", folder.path("s.yaml"))

    let lines = run.output.split(separator: "\n").filter { $0.contains(" | ") }
    #expect(lines == ["    p.run#1 | linking", #"    p.run#1 | \u{1b}[2Jwaiting"#])
    #expect(!run.output.contains(" wrote: "))
  }

  @Test func `a word that was meant for a shell is noticed`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: process}}
      steps:
        - uses: p.run
          with: {argv: [echo, one, ">", two]}

      """, to: "s.yaml")

    let run = try await FlowRun("run", folder.path("s.yaml"))

    #expect(
      run.output.contains(
        "p.run#1: 'echo' got the word '>' unchanged; a shell interprets it only with 'shell: true'")
    )
  }
}
