import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

extension TestServer {
  /// A server that answers below `/echo` with what it was sent, as `Scenarios/server.py` does.
  static func echo() throws -> TestServer {
    try TestServer(answering: { request in
      if request.path == "/redirect" { return answer("302 Found", ["Location: /echo/redirected"]) }
      guard request.path.hasPrefix("/echo") else { return answer("404 Not Found") }
      let text = request.method == "HEAD" ? "" : request.json
      return answer("200 OK", ["Content-Type: application/json"], text)
    })
  }
}

extension TestServer.Request {
  /// `GET /path`.
  var line: String { "\(method) \(path)" }
  var text: String { String(decoding: body, as: UTF8.self) }

  fileprivate var json: String {
    func optional(_ name: String) -> Value { headers[name].map(Value.string) ?? .null }
    return Value.map(
      ValueMap([
        ("method", .string(method)), ("path", .string(path)), ("type", optional("content-type")),
        ("authorization", optional("authorization")), ("body", .string(text)),
      ])
    ).json
  }
}

extension HTTP {
  /// A component that asks a server, and is closed after the work.
  static func with<Success>(
    _ settings: [String: any FieldValue], in folder: String = ".",
    options: LiveOptions = LiveOptions(), _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    // Far longer than a busy machine takes: what is tested of it says so.
    let patience: [String: any FieldValue] = ["timeout": Duration.seconds(600)]
    let settings = settings.merging(patience) { given, _ in given }
    let http = try await OpenComponent(HTTP.self, with: settings, in: folder, options: options)
    do {
      let result = try await work(http)
      await http.close()
      return result
    } catch {
      await http.close()
      throw error
    }
  }
}

extension OpenComponent {
  /// Some fields of an answer, `{status: 200, size: 3}`; or the error.
  func fields(
    _ names: [String], _ operation: String, _ input: [String: any FieldValue] = [:]
  ) async -> String {
    do {
      guard case .record(let answer) = try await call(operation, input) else { return "no record" }
      return Value.map(ValueMap(names.map { ($0, answer[$0] ?? .null) })).description
    } catch {
      return "\(error)"
    }
  }
}
