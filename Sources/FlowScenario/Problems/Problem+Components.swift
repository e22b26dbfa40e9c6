internal import FlowCore

// What is said about plugins and what they declare.

extension Problem {
  static func unknownPlugin(_ name: String, near: [String]) -> Problem {
    Problem(code: .unknownPlugin, message: "unknown plugin '\(name)'", near: near)
  }

  static func unknownComponent(_ name: String, near: [String]) -> Problem {
    Problem(code: .unknownComponent, message: "unknown component '\(name)'", near: near)
  }

  /// A text without a point, where a component and its operation must be named.
  static func noComponent(operation text: String, near: [String]) -> Problem {
    Problem(
      code: .unknownOperation, message: "'\(text)' names no operation; write COMPONENT.OPERATION",
      near: near)
  }

  /// A text without a point, where a component and its event must be named.
  static func noComponent(event text: String, near: [String]) -> Problem {
    Problem(
      code: .unknownEvent, message: "'\(text)' names no event; write COMPONENT.EVENT", near: near)
  }

  static func noOperation(_ text: String, component: String, known: [String]) -> Problem {
    Problem(
      code: .unknownOperation,
      message: "'\(text)' names no operation; write '\(component).operation'",
      notes: known.isEmpty ? [] : ["operations: " + known.joined(separator: ", ")])
  }

  static func unknownOperation(
    _ name: String, component: String, near: [String], elsewhere: [String]
  ) -> Problem {
    let other = near.isEmpty ? elsewhere.first : nil
    return Problem(
      code: .unknownOperation, message: "'\(component)' has no operation '\(name)'",
      notes: other.map { ["'\($0)' has that name"] } ?? [], near: near)
  }

  static func unknownField(
    _ name: String, owner: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: .unknownField, message: "\(owner) has no field '\(name)'",
      notes: near.isEmpty ? [list(known, "fields")] : [], near: near)
  }

  static func missingField(
    _ name: String, owner: String, type: ValueType, summary: String
  ) -> Problem {
    Problem(
      code: .missingField, message: "\(owner) needs the field '\(name)', \(type)",
      notes: summary.isEmpty ? [] : ["\(name): \(summary)"])
  }

  static func literalType(
    owner: String, expected: ValueType, actual: String, near: [String] = [], notes: [String] = []
  ) -> Problem {
    Problem(
      code: .wrongFieldType, message: "\(owner): expected \(expected), got \(actual)", notes: notes,
      near: near)
  }

  static let durationNote = "a duration has a unit: 200ms, 5s, 1m30s, 2h"

  static func noEvent(_ text: String, component: String, known: [String]) -> Problem {
    Problem(
      code: .unknownEvent, message: "'\(text)' names no event; write '\(component).event'",
      notes: [list(known, "events")])
  }

  static func unknownEvent(
    _ name: String, component: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: .unknownEvent, message: "'\(component)' reports no event '\(name)'",
      notes: near.isEmpty ? [list(known, "events")] : [], near: near)
  }

  static func unknownErrorCode(
    _ code: String, operation: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: .undeclaredError, message: "'\(operation)' declares no error '\(code)'",
      notes: near.isEmpty ? [list(known, "errors")] : [], near: near)
  }

  static func unknownType(_ name: String, near: [String]) -> Problem {
    Problem(
      code: .unknownInputType, message: "unknown type '\(name)'",
      notes: [list(ValueType.names, "types")],
      near: near)
  }

  /// `fields: balance, date`, or that there are none.
  static func list(_ names: [String], _ noun: String) -> String {
    names.isEmpty ? "it has no \(noun)" : "\(noun): " + names.joined(separator: ", ")
  }
}
