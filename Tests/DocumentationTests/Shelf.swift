public import FlowCore

/// Keeps items, by their names.
public actor Shelf: Component {
  /// The plugin `shelf`.
  public static let plugin = Plugin(
    "shelf", version: "1.0", "Keeps items on a shelf.", state: .memory,
    operations: [
      Operation(
        "put", "Adds items.", item, count, answers: left, errors: [.invalid]
      ) { shelf, _, item, count in try await shelf.put(item, count) },
      Operation(
        "take", "Removes items.", item, count, answers: left, errors: [.invalid, .missing]
      ) { shelf, _, item, count in try await shelf.take(item, count) },
    ]
  ) { _ in Shelf() }

  static let item = Parameter<String>("item", "The name of the item.")
  static let count = Parameter<Int>("count", "The number of items.", default: 1)
  static let left = Record<Int>("left", "The number of these items on the shelf.")

  private var items: [String: Int] = [:]

  func put(_ item: String, _ count: Int) throws(ShelfError) -> Int {
    guard (1...1000).contains(count) else { throw .invalid(count) }
    items[item, default: 0] += count
    return items[item, default: 0]
  }

  func take(_ item: String, _ count: Int) throws(ShelfError) -> Int {
    guard (1...1000).contains(count) else { throw .invalid(count) }
    let left = items[item, default: 0] - count
    guard left >= 0 else { throw .missing(item) }
    items[item] = left
    return left
  }
}

/// Why a shelf refuses.
enum ShelfError: CodedError, CustomStringConvertible {
  case invalid(Int)
  case missing(String)

  var code: ErrorCode {
    switch self {
    case .invalid: .invalid
    case .missing: .missing
    }
  }

  var description: String {
    switch self {
    case .invalid(let count): "the count \(count) is not between 1 and 1000"
    case .missing(let item): "there are too few of '\(item)'"
    }
  }
}

extension ErrorCode {
  static let invalid = ErrorCode("invalid", "The count is not between 1 and 1000.")
  static let missing = ErrorCode("missing", "There are too few.")
}
