/// A bound of the rows of a query in its text.
///
/// Only what the text proves counts: the proxy knows no keys of tables.
struct RowLimit {
  /// True if the query has `LIMIT` or `FETCH FIRST`, or has one row, as of aggregates alone.
  let isThere: Bool

  /// Looks at the words of a statement outside of parentheses.
  init(_ words: [String]) {
    var (depth, outer): (Int, [Int]) = (0, [])
    for (index, word) in words.enumerated() {
      if word == ")" { depth -= 1 }
      if depth == 0, index == 0 || words[index - 1] != "." { outer.append(index) }
      if word == "(" { depth += 1 }
    }
    let names = outer.map { words[$0].uppercased() }
    let isQuery = names.contains("SELECT") || names.first == "VALUES" || names.first == "TABLE"
    isThere = isQuery && (Self.isLimited(names) || Self.isOneRow(names, words, outer))
  }

  /// True after `LIMIT` or `FETCH FIRST`, which bind the whole of a `UNION`.
  private static func isLimited(_ names: [String]) -> Bool {
    if let index = names.lastIndex(of: "LIMIT"), index + 1 < names.count {
      return !["ALL", "NULL"].contains(names[index + 1])
    }
    guard let index = names.lastIndex(of: "FETCH"), index + 1 < names.count else { return false }
    return ["FIRST", "NEXT"].contains(names[index + 1]) && !names.contains("TIES")
  }

  /// True if all columns are aggregates, and there is no group.
  private static func isOneRow(_ names: [String], _ words: [String], _ outer: [Int]) -> Bool {
    let several = ["GROUP", "OVER", "UNION", "INTERSECT", "EXCEPT"]
    guard let select = names.firstIndex(of: "SELECT"), !names.contains(where: several.contains)
    else { return false }
    let columns = names[(select + 1)...].prefix { $0 != "FROM" }
    let starts = columns.indices.filter { $0 == select + 1 || names[$0 - 1] == "," }
    return !starts.isEmpty && starts.allSatisfy { isAggregate(words[outer[$0]...]) }
  }

  /// True for a call such as `count (` or `coalesce (sum (`.
  private static func isAggregate(_ words: ArraySlice<String>) -> Bool {
    var call = words.prefix(4).map { $0.lowercased() }
    if call.starts(with: ["coalesce", "("]) { call.removeFirst(2) }
    return call.count > 1 && aggregates.contains(call[0]) && call[1] == "("
  }

  private static let aggregates: Set = [
    "count", "sum", "min", "max", "avg", "array_agg", "string_agg", "json_agg", "jsonb_agg",
    "bool_and", "bool_or", "group_concat", "json_arrayagg",
  ]
}
