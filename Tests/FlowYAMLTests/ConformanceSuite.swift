import Foundation
import TestKit
import Testing

/// The cases of the YAML test suite.
enum ConformanceSuite {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let yaml: String
    let json: [JSON]?
    let error: Bool?

    var testDescription: String { id }

    /// Some invalid texts come with the JSON that a lenient reader would give.
    var isInvalid: Bool { error == true }

    /// What reading it should give, one document on a line.
    var demand: String {
      isInvalid ? "an error" : json?.map(\.rendered).joined(separator: "\n") ?? "any value"
    }
  }

  /// All cases; empty when they are not here.
  static let cases: [Case] = {
    guard let bytes = OfficialCases.yaml.bytes else { return [] }
    do {
      return try JSONDecoder().decode([Case].self, from: Data(bytes))
    } catch {
      preconditionFailure("the conformance cases cannot be read: \(error)")
    }
  }()
}

/// A JSON value that renders as `json(_:)` renders nodes.
enum JSON: Decodable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  var rendered: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): FlowYAMLTests.number(value)
    case .string(let value): quoted(value)
    case .array(let values): "[" + values.map(\.rendered).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { quoted($0.key) + ":" + $0.value.rendered }.sorted()
        .joined(separator: ",") + "}"
    }
  }
}
