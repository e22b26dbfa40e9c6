import FlowCore
import Foundation
import TestKit
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private typealias FlowDecimal = FlowCore.Decimal

/// The example server, with a balance of 100.00 in a file of a folder.
final class ShopServer: Sendable {
  let port: Int
  private let process: ChildProcess

  var url: String { "http://127.0.0.1:\(port)" }

  init(in folder: TemporaryFolder, port: Int = 0, _ arguments: [String] = []) throws {
    process = try ChildProcess(
      BuiltProgram.url("shop-server").path,
      ["--port", "\(port)", "--data", folder.path("shop.sqlite"), "--opening", "100.00"]
        + arguments,
      in: folder.directory.path)
    let line = process.firstLine()
    self.port = try #require(Int(line.split(separator: ":").last ?? ""), "\(line)")
  }

  /// Kills it without a chance to finish anything, and waits for its end.
  func kill() {
    process.send(SIGKILL)
    _ = process.ending()
  }

  func balance() async throws -> String {
    let url = try #require(URL(string: "\(url)/balance"))
    let (data, _) = try await URLSession.shared.data(from: url)
    let answer = String(decoding: data, as: UTF8.self)
    // {"balance":"100.00"}
    return String(try #require(answer.split(separator: "\"").dropFirst(3).first))
  }

  /// The number of changes of the balance.
  func changes() async throws -> String? {
    let url = try #require(URL(string: "\(url)/balance"))
    let (_, answer) = try await URLSession.shared.data(from: url)
    return (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag")
  }

  /// Requests a fault, such as `{"path":"/rows","status":503,"times":2}`.
  func fault(_ json: String) async throws {
    var request = URLRequest(url: try #require(URL(string: "\(url)/faults")))
    request.httpMethod = "POST"
    request.httpBody = Data(json.utf8)
    _ = try await URLSession.shared.data(for: request)
  }

  /// Waits until so much is left, or less.
  func waits(for text: String) async throws {
    let limit = try #require(FlowDecimal(text))
    while let now = FlowDecimal(try await balance()), now > limit { await Task.yield() }
  }
}
