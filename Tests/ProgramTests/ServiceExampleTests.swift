import FlowCore
import Foundation
import TestKit
import Testing

/// The services of `Examples/`, which run without their upstreams.
@Suite(.serialized) struct ServiceExampleTests {
  private static let environment = ["FLOW_SECRET_TOKEN": "a-token-for-payments"]

  @Test func `a sound service passes without its upstreams, five times`() async throws {
    let folder = try Example.copy(of: "orders")

    let run = try await BuiltProgram.run(
      "flow", ["test", ".", "--repeat", "5"], in: folder, environment: Self.environment)

    #expect(run.errors == "")
    #expect(run.code == 0)
    #expect(
      run.output.withoutDurations.hasSuffix(
        """
        passed in T: scenarios 2 passed
        replayed: payments_api, stock_api; live: api, payments, service, stock

        """), "\(run.output)")
  }

  @Test func `a service is recorded with its upstreams, and passes without them`() async throws {
    let folder = try Example.copy(of: "orders")
    let ports = [try freePort(), try freePort()]
    for name in ["orders", "outage"] {
      let upstreams = try ChildProcess(
        "/usr/bin/env", ["python3", "upstreams.py", "\(ports[0])", "\(ports[1])"],
        in: folder.directory.path)
      #expect(upstreams.firstLine() == "listening")

      let recorded = try await BuiltProgram.run(
        "flow",
        [
          "run", "\(name).yaml", "--record", "--quiet", "--input",
          "stock=http://127.0.0.1:\(ports[0])", "--input", "payments=http://127.0.0.1:\(ports[1])",
        ], in: folder, environment: Self.environment)
      upstreams.send(SIGKILL)

      #expect(recorded.errors == "")
      let stored = try Example.text("orders/\(name).transcript.jsonl")
      #expect(try Self.calls(in: folder.text("\(name).transcript.jsonl")) == Self.calls(in: stored))
    }
    let run = try await BuiltProgram.run(
      "flow", ["test", "."], in: folder, environment: Self.environment)

    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  /// The addresses of a transcript's calls.
  private static func calls(in text: String) -> [Substring] {
    text.matches(of: #/"at":"([^"]*)","invoke"/#).map(\.output.1)
  }

  @Test(arguments: PlantedFault.all) func `a fault in a service is reported with its request`(
    _ fault: PlantedFault
  ) async throws {
    let folder = try Example.copy(of: "orders")
    try folder.plant(fault.text, fault.replacement)

    let run = try await BuiltProgram.run(
      "flow", ["test", "orders.yaml"], in: folder, environment: Self.environment)

    #expect(run.code == 1)
    #expect(run.errors.requests.hasPrefix(fault.report), "\(run.errors)")
  }

  @Test func `requests recorded at the same time may follow each other in a mutation`()
    async throws
  {
    let run = try await BuiltProgram.run(
      "flow", ["mutate", "orders.yaml", "--limit", "1"], in: Example.copy(of: "orders"),
      environment: Self.environment)

    #expect(run.errors == "")
    #expect(run.output.hasPrefix("1 of 1 alterations were noticed, 100.0 %, in "), "\(run.output)")
  }

  @Test func `a service that crashes when an upstream is slow is found by exploring`() async throws
  {
    let folder = try Example.copy(of: "orders")
    try folder.plant(
      "        raise UpstreamError(str(error)) from error\n",
      """
              if isinstance(error, TimeoutError):
                  raise KeyError from error
              raise UpstreamError(str(error)) from error

      """)

    let run = try await BuiltProgram.run(
      "flow",
      [
        "explore", "outage.yaml", "--faults=stock_api", "--budget", "20",
        "--live=api,payments,service,stock",
      ], in: folder, environment: Self.environment)

    #expect(run.code == 1)
    let request = "components/stock#1/serve#1/server.exchange.GET-items-2#1"
    func reaction(_ status: Int, _ error: String) -> String {
      """
        the program did not repeat the call, and made no other call
        'order#1' ended with status \(status) instead of 201, json {error: "\(error)"} instead of \
      {order: 1, cents: 800, items: ["Mill"],…
      """
    }
    #expect(
      run.output.hasPrefix(
        """
        outage.yaml
        \(request): refused, passed
          step 'order#1' passed
        \(reaction(503, "try again later"))
        \(request): reset-before, passed
          step 'order#1' passed
        \(reaction(503, "try again later"))
        \(request): reset-after, passed
          step 'order#1' passed
        \(reaction(503, "try again later"))
        \(request): timeout, failed
          step 'order#1' failed
        \(reaction(500, "KeyError"))

        """), "\(run.output)")
  }

  @Test func `a status that a service does not look at is found by mutation`() async throws {
    let sound = try Example.copy(of: "orders")
    let faulty = try Example.copy(of: "orders")
    try faulty.plant(
      "    if status != 200:\n        raise UpstreamError(f\"reservation: {status}\")\n", "")

    for (folder, isFound) in [(sound, false), (faulty, true)] {
      let run = try await BuiltProgram.run(
        "flow", ["mutate", "outage.yaml", "--jobs", "4"], in: folder, environment: Self.environment)

      #expect(run.code == 0, "\(run.errors)")
      let line = "PUT-reservations-1#1 on line 33, ok.status: 200 -> 404 or 500\n"
      #expect(run.output.contains(line) == isFound, "\(run.output)")
    }
  }

  @Test(.enabled(if: Example.hasPackages("orders-fastapi"), "no packages of an example here"))
  func `a service with FastAPI passes without its upstreams`() async throws {
    try await Self.passes("orders-fastapi", "api, payments, service, stock")
  }

  @Test(.enabled(if: Example.hasPackages("package-index"), "no packages of an example here"))
  func `a service from PyPI passes without its upstream`() async throws {
    try await Self.passes("package-index", "cache, index, programs")
  }

  @Test(.enabled(if: Self.hasNode, "no Node here"))
  func `a service in Node passes without its upstreams`() async throws {
    try await Self.passes("orders-node", "api, payments, service, stock")
  }

  private static let hasNode =
    (try? ChildProcess("/usr/bin/env", ["node", "--version"]).ending().code) == 0

  /// Tests an example as on a server that builds.
  private static func passes(_ name: String, _ live: String) async throws {
    let folder = try Example.copy(of: name)

    let run = try await BuiltProgram.run(
      "flow", ["test", "."], in: folder, environment: ["CI": "true"])

    #expect(run.errors == "")
    #expect(
      run.output.withoutDurations.hasPrefix("passed   \(name).yaml  (live: \(live), T)\n"),
      "\(run.output)")
  }
}

extension TemporaryFolder {
  /// Changes the service of the orders.
  fileprivate func plant(_ text: String, _ replacement: String) throws {
    let service = try self.text("service.py").replacing(existing: text, with: replacement)
    try write("import threading\nimport time\nknown = {}\n" + service, to: "service.py")
  }
}

extension Example {
  /// A copy of the folder with its recordings, and with its packages of Python if they are there.
  static func copy(of name: String) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    let source = folder.appending(path: name)
    for file in try FileManager.default.contentsOfDirectory(atPath: source.path)
    where ![".venv", ".flow", "__pycache__"].contains(file) {
      try FileManager.default.copyItem(
        at: source.appending(path: file), to: URL(filePath: copy.path(file)))
    }
    if hasPackages(name) {
      try copy.link(".venv", to: source.appending(path: ".venv").path)
    }
    return copy
  }

  /// Returns true if the packages of an example in Python are in its `.venv`.
  static func hasPackages(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(
      atPath: folder.appending(path: "\(name)/.venv/bin/python").path)
  }
}

extension String {
  /// The first report, with its requests in short and without its place.
  fileprivate var requests: String {
    replacing(#/^orders\.yaml:\d+:\d+: error: /#, with: "")
      .replacing(#/'?components\/([a-z]+)#1\/serve#1\/server\.exchange\.([^' ]+)'/#) {
        "\($0.1)/\($0.2)"
      }
      .replacing(#/GET-items-[12]#1 is/#, with: "GET-items-*#1 is")
      .replacing("is not in the transcript [F3001]", with: "is unknown")
      .replacing(#/^the input of (.*) has changed \[F3003\]/#) { "\($0.1) has changed" }
      .replacing(" came before ", with: " before ")
      .replacing(
        #/^(\d) recorded calls? (was|were) never made \[F3006\]\n.*\n.*\n  note: line \d+: /#
      ) { "\($0.1) \($0.2) never made: " }
  }
}
