import Foundation
import TestKit
import Testing

#if os(Linux)
  /// Programs left by a killed run.
  @Suite struct OrphanTests {
    /// A program that listens, and one that ends a job in the middle of the run.
    private static func scenario(port: Int, restarts: Bool) -> String {
      """
      flow: 1
      components:
        job: {plugin: process}
        server: {plugin: process, with: {restart: \(restarts)}}
      steps:
        - uses: server.start
          with: {name: web, argv: [python3, listen.py, "\(port)"]}
        - uses: \(restarts ? "server.wait_for" : "job.run")
          with: \(restarts ? "{name: web, port: \(port)}" : "{argv: ['read line <up'], shell: true}")
          timeout: 5m
        - uses: job.run
          with: {argv: ["echo done >> effects"], shell: true}
        - wait: 1s
        - uses: job.run
          with: {argv: [cat, effects]}
          expect: {stdout: "done\\n"}

      """
    }

    private static let listen = """
      import os, socket, sys
      s = socket.socket()
      s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      s.bind(("127.0.0.1", int(sys.argv[1])))
      s.listen()
      with open("pid", "w") as file: file.write(str(os.getpid()))
      os.write(os.open("up", os.O_RDWR), b"\\n")
      while True: s.accept()[0].close()

      """

    private func killed(restarts: Bool) async throws -> (folder: TemporaryFolder, orphan: Int32) {
      let folder = try TemporaryFolder()
      try folder.write(Self.scenario(port: try freePort(), restarts: restarts), to: "s.yaml")
      try folder.write(Self.listen, to: "listen.py")
      try folder.makePipe("up")
      // The header, two components, and the first three calls with their answers.
      let run = try await BuiltProgram.run(
        "flow", ["run", "s.yaml", "--journal", "journal"], in: folder, killedAt: 11)
      try #require(run.wasKilled, "\(run.errors)")
      return (folder, try #require(Int32(try folder.text("pid"))))
    }

    private func isRunning(_ number: Int32) -> Bool {
      let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
      guard let status, let name = status.lastIndex(of: ")") else { return false }
      return !status[name...].hasPrefix(") Z")
    }

    @Test func `a resumed run ends the server of the killed one, and starts it again`()
      async throws
    {
      let (folder, orphan) = try await killed(restarts: true)
      #expect(isRunning(orphan))

      let run = try await BuiltProgram.run("flow", ["resume", "journal"], in: folder)

      #expect(run.code == 0, "\(run.errors)")
      let line =
        "components/server#1: ended a program that the killed process of this run left running: python3, pid \(orphan)"
      #expect(run.output.contains(line), "\(run.output)")
      #expect(try folder.text("effects") == "done\n")
      #expect(!isRunning(orphan))
      #expect(!isRunning(try #require(Int32(try folder.text("pid")))))
    }

    @Test func `a server whose calls are served goes on until the end of the resumed run`()
      async throws
    {
      let (folder, orphan) = try await killed(restarts: false)
      #expect(isRunning(orphan))

      let run = try await BuiltProgram.run("flow", ["resume", "journal"], in: folder)

      #expect(run.code == 0, "\(run.errors)")
      #expect(try folder.text("pid") == "\(orphan)")
      #expect(!isRunning(orphan))
    }

    @Test func `a program of a call that is made again is ended first`() async throws {
      let folder = try TemporaryFolder()
      try folder.makeHeldPipe("held")
      // It waits until it is noted, then kills flow. No event tells when that is.
      try folder.write(
        """
        test -e pid && exit
        echo $$ > pid
        until grep -qsa "^$$ " /tmp/flow-programs-$(id -u)/*; do sleep 0.1; done
        kill -9 $PPID
        exec cat held

        """, to: "work.sh")
      try folder.write(
        """
        flow: 1
        components: {job: {plugin: process}}
        steps: [{uses: job.run, with: {argv: [sh, work.sh]}, timeout: 5m, expect: {status: 0}}]

        """, to: "s.yaml")
      let killed = try await BuiltProgram.run(
        "flow", ["run", "s.yaml", "--journal", "journal"], in: folder)
      #expect(killed.code == 137)
      let orphan = try #require(Int32(try folder.text("pid").dropLast()))
      #expect(isRunning(orphan))

      let run = try await BuiltProgram.run(
        "flow", ["resume", "journal", "--retry-unknown"], in: folder)

      #expect(run.code == 0, "\(run.errors)")
      let line =
        "job.run#1: ended a program that the killed process of this run left running: cat, pid \(orphan)"
      #expect(run.output.contains(line), "\(run.output)")
      #expect(!isRunning(orphan))
    }

    @Test func `another run ends nothing, and says who has the port`() async throws {
      let (folder, orphan) = try await killed(restarts: true)

      let run = try await BuiltProgram.run("flow", ["run", "s.yaml"], in: folder)

      #expect(run.code == 1)
      #expect(run.errors.contains("is taken by another program (python3, pid \(orphan))"))
      #expect(isRunning(orphan))
      kill(orphan, SIGKILL)
    }

    @Test func `a process that has the number of an orphan by now is left alone`() async throws {
      let (folder, orphan) = try await killed(restarts: true)
      let notes = URL(filePath: "/tmp/flow-programs-\(geteuid())")
      let files = try FileManager.default.contentsOfDirectory(atPath: notes.path)
      let file = try #require(
        files.map { notes.appending(path: $0) }.first {
          (try? String(contentsOf: $0, encoding: .utf8))?.hasPrefix("\(orphan) ") == true
        })
      // As if the noted process had been started a tick earlier.
      var parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: " ")
      parts[1] = String(try #require(Int(parts[1])) - 1)
      // In place: the lines keep their length, unless a digit less is left.
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: Array(parts.joined(separator: " ").utf8))
      try handle.close()

      let run = try await BuiltProgram.run("flow", ["resume", "journal"], in: folder)

      #expect(run.code != 0)
      #expect(!run.output.contains("ended what"))
      #expect(run.errors.contains("is taken by another program (python3, pid \(orphan))"))
      #expect(isRunning(orphan))
      kill(orphan, SIGKILL)
    }
  }
#endif
