/// A call whose arguments are not values: names of variables, and parts evaluated with them.
enum Macro: String, CaseIterable {
  case has
  case bind = "cel.bind"
  case greatest = "math.greatest"
  case least = "math.least"
  case all
  case exists
  case existsOne
  case exists_one
  case map
  case filter
  case transformList
  case transformMap
  case transformMapEntry
  case optMap
  case optFlatMap
  case sortBy

  /// The macro that a call is; nil for a function.
  init?(_ call: SyntaxNode.Call) {
    var name = call.name.text
    // `cel.bind` and the like look like methods of a variable.
    if let target = call.target?.simpleName, target == "cel" || target == "math" {
      name = target + "." + name
    }
    guard let macro = Macro(rawValue: name), macro.isMember == (call.target != nil) else {
      return nil
    }
    guard macro.counts.contains(call.arguments.count) else { return nil }
    self = macro
  }

  static let names: [String] = allCases.map(\.rawValue)

  /// How many arguments the macro of this name takes; nil when there is none.
  static func counts(of name: String) -> [Int]? {
    Macro(rawValue: name).map { Array($0.counts) }
  }

  /// How many of so many arguments are names of variables for the elements of a range.
  func variableCount(of argumentCount: Int) -> Int {
    switch self {
    case .transformList, .transformMap, .transformMapEntry: 2
    case .all, .exists, .existsOne, .exists_one: argumentCount - 1
    default: 1
    }
  }

  private var isMember: Bool { self != .has }

  private var counts: ClosedRange<Int> {
    switch self {
    case .has: 1...1
    case .bind: 3...3
    case .greatest, .least: 1...255
    case .all, .exists, .existsOne, .exists_one, .map: 2...3
    case .filter, .optMap, .optFlatMap, .sortBy: 2...2
    case .transformList, .transformMap, .transformMapEntry: 3...4
    }
  }
}
