import FlowCore

/// The type of the cells in a column: `int`, or `optional(int)` if they may be empty.
struct ColumnType: FieldValue, Hashable, CustomStringConvertible {
  /// The type of a cell that is not empty.
  enum Cell: String, CaseIterable {
    case bool, decimal, double, duration, int, string, timestamp
  }

  let cell: Cell
  /// True if a cell may be empty, or a value absent or null.
  let isOptional: Bool

  private static let all = [false, true].flatMap { isOptional in
    Cell.allCases.map { ColumnType(cell: $0, isOptional: isOptional) }
  }

  /// The types by name.
  static let valueType = ValueType.enumeration(all.map(\.description))

  init(cell: Cell, isOptional: Bool = false) {
    self.cell = cell
    self.isOptional = isOptional
  }

  init(decoding value: Value) throws(DecodeError) {
    guard case .string(let name) = value, let this = Self.all.first(where: { "\($0)" == name })
    else { throw DecodeError(expected: Self.valueType, value) }
    self = this
  }

  var encoded: Value { .string(description) }

  /// The type as text, such as `optional(int)`.
  var description: String { isOptional ? "optional(\(cell.rawValue))" : cell.rawValue }

  /// The type in expressions.
  var type: ValueType { isOptional ? .optional(cellType) : cellType }

  private var cellType: ValueType {
    switch cell {
    case .bool: .bool
    case .decimal: .decimal
    case .double: .double
    case .duration: .duration
    case .int: .int
    case .string: .string
    case .timestamp: .timestamp
    }
  }

  /// Parses a cell, or returns nil for a text of another type.
  func value(of text: String) -> Value? {
    if isOptional, text.isEmpty { return .null }
    return switch cell {
    case .bool: ["true": Value.bool(true), "false": .bool(false)][text]
    case .decimal: Decimal(text).map(Value.decimal)
    // Swift also accepts texts such as `nan` and `0x1p3`, which are not numbers here.
    case .double: Decimal(text).flatMap { _ in Double(text) }.map(Value.double)
    case .duration: Duration(flowText: text).map(Value.duration)
    case .int: Int(text).map(Value.int)
    case .string: .string(text)
    case .timestamp: Timestamp(text).map(Value.timestamp)
    }
  }
}

/// The exact columns of a table's rows.
struct Columns: Sendable {
  private let types: [String: ColumnType]
  private let names: [String]

  init(_ types: [String: ColumnType]) {
    self.types = types
    names = types.keys.sorted()
  }

  /// Returns the type of `data` for literal columns, empty if they are unknown or absent.
  static func types(_ input: [String: Value]) -> [String: ValueType] {
    guard case .map(let map)? = input["columns"] else { return [:] }
    let fields = map.entries.compactMap { entry -> RecordType.Field? in
      guard let type = try? ColumnType(decoding: entry.value) else { return nil }
      return RecordType.Field(
        name: entry.key.interpolated, type: type.type, summary: "A cell of the column.",
        defaultValue: type.isOptional ? .null : nil)
    }
    return ["data": .list(.record(RecordType(fields)))]
  }

  /// Returns the rows of a CSV file with typed cells.
  ///
  /// - Throws: `TableError` for the first column or cell that does not fit.
  func rows(of csv: CSV) throws(TableError) -> Value {
    for (name, place) in zip(csv.names, csv.places) where types[name] == nil {
      throw .unknownColumn(name, at: .line(place.line, column: place.column), known: names)
    }
    let present = Set(csv.names)
    if let name = names.first(where: { !present.contains($0) }) {
      let end = csv.end
      throw .missingColumn(name, at: .line(end.line, column: end.column))
    }
    var rows: [Value] = []
    rows.reserveCapacity(csv.rows.count)
    for (index, row) in csv.rows.enumerated() {
      var map = ValueMap()
      for (name, text) in zip(csv.names, row) {
        guard let type = types[name] else { continue }
        guard let value = type.value(of: text) else {
          let place = TableError.Place.cell(line: csv.lines[index], row: index + 1, name)
          throw .cell(place, expected: type, .string(text))
        }
        map[.string(name)] = value
      }
      rows.append(.map(map))
    }
    return .list(rows)
  }

  /// Returns the rows of a list of maps, from JSON or YAML, with typed values.
  ///
  /// - Throws: `TableError` for the first column or value that does not fit.
  func rows(of value: Value) throws(TableError) -> Value {
    guard case .list(let values) = value else { throw .shape }
    var rows: [Value] = []
    rows.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      guard case .map(let map) = value else { throw .shape }
      rows.append(.map(try row(map, number: index + 1)))
    }
    return .list(rows)
  }

  private func row(_ map: ValueMap, number: Int) throws(TableError) -> ValueMap {
    var row = ValueMap()
    for entry in map.entries {
      let name = entry.key.interpolated
      guard let type = types[name] else {
        throw .unknownColumn(name, at: .row(number), known: names)
      }
      guard let value = try? entry.value.converted(to: type.type) else {
        throw .cell(.cell(line: nil, row: number, name), expected: type, entry.value)
      }
      row[.string(name)] = value
    }
    for name in names where row[name] == nil {
      guard types[name]?.isOptional == true else { throw .missingColumn(name, at: .row(number)) }
      row[.string(name)] = .null
    }
    return row
  }
}

/// A difference between the rows of a file and `columns`.
enum TableError: Error, Hashable, CustomStringConvertible {
  /// The place in the file, from 1, with rows counted without the row of names.
  enum Place: Hashable, CustomStringConvertible {
    case line(Int, column: Int)
    case row(Int)
    case cell(line: Int?, row: Int, String)

    var description: String {
      switch self {
      case .line(let line, let column): "line \(line), column \(column)"
      case .row(let row): "row \(row)"
      case .cell(let line, let row, let name):
        (line.map { "line \($0), " } ?? "") + "row \(row), column '\(name)'"
      }
    }
  }

  case unknownColumn(String, at: Place, known: [String])
  case missingColumn(String, at: Place)
  case cell(Place, expected: ColumnType, Value)
  /// The content is not a list of maps.
  case shape

  var description: String {
    switch self {
    case .unknownColumn(let name, let place, let known):
      "\(place): '\(name)' is not one of the columns \(known.joined(separator: ", "))"
    case .missingColumn(let name, let place): "\(place): the column '\(name)' is missing"
    case .cell(let place, let expected, let value):
      "\(place): expected \(expected), got \(value.summary(limit: 40))"
    case .shape: "a table must be a list of maps"
    }
  }
}
