internal import FlowCore

// What is said about plugins and what they declare.

extension Problem {
  static func unknownPlugin(_ name: String, near: [String]) -> Problem {
    Problem(code: "F1201", message: "unknown plugin '\(name)'", near: near)
  }

  static func unknownComponent(_ name: String, near: [String]) -> Problem {
    Problem(code: "F1202", message: "unknown component '\(name)'", near: near)
  }

  static func noOperation(_ text: String, component: String, known: [String]) -> Problem {
    Problem(
      code: "F1203",
      message: "'\(text)' names no operation; write '\(component).operation'",
      notes: known.isEmpty ? [] : ["operations: " + known.joined(separator: ", ")])
  }

  static func unknownOperation(
    _ name: String, component: String, near: [String], elsewhere: [String]
  ) -> Problem {
    let other = near.isEmpty ? elsewhere.first : nil
    return Problem(
      code: "F1203", message: "'\(component)' has no operation '\(name)'",
      notes: other.map { ["'\($0)' has that name"] } ?? [], near: near)
  }

  static func unknownField(
    _ name: String, owner: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: "F1204", message: "\(owner) has no field '\(name)'",
      notes: near.isEmpty ? [list(known, "fields")] : [], near: near)
  }

  static func missingField(
    _ name: String, owner: String, type: ValueType, summary: String
  ) -> Problem {
    Problem(
      code: "F1205", message: "\(owner) needs the field '\(name)', \(type)",
      notes: summary.isEmpty ? [] : ["\(name): \(summary)"])
  }

  static func literalType(
    owner: String, expected: ValueType, actual: String, near: [String] = []
  ) -> Problem {
    Problem(code: "F1206", message: "\(owner): expected \(expected), got \(actual)", near: near)
  }

  static func noEvent(_ text: String, component: String, known: [String]) -> Problem {
    Problem(
      code: "F1209", message: "'\(text)' names no event; write '\(component).event'",
      notes: [list(known, "events")])
  }

  static func unknownEvent(
    _ name: String, component: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: "F1209", message: "'\(component)' reports no event '\(name)'",
      notes: near.isEmpty ? [list(known, "events")] : [], near: near)
  }

  static func unknownErrorCode(
    _ code: String, operation: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: "F1207", message: "'\(operation)' declares no error '\(code)'",
      notes: near.isEmpty ? [list(known, "errors")] : [], near: near)
  }

  static func unknownType(_ name: String, near: [String]) -> Problem {
    Problem(code: "F1208", message: "unknown type '\(name)'", near: near)
  }

  private static func list(_ names: [String], _ noun: String) -> String {
    names.isEmpty ? "it has no \(noun)" : "\(noun): " + names.joined(separator: ", ")
  }
}
