import FlowCore
import FlowExpression
import Foundation
import TestKit
import Testing

/// One case of the official conformance suite, as in `cel.json`.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
  let id: String
  let expression: String
  let container: String
  let environment: Environment
  let activation: Activation
  let isUnchecked: Bool
  let isCheckOnly: Bool
  let value: Value?
  let type: ExpressionType?
  let isError: Bool

  var testDescription: String { id }

  /// All cases, or none if they are not on this machine.
  static let all: [ConformanceCase] = {
    guard let bytes = OfficialCases.cel.bytes else { return [] }
    let cases = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]]
    guard let cases else { preconditionFailure("the official cases of CEL cannot be read") }
    return cases.map(ConformanceCase.init)
  }()

  private init(_ json: [String: Any]) {
    let names = ["file", "section", "name"].compactMap { json[$0] as? String }
    id = names.joined(separator: "/")
    expression = json["expr"] as? String ?? ""
    container = json["container"] as? String ?? ""
    isUnchecked = json["disable_check"] as? Bool ?? false
    isCheckOnly = json["check_only"] as? Bool ?? false
    isError = json["error"] as? Bool ?? false
    value = (json["value"] as? [String: Any]).map(ConformanceValue.value)
    var parameters: [String] = []
    type = json["type"].map { ConformanceValue.type($0, &parameters) }
    let bindings = json["bindings"] as? [String: [String: Any]] ?? [:]
    let declarations = json["env"] as? [[String: Any]] ?? []
    (environment, activation) = Self.declared(declarations, bindings, container)
  }

  private static func declared(
    _ declarations: [[String: Any]], _ bindings: [String: [String: Any]], _ container: String
  ) -> (Environment, Activation) {
    var environment = Environment(container: container)
    var values: [Value?] = []
    var declared: Set<String> = []
    for declaration in declarations {
      let name = declaration["name"] as? String ?? ""
      if let overloads = declaration["overloads"] as? [[String: Any]] {
        environment.declare(
          function: name, isMember: overloads[0]["member"] as? Bool ?? false,
          overloads: overloads.map(ConformanceValue.signature))
        continue
      }
      var parameters: [String] = []
      let type = ConformanceValue.type(declaration["type"] ?? "dyn", &parameters)
      environment.declare(name, expressionType: type, slot: Slot(level: 0, index: values.count))
      values.append(bindings[name].map(ConformanceValue.value))
      declared.insert(name)
    }
    for (name, value) in bindings where !declared.contains(name) {
      environment.declare(name, expressionType: .dyn, slot: Slot(level: 0, index: values.count))
      values.append(ConformanceValue.value(value))
    }
    return (environment, Activation(levels: [values]))
  }
}
