import FlowCore
import FlowExpression
import Foundation

/// Reads the values and types of `cel.json`.
enum ConformanceValue {
  static func value(_ json: [String: Any]) -> Value {
    guard let (kind, content) = json.first else { return .null }
    let text = content as? String ?? ""
    return switch kind {
    case "bool": .bool(content as? Bool ?? false)
    case "int": .int(Int(text) ?? 0)
    case "uint": .uint(UInt(text) ?? 0)
    case "double": .double(Double(text) ?? .nan)
    case "string": .string(text)
    case "bytes": .bytes(Bytes(Array(Data(base64Encoded: text) ?? Data())))
    case "type": .type(text)
    case "list": .list((content as? [[String: Any]] ?? []).map(value))
    case "map": .map(map(content as? [[[String: Any]]] ?? []))
    default: .null
    }
  }

  private static func map(_ pairs: [[[String: Any]]]) -> ValueMap {
    var map = ValueMap()
    for pair in pairs { map[value(pair[0])] = value(pair[1]) }
    return map
  }

  /// A type, with its parameters numbered in order of appearance.
  static func type(_ json: Any, _ parameters: inout [String]) -> ExpressionType {
    if let name = json as? String { return simple[name] ?? .dyn }
    guard let (kind, content) = (json as? [String: Any])?.first else { return .dyn }
    let parts = content as? [Any] ?? []
    switch kind {
    case "list": return .list(type(content, &parameters))
    case "map": return .map(type(parts[0], &parameters), type(parts[1], &parameters))
    case "param": return parameter(content as? String ?? "", &parameters)
    case "abstract":
      let name = parts[0] as? String ?? ""
      var types: [ExpressionType] = []
      for part in parts.dropFirst() { types.append(type(part, &parameters)) }
      return name == "optional_type" ? .optional(types[0]) : .abstract(name, types)
    default: return .dyn
    }
  }

  static func signature(_ json: [String: Any]) -> Signature {
    var names: [String] = []
    var parameters: [ExpressionType] = []
    for parameter in json["params"] as? [Any] ?? [] { parameters.append(type(parameter, &names)) }
    let result = type(json["result"] ?? "dyn", &names)
    return Signature(parameters, result, typeParameterCount: names.count)
  }

  private static func parameter(_ name: String, _ parameters: inout [String]) -> ExpressionType {
    if !parameters.contains(name) { parameters.append(name) }
    return .parameter(parameters.firstIndex(of: name) ?? 0)
  }

  private static let simple: [String: ExpressionType] = [
    "bool": .bool, "int64": .int, "uint64": .uint, "double": .double, "string": .string,
    "bytes": .bytes, "null_type": .null, "dyn": .dyn, "type": .type, "timestamp": .timestamp,
    "duration": .duration,
  ]
}
