import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import ProcessPlugin

#if os(Linux)
  /// Who listens on a port that is waited for.
  @Suite struct PortTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeHeldPipe("held")
    }

    /// Listens on an address and a port, 0 for a free one, and prints the port.
    private static let listen = """
      import random, socket, sys
      def listen(address, port=0, shared=False):
        s = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        if shared: s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound = False
        while not bound:
          try:
            # Connections have ports below, any of which may be in use at another address.
            s.bind((address, port or random.randrange(61000, 65536)))
            bound = True
          except OSError:
            if port: raise
        s.listen()
        print(s.getsockname()[1], flush=True)
        return s

      """

    @Test func `a port that another program keeps is taken, and no connection is made to that`()
      async throws
    {
      let programs = try await open()
      let other = try listener(
        "s = listen('127.0.0.1')\ns.accept()\nprint('connected', flush=True)\nopen('held').read()")
      _ = await programs.text("start", ["name": "server", "argv": ["cat", "held"]])

      let answer = await programs.wait(["port": other.port])

      let holder = "another program (python3, pid \(other.process.processID))"
      #expect(
        answer == "taken: 'server' does not listen: port \(other.port) is taken by \(holder)")
      other.process.send(SIGKILL)
      #expect(!other.process.ending().output.contains("connected"))
      await programs.close()
    }

    @Test func `a program that shares its port with another one is not alone to be asked`()
      async throws
    {
      let programs = try await open()
      let other = try listener("s = listen('127.0.0.1', 0, True)\nopen('held').read()")
      try await start(
        "s = listen('127.0.0.1', \(other.port), True)\nopen('held').read()", in: programs)

      let answer = await programs.wait(["port": other.port])

      #expect(answer.hasPrefix("taken: 'server' does not listen: port \(other.port) is taken by "))
      #expect(await programs.wait(["port": other.port, "anyone": true]) == "{line: null}")
      await programs.close()
    }

    @Test(arguments: [
      // A child in the session, one with a session of its own, and one whose parent has ended.
      "if os.fork() == 0: serve()",
      "if os.fork() == 0:\n  os.setsid()\n  serve()",
      "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: serve()\n  os._exit(0)",
      // A daemon, whose program ends.
      "if os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nserve()",
    ])
    func `what a program has started may have the port`(_ program: String) async throws {
      let programs = try await open()
      let serve = """
        import os
        def serve():
          s = listen("127.0.0.1")
          print(os.getpid(), flush=True)
          open('held').read()

        """
      let port = try await start(serve + program + "\nopen('held').read()", in: programs)

      #expect(await programs.wait(["port": port]) == "{line: null}")
      // What has left the group is not stopped.
      let stopped = "\(try await programs.call("stop", ["name": "server"]))"
      let daemon = try #require(
        stopped.split { !$0.isNumber }.compactMap { Int32($0) }.dropFirst(2).first)
      Running.kill(daemon)
    }

    @Test func `another program at an address that is not asked has not taken the port`()
      async throws
    {
      let programs = try await open()
      let other = try listener("s = listen('127.0.0.7')\nopen('held').read()")
      let four = try listener("s = listen('127.0.0.1')\nopen('held').read()")
      try await start("s = listen('127.0.0.1', \(other.port))\nopen('held').read()", in: programs)
      #expect(await programs.wait(["port": other.port]) == "{line: null}")

      let six = """
        s = listen("::1", \(four.port))
        while True:
          c = s.accept()[0]
          c.recv(999)
          c.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
          c.close()
        """
      try await start(six, as: "six", in: programs)
      let url = "http://[::1]:\(four.port)/"
      #expect(await programs.text("wait_for", ["name": "six", "url": url]) == "{line: null}")
      let answer = await programs.text("wait_for", ["name": "six", "port": four.port])
      #expect(answer.hasPrefix("taken: 'six' does not listen: "))
      await programs.close()
    }

    @Test func `a wait for a line says nothing of who has a port`() async throws {
      let programs = try await open()
      _ = await programs.text("start", ["name": "server", "argv": ["cat", "held"]])

      #expect(
        await programs.wait(["line": "x", "anyone": true])
          == "invalid: 'anyone' needs 'port' or 'url'")
      await programs.close()
    }

    private func open() async throws -> OpenComponent {
      try await OpenComponent(Processes.self, in: folder.directory.path)
    }

    /// A program beside the component, and the port on which it listens.
    private func listener(_ program: String) throws -> (process: ChildProcess, port: Int) {
      let process = try ChildProcess(
        "/usr/bin/env", ["python3", "-c", Self.listen + program], in: folder.directory.path)
      let line = process.firstLine()
      return (process, try #require(Int(line)))
    }

    /// Starts a program in the component; the port that it prints.
    @discardableResult
    private func start(
      _ program: String, as name: String = "server", in programs: OpenComponent
    ) async throws -> Int {
      let argv = ["python3", "-c", Self.listen + program]
      _ = await programs.text("start", ["name": name, "argv": argv])
      let line = try await programs.call("wait_for", ["name": name, "line": ""])
      return try #require(Int("\(line)".filter(\.isNumber)))
    }
  }
#endif
