import Foundation
import TestKit
import Testing

/// The services of `Examples/`, which run without their upstreams.
@Suite struct ServiceExampleTests {
  private static let environment = ["FLOW_SECRET_TOKEN": "a-token-for-payments"]

  @Test func `a sound service passes without its upstreams, five times`() async throws {
    let folder = try Self.copy(of: "orders")

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

  @Test(arguments: PlantedFault.all) func `a fault in a service is reported with its request`(
    _ fault: PlantedFault
  ) async throws {
    let folder = try Self.copy(of: "orders")
    let service = try folder.text("service.py").replacing(
      existing: fault.text, with: fault.replacement)
    try folder.write("import threading\nimport time\nknown = {}\n" + service, to: "service.py")

    let run = try await BuiltProgram.run(
      "flow", ["test", "orders.yaml"], in: folder, environment: Self.environment)

    #expect(run.code == 1)
    #expect(run.errors.requests.hasPrefix(fault.report), "\(run.errors)")
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
    let folder = try copy(of: name)

    let run = try await BuiltProgram.run(
      "flow", ["test", "."], in: folder, environment: ["CI": "true"])

    #expect(run.errors == "")
    #expect(
      run.output.withoutDurations.hasPrefix("passed   \(name).yaml  (live: \(live), T)\n"),
      "\(run.output)")
  }

  private static func copy(of name: String) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    let folder = Example.folder.appending(path: name)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where ![".venv", ".flow", "__pycache__"].contains(file) {
      try FileManager.default.copyItem(
        at: folder.appending(path: file), to: URL(filePath: copy.path(file)))
    }
    if Example.hasPackages(name) {
      try copy.link(".venv", to: folder.appending(path: ".venv").path)
    }
    return copy
  }
}

extension Example {
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
