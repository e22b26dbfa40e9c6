import Foundation
import TestKit
import Testing

/// Programs of several kinds in front of an upstream: clients, runners of tests, and refused ports.
@Suite(.serialized) struct UpstreamProgramTests {
  private static func scenario(_ steps: String) -> String {
    """
    flow: 1
    components:
      up: {plugin: upstream, live: true}
      programs: {plugin: process, live: true}
    steps:
      - {id: up, uses: up.address}

    """ + steps
  }

  private static func run(_ steps: String, _ files: [String: String] = [:]) async throws
    -> BuiltProgram
  {
    let folder = try TemporaryFolder()
    try folder.write(scenario(steps), to: "scenario.yaml")
    for (name, text) in files { try folder.write(text, to: name) }
    return try await BuiltProgram.run("flow", ["run", "scenario.yaml", "--quiet"], in: folder)
  }

  private static let tests = """
    import os, unittest, urllib.request
    class Tests(unittest.TestCase):
        def test(self):
            try:
                text = urllib.request.urlopen(os.environ["URL"] + "PATH").read()
            except Exception:
                text = b"a"
            self.assertEqual(text, b"EXPECTED")
    unittest.main()

    """

  @Test(arguments: [
    ("/a", "a", ""),
    (
      "/a", "b",
      "scenario.yaml:10:14: error: 'programs.run#1' did not answer as expected [F2001]\n"
    ),
    ("/b", "a", "scenario.yaml:8:5: error: 'up' notes the error 'unanswered': nothing answers "),
  ]) func `the exit code of a runner of tests counts, and a miss that it swallows fails`(
    _ path: String, _ text: String, _ report: String
  ) async throws {
    let run = try await Self.run(
      """
        - {uses: up.stub, with: {path: /a, answer: {text: a}}}
        - uses: programs.run
          with: {argv: [python3, tests.py], env: {URL: "${{ steps.up.url }}", no_proxy: "*"}}
          expect: {status: 0}

      """,
      ["tests.py": Self.tests.replacing("PATH", with: path).replacing("EXPECTED", with: text)])

    #expect(run.code == (report.isEmpty ? 0 : 1))
    #expect(run.errors.hasPrefix(report), "\(run.errors)")
  }

  @Test func `a refused port is refused for its program until it accepts`() async throws {
    let run = try await Self.run(
      """
        - {uses: up.stub, with: {path: /a, answer: {text: a}}}
        - {uses: up.refuse}
        - uses: programs.run
          with: {argv: [python3, ask.py], env: {PORT: "${{ string(steps.up.port) }}"}}
          expect: {stdout: "ECONNREFUSED\\n"}
        - {uses: up.accept}
        - uses: programs.run
          with: {argv: [python3, ask.py], env: {PORT: "${{ string(steps.up.port) }}"}}
          expect: {stdout: "200\\n"}

      """,
      [
        "ask.py": """
        import errno, http.client, os
        connection = http.client.HTTPConnection("127.0.0.1", int(os.environ["PORT"]))
        try:
            connection.request("GET", "/a")
            print(connection.getresponse().status)
        except OSError as error:
            print(errno.errorcode[error.errno])

        """
      ])

    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  private static let clients = [
    "curl": "curl -s $URL/a",
    "Python": """
    python3 -c "from urllib.request import urlopen; print(urlopen('$URL/a').read().decode(), end='')"
    """,
    "Node": #"node -e "fetch('$URL/a').then(a => a.text()).then(t => process.stdout.write(t))""#,
  ]

  @Test(arguments: ["curl", "Python", "Node"])
  func `the address works for each client`(_ client: String) async throws {
    if client == "Node", (try? ChildProcess("/usr/bin/env", ["node", "-v"]).ending().code) != 0 {
      return
    }
    let run = try await Self.run(
      """
        - {uses: up.stub, with: {path: /a, answer: {text: a}}}
        - uses: programs.run
          with: {argv: [sh, client.sh], env: {URL: "${{ steps.up.url }}", no_proxy: "*"}}
          expect: {stdout: a}

      """, ["client.sh": Self.clients[client] ?? ""])

    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  /// Sends 10,000 requests, 64 at once, and looks at the memory of the program that started it.
  private static let load = """
    import http.client, os, threading

    def resident():
        try:
            with open(f"/proc/{os.getppid()}/statm") as file: return int(file.read().split()[1]) * 4096
        except FileNotFoundError:
            return 0

    done = []
    def work(numbers):
        connection = http.client.HTTPConnection("127.0.0.1", int(os.environ["PORT"]))
        for number in numbers:
            connection.request("GET", f"/{number}")
            if connection.getresponse().read() == b"a": done.append(number)
    def send(first, last):
        threads = [
            threading.Thread(target=work, args=(range(first + number, last, 64),))
            for number in range(64)
        ]
        for thread in threads: thread.start()
        for thread in threads: thread.join()

    send(0, 3000)
    before = resident()
    send(3000, 10000)
    growth = resident() - before
    print(len(set(done)), "flat" if growth < 24 << 20 else f"{growth >> 20} MiB more")

    """

  @Test func `the memory for 10,000 requests, 64 at once, is that for 3,000`() async throws {
    let run = try await Self.run(
      """
        - {uses: up.stub, with: {path: "/*", answer: {text: a}}}
        - uses: programs.run
          with: {argv: [python3, load.py], env: {PORT: "${{ string(steps.up.port) }}"}}
          expect: {stdout: "10000 flat\\n"}

      """, ["load.py": Self.load])

    #expect(run.errors == "")
    #expect(run.code == 0)
  }
}
