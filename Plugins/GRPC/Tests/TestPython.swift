import FlowCore
import TestKit

/// Python with the packages of gRPC, or nil if they are not installed.
enum TestPython {
  static let path = Python.having("grpc_tools")
  static let absence = "not run: no python3 with grpcio-tools (Scripts/prepare --tests)"
  static let folder = ProjectFiles.root + "/Plugins/GRPC/Tests"

  /// Runs a script of this folder to its end.
  static func run(_ script: String, _ arguments: String...) throws -> ChildProcess.Ending {
    try ChildProcess(path ?? "", ["\(folder)/\(script)"] + arguments, in: folder).ending()
  }
}

/// The server of the interoperability tests in Python.
final class TestServer: Sendable {
  let process: ChildProcess
  let port: Int

  init(_ arguments: String...) throws {
    process = try ChildProcess(
      TestPython.path ?? "", ["\(TestPython.folder)/server.py"] + arguments,
      in: TestPython.folder, hasInput: true)
    port = Int(process.firstLine()) ?? 0
  }

  var address: String { "http://127.0.0.1:\(port)" }
}
