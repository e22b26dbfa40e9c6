internal import FlowCore
internal import FlowOpenAPI

/// The parameters of `call` at their places in a request, in the styles of the description.
struct PlacedParameters {
  private(set) var path: String
  private(set) var query: [(name: String, value: String)] = []
  private(set) var headers: [(name: String, value: String)] = []
  /// True if some values are not known.
  let isUnknown: Bool
  private var cookies: [String] = []

  init(_ fields: KnownFields, _ operation: OpenAPIOperation) {
    path = operation.path
    isUnknown = fields.unknown.contains("parameters")
    let values = fields.entries["parameters"] ?? [:]
    for name in fields.names["parameters"] ?? [] {
      place(name, values[name] ?? .string("unknown"), operation)
    }
    if !cookies.isEmpty { headers.append(("Cookie", cookies.joined(separator: "; "))) }
  }

  private mutating func place(_ name: String, _ value: Value, _ operation: OpenAPIOperation) {
    guard let parameter = operation.parameters.first(where: { $0.name == name }) else {
      // The check of the query names it.
      query.append((name, value.interpolated))
      return
    }
    if value == .null { return }
    switch parameter.place {
    case .path:
      let text = parameter.text(of: value) { PercentEncoding.component($0) }
      path = path.replacing("{\(name)}", with: text)
    case .query: query += parameter.pairs(of: value)
    case .header: headers.append((name, parameter.text(of: value) { $0 }))
    case .cookie: cookies.append("\(name)=" + parameter.text(of: value) { $0 })
    }
  }
}

extension OpenAPIParameter {
  /// The text of a value in one of the styles for a single place.
  fileprivate func text(of value: Value, _ encode: (String) -> String) -> String {
    let texts = texts(of: value).map { pair in
      pair.name.map { encode($0) + (explodes ? "=" : ",") + encode(pair.text) } ?? encode(pair.text)
    }
    switch style {
    case .label: return "." + texts.joined(separator: explodes ? "." : ",")
    case .matrix:
      if explodes, !value.isScalar {
        return texts.map { ";" + (value.isList ? "\(name)=" : "") + $0 }.joined()
      }
      return ";\(name)=" + texts.joined(separator: ",")
    default: return texts.joined(separator: ",")
    }
  }

  /// The parameters of a query for a value.
  fileprivate func pairs(of value: Value) -> [(name: String, value: String)] {
    let texts = texts(of: value)
    switch (style, value) {
    case (.deepObject, .map): return texts.map { ("\(name)[\($0.name ?? "")]", $0.text) }
    case (.spaceDelimited, _) where !explodes: return [(name, joined(texts, " "))]
    case (.pipeDelimited, _) where !explodes: return [(name, joined(texts, "|"))]
    case (_, .list) where explodes: return texts.map { (name, $0.text) }
    case (_, .map) where explodes: return texts.map { ($0.name ?? name, $0.text) }
    default: return [(name, joined(texts, ","))]
    }
  }

  private func joined(_ texts: [(name: String?, text: String)], _ separator: String) -> String {
    texts.flatMap { [$0.name, $0.text].compactMap { $0 } }.joined(separator: separator)
  }

  private func texts(of value: Value) -> [(name: String?, text: String)] {
    if mediaType != nil { return [(nil, value.json)] }
    switch value {
    case .list(let values): return values.map { (nil, $0.interpolated) }
    case .map(let map): return map.entries.map { ($0.key.interpolated, $0.value.interpolated) }
    default: return [(nil, value.interpolated)]
    }
  }
}

extension Value {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
  fileprivate var isScalar: Bool {
    switch self {
    case .list, .map, .record: false
    default: true
    }
  }
}
