import FlowCore
import Foundation
import PluginHarness
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private typealias FlowDecimal = FlowCore.Decimal

/// The example server, with a balance of 100.00 in a file of a folder.
final class ShopServer: Sendable {
  let port: Int
  private let folder: TemporaryFolder
  private let process: Mutex<Process>

  var url: String { "http://127.0.0.1:\(port)" }

  init(in folder: TemporaryFolder, port: Int = 0) throws {
    self.folder = folder
    let (process, port) = try Self.start(in: folder, port: port)
    self.port = port
    self.process = Mutex(process)
  }

  deinit { kill() }

  func kill() {
    process.withLock { process in
      guard process.isRunning else { return }
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// Begins anew, with a balance of 100.00, at the same port.
  func restart() throws {
    kill()
    try folder.remove("shop.sqlite")
    let (process, _) = try Self.start(in: folder, port: port)
    self.process.withLock { $0 = process }
  }

  private static func start(in folder: TemporaryFolder, port: Int) throws -> (Process, port: Int) {
    let process = Process()
    process.executableURL = BuiltProgram.url("shop-server")
    process.arguments = [
      "--port", "\(port)", "--data", folder.path("shop.sqlite"), "--opening", "100.00",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let text = line.split(separator: ":").last?.filter(\.isNumber) ?? ""
    return (process, try #require(Int(text), "\(line)"))
  }

  func balance() async throws -> String {
    let url = try #require(URL(string: "\(url)/balance"))
    let (data, _) = try await URLSession.shared.data(from: url)
    let answer = String(decoding: data, as: UTF8.self)
    // {"balance":"100.00"}
    return String(try #require(answer.split(separator: "\"").dropFirst(3).first))
  }

  /// Waits until so much is left, or less.
  func waits(for text: String) async throws {
    let limit = try #require(FlowDecimal(text))
    while let now = FlowDecimal(try await balance()), now > limit { await Task.yield() }
  }
}
