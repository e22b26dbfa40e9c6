internal import FlowCore
internal import FlowReport
internal import FlowSystem
internal import FlowTranscript

/// The proof of what a command got: from the recording, or from its servers.
struct TapeReceipt {
  let file: String
  let command: [String]
  let status: Int?
  let passed: Bool
  let records: Bool
  let requests: [TapeTrace.Request]

  /// The receipt as a JSON document.
  var text: String {
    let all = requests.map(Self.json)
    return JSON.object([
      .init("tape", .string(file)),
      .init("transcript", digest(of: Path.transcript(of: file))),
      .init("scenario", digest(of: file)),
      .init("command", .array(command.map(JSON.string))),
      .init("status", status.map { .number(String($0)) } ?? .null),
      .init("passed", .bool(passed)),
      .init("served", .array(records ? [] : all)),
      .init("asked", .array(records ? all : [])),
    ]).text + "\n"
  }

  /// The largest file with a digest, in bytes.
  private static let largest = 1 << 30

  private func digest(of path: String) -> JSON {
    guard let content = try? FileSystem.contents(of: path, limit: Self.largest) else {
      return .null
    }
    return .string(ReadFile.digest(of: content))
  }

  private static func json(_ request: TapeTrace.Request) -> JSON {
    .object([
      .init("at", .string("\(request.address)")), .init("server", .string(request.origin)),
      .init("method", .string(request.method)), .init("path", .string(request.path)),
      .init("status", request.status.map { .number(String($0)) } ?? .null),
    ])
  }
}
