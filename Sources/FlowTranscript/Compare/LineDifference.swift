/// What two texts do not have in common, line by line, in the unified format (GNU diff, "Unified Format").
struct LineDifference {
  /// Lines that are the same around those that are not.
  private static let context = 2
  /// The most lines that are looked at one by one; of longer stretches all are taken for changed.
  private static let longest = 400

  private enum Line {
    case same(String)
    case removed(String)
    case added(String)

    var isSame: Bool {
      if case .same = self { return true }
      return false
    }

    var text: String {
      switch self {
      case .same(let text): "  " + text
      case .removed(let text): "- " + text
      case .added(let text): "+ " + text
      }
    }
  }

  private var lines: [Line] = []

  /// The difference from one text to another.
  init(from old: [String], to new: [String]) {
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let suffix = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed())
      .prefix { $0 == $1 }.count
    lines = old.prefix(prefix).map(Line.same)
    lines += Self.middle(
      Array(old.dropFirst(prefix).dropLast(suffix)), Array(new.dropFirst(prefix).dropLast(suffix)))
    lines += old.suffix(suffix).map(Line.same)
  }

  private static func middle(_ old: [String], _ new: [String]) -> [Line] {
    guard old.count <= longest, new.count <= longest else {
      return old.map(Line.removed) + new.map(Line.added)
    }
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if left < old.count, removed.contains(left) {
        lines.append(.removed(old[left]))
        left += 1
      } else if right < new.count, added.contains(right) {
        lines.append(.added(new[right]))
        right += 1
      } else {
        lines.append(.same(old[left]))
        (left, right) = (left + 1, right + 1)
      }
    }
    return lines
  }

  /// The changed lines with those around them; `...` stands for those that are left out.
  ///
  /// - Parameter limit: How many lines at most.
  /// - Returns: Lines that begin with two blanks, `- ` or `+ `.
  func text(limit: Int) -> [String] {
    let changed = lines.indices.filter { !lines[$0].isSame }
    var shown: [String] = []
    var last = -1
    var near = changed[...]
    for index in lines.indices {
      while let first = near.first, first + Self.context < index { near.removeFirst() }
      guard let first = near.first, first - Self.context <= index else { continue }
      if index > last + 1 { shown.append("...") }
      last = index
      shown.append(lines[index].text)
    }
    if shown.count <= limit { return shown }
    return shown.prefix(limit) + ["... and \(shown.count - limit) more lines"]
  }
}
