internal import FlowCore

/// The setting `contract`: the file of a description, and the checked sides of calls.
struct ContractSetting: Sendable, Hashable {
  /// The checked sides of calls.
  enum Check: String, Sendable, CaseIterable {
    case all
    case answers
    case requests
  }

  let file: String
  let check: Check

  /// Reads the path of a file, or a map with `file` and `check`.
  ///
  /// - Throws: `ComponentError` for another value.
  init(_ value: Value) throws(ComponentError) {
    switch value {
    case .string(let file): (self.file, check) = (file, .all)
    case .map(let map):
      guard case .string(let file)? = map["file"],
        map.entries.allSatisfy({ Self.keys.contains($0.key) })
      else { throw Self.problem }
      self.file = file
      guard let name = map["check"] else {
        check = .all
        return
      }
      guard case .string(let text) = name, let check = Check(rawValue: text) else {
        throw Self.problem
      }
      self.check = check
    default: throw Self.problem
    }
  }

  /// True if requests are checked.
  var coversRequests: Bool { check != .answers }
  /// True if answers are checked, so that their types are known.
  var coversAnswers: Bool { check != .requests }

  private static let keys: [Value] = [.string("file"), .string("check")]

  private static let problem = ComponentError(
    .settings,
    "'contract' is the path of a description, or {file: PATH, check: CHECK} with one of "
      + Check.allCases.map(\.rawValue).joined(separator: ", "))
}
