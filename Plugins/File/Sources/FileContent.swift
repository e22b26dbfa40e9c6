import FlowCore

/// The format of a file's content.
enum FileFormat: String, CaseIterable, FieldValue {
  case text, json, yaml, csv, bytes
}

/// The answer of `read`: one of the three, depending on the format.
struct FileContent: Sendable {
  var text: String?
  var data: Value
  var bytes: Bytes?
  var size: Int

  static let record = Record(
    FileContent.init(text:data:bytes:size:),
    Field("text", \.text, "The content of a text file."),
    Field("data", \.data, "The decoded content of a JSON, YAML or CSV file.", default: .null),
    Field("bytes", \.bytes, "The content of a file read as bytes."),
    Field("size", \.size, "The size of the file in bytes."))
}

extension FileContent {
  /// Reads a file, as a table if columns are given.
  ///
  /// - Throws: `FileProblem`, with `.unfit` for columns of a format without data.
  init(
    reading path: String, as format: FileFormat, _ columns: [String: ColumnType]?,
    _ context: Context
  ) throws(FileProblem) {
    guard columns == nil || format.isOfData else {
      throw .unfit("'columns' needs 'as: csv', 'as: json' or 'as: yaml'")
    }
    let table = columns.map { Columns($0) }
    let bytes = try Folder(directory: context.directory).read(path)
    self.init(text: nil, data: .null, bytes: nil, size: bytes.count)
    switch format {
    case .text: text = try Self.text(bytes, path)
    case .bytes: self.bytes = Bytes(bytes)
    case .json:
      do { data = try Value(json: bytes, limit: Folder.limit) } catch {
        throw .content(path, reason: error.description(in: bytes))
      }
    case .yaml: data = try Self.document(path, context)
    case .csv: data = try Self.csv(bytes, path, table)
    }
    guard let table, format != .csv else { return }
    do { data = try table.rows(of: data) } catch { throw .content(path, reason: "\(error)") }
  }

  private static func csv(
    _ bytes: [UInt8], _ path: String, _ table: Columns?
  ) throws(FileProblem) -> Value {
    let text = try text(bytes, path)
    do {
      let csv = try CSV(reading: text)
      return try table?.rows(of: csv) ?? csv.value
    } catch {
      throw .content(path, reason: "\(error)")
    }
  }

  private static func text(_ bytes: [UInt8], _ path: String) throws(FileProblem) -> String {
    do { return try String(plainText: bytes) } catch {
      throw .content(path, reason: "\(error)")
    }
  }

  private static func document(_ path: String, _ context: Context) throws(FileProblem) -> Value {
    do { return try context.document(path).value } catch let error as DocumentError {
      throw .document(error)
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .content(path, reason: "\(error)")
    }
  }
}

/// The content to write.
struct NewContent: Sendable {
  let bytes: [UInt8]

  /// Creates the content from the one given form.
  ///
  /// - Throws: `.unfit`.
  init(
    path: String, text: String?, data: Value, bytes: Bytes?, as format: FileFormat?
  ) throws(FileProblem) {
    let isData = data != .null || (text == nil && bytes == nil && format?.isOfData == true)
    guard [text != nil, isData, bytes != nil].count(where: { $0 }) == 1 else {
      throw .unfit("give exactly one of 'text', 'data' and 'bytes'")
    }
    let format = format ?? (isData ? .json : text == nil ? .bytes : .text)
    switch (format, text, bytes) {
    case (.text, let text?, nil): self.bytes = Array(text.utf8)
    case (.bytes, nil, let bytes?): self.bytes = bytes.content
    case (.json, nil, nil):
      do { self.bytes = Array((try data.jsonText() + "\n").utf8) } catch {
        throw .unfit("cannot write '\(path)': \(error)")
      }
    case (.yaml, nil, nil): self.bytes = Array(YAMLText(data).text.utf8)
    case (.csv, nil, nil):
      do { self.bytes = Array(try CSV(data).text.utf8) } catch { throw .unfit("\(error)") }
    default: throw .unfit("the content does not fit 'as: \(format.rawValue)'")
    }
  }
}

extension FileFormat {
  /// True for formats of arbitrary values, not only text or bytes.
  fileprivate var isOfData: Bool {
    switch self {
    case .json, .yaml, .csv: true
    case .text, .bytes: false
    }
  }
}

/// A YAML text of a value: one line for each scalar in the form of JSON, a subset of YAML.
struct YAMLText {
  private(set) var text = ""

  init(_ value: Value) {
    write(value, indent: 0)
  }

  private mutating func write(_ value: Value, indent: Int) {
    let margin = String(repeating: "  ", count: indent)
    switch value {
    case .optional(let value?): write(value, indent: indent)
    case .list(let values) where !values.isEmpty:
      for value in values { write(value, after: margin + "-", indent: indent + 1) }
    case .map(let map) where !map.isEmpty:
      for entry in map.entries {
        write(
          entry.value, after: Self.key(entry.key.interpolated, margin: margin), indent: indent + 1)
      }
    case .record(let record) where !record.values.isEmpty:
      for (field, value) in zip(record.type.fields, record.values) {
        write(value, after: Self.key(field.name, margin: margin), indent: indent + 1)
      }
    default: text += margin + value.yaml + "\n"
    }
  }

  /// Returns a key with its colon, on a separate line if it is longer than `key:` may be.
  ///
  /// See YAML 1.2.2, section 7.4.2.
  private static func key(_ name: String, margin: String) -> String {
    let key = Value.string(name).yaml
    return margin + (key.unicodeScalars.count > 1_024 ? "? \(key)\n\(margin):" : key + ":")
  }

  private mutating func write(_ value: Value, after beginning: String, indent: Int) {
    text += beginning
    if value.isBlock {
      text += "\n"
      write(value, indent: indent)
    } else {
      text += " " + value.yaml + "\n"
    }
  }
}

extension Value {
  /// The value as JSON, adapted to YAML.
  ///
  /// Numbers that JSON lacks are written as in the core schema (YAML 1.2.2, section 10.3.2), and
  /// scalars that YAML reads as a line's end or refuses are escaped (section 5.1).
  fileprivate var yaml: String {
    if case .double(let number) = self, !number.isFinite {
      return number.isNaN ? ".nan" : number < 0 ? "-.inf" : ".inf"
    }
    var text = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      switch scalar.value {
      case 0x80..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        text += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  /// True if the value takes separate lines.
  fileprivate var isBlock: Bool {
    switch self {
    case .list(let values): !values.isEmpty
    case .map(let map): !map.isEmpty
    case .record(let record): !record.values.isEmpty
    case .optional(let value?): value.isBlock
    default: false
    }
  }
}
