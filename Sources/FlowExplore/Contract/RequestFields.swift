internal import FlowCore
internal import FlowOpenAPI

/// The input of the operation `request` for a drawn call, to be sent or to be written.
struct RequestFields {
  private let service: DescribedService
  /// True to have JSON as a value where a scenario can have it so, and not as a text.
  private let isReadable: Bool
  /// Returns the value of an input with a key for queries.
  private let key: (String) -> String

  init(of service: DescribedService, isReadable: Bool, key: @escaping (String) -> String) {
    (self.service, self.isReadable, self.key) = (service, isReadable, key)
  }

  /// Returns the fields with a value, of a call with its parameters at their places.
  func fields(of call: DrawnCall, _ placed: PlacedParameters) -> [(String, Value)] {
    var headers = placed.headers.map { ($0.name, Value.string($0.value)) } + login(of: call)
    var fields: [(String, Value)] = [
      ("method", .string(call.method)), ("path", .string(path(of: call, placed))),
    ]
    switch call.body {
    case .none: break
    case .text(let text, let mediaType):
      fields.append(("body", .string(text)))
      headers.append(("content-type", .string(mediaType)))
    case .value(let value, let mediaType):
      fields.append(content(value, mediaType, &headers))
    }
    if !headers.isEmpty { fields.append(("headers", .map(ValueMap(headers)))) }
    if call.credentials != .given { fields.append(("auth", .map(ValueMap()))) }
    return fields
  }

  private func path(of call: DrawnCall, _ placed: PlacedParameters) -> String {
    var path = service.path(placed.pathAndQuery, of: call.operation)
    if call.credentials == .none { return path }
    for (name, input) in service.login.queryKeys {
      let value = call.credentials == .given ? key(input) : "wrong"
      path += (path.contains("?") ? "&" : "?") + "\(name)=\(value)"
    }
    return path
  }

  private func login(of call: DrawnCall) -> [(String, Value)] {
    switch call.credentials {
    case .given: []
    case .none:
      service.login.kinds.compactMap(\.header).filter { $0 != "Authorization" }.sorted()
        .map { ($0, .null) }
    case .wrong:
      call.operation.credentials.map(\.kind).compactMap { kind in
        kind.header.map { ($0, .string(kind.wrongHeader)) }
      }
    }
  }

  private func content(
    _ value: Value, _ mediaType: String, _ headers: inout [(String, Value)]
  ) -> (String, Value) {
    let type = ("content-type", Value.string(mediaType))
    switch BodyForm(mediaType) {
    case .json where isReadable && value.isPlain:
      if mediaType.lowercased() != "application/json" { headers.append(type) }
      return ("json", value)
    case .json:
      headers.append(type)
      return ("body", .string(value.json))
    case .form: return ("form", .map(ValueMap(value.fields.map { ($0.name, .string($0.value)) })))
    case .parts:
      let parts = value.fields.map { field in
        Value.map(ValueMap([("name", .string(field.name)), ("value", .string(field.value))]))
      }
      return ("multipart", .list(parts))
    case .text:
      headers.append(type)
      return ("body", .string(value.interpolated))
    }
  }
}

extension Value {
  /// True if a scenario can have it as JSON: with a text for everything in it, and not null.
  fileprivate var isPlain: Bool { self != .null && hasPlainTexts }

  private var hasPlainTexts: Bool {
    switch self {
    case .string(let text):
      !text.contains("${{") && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    case .list(let values): values.allSatisfy(\.hasPlainTexts)
    case .map(let map):
      map.entries.allSatisfy { $0.key.hasPlainTexts && $0.value.hasPlainTexts }
    default: true
    }
  }
}
