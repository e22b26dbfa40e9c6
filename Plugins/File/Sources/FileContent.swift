import FlowCore

/// The format of a file's content.
enum FileFormat: String, CaseIterable, FieldValue {
  case text, json, yaml, csv, bytes, jsonl
  case yamlDocuments = "yaml_documents"
}

extension FileFormat {
  /// True for formats of arbitrary values, not only text or bytes.
  var isOfData: Bool {
    switch self {
    case .json, .jsonl, .yaml, .yamlDocuments, .csv: true
    case .text, .bytes: false
    }
  }
}

/// The inputs of `read`.
struct ReadInput: Sendable {
  var path: String
  var format: FileFormat
  var columns: [String: ColumnType]?
  var separator: String?

  static let record = Record(
    ReadInput.init(path:format:columns:separator:), Files.pathField(\.path),
    Field("as", \.format, "The format of the file.", default: .text),
    Field("columns", \.columns, "The type of each column of a table."),
    Field("separator", \.separator, Self.separatorSummary, examples: [";"]))

  static let separatorSummary = "The character between the fields of a CSV file, a comma if absent."

  /// The form of a table, if it is one.
  ///
  /// - Throws: `.unfit` for columns or a separator of a format without them.
  fileprivate func table() throws(FileProblem) -> (Columns?, CSVSeparator) {
    guard columns == nil || format.isOfData else {
      throw .unfit("'columns' needs 'as' with csv, json, jsonl, yaml or yaml_documents")
    }
    return (columns.map { Columns($0) }, try CSVSeparator(separator, format))
  }
}

extension CSVSeparator {
  /// Creates the separator for a format.
  ///
  /// - Throws: `.unfit` for a separator of another format than CSV.
  init(_ text: String?, _ format: FileFormat?) throws(FileProblem) {
    guard let text else {
      self = .comma
      return
    }
    guard format == .csv else { throw .unfit("'separator' needs 'as: csv'") }
    try self.init(text)
  }
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
    Field(
      "bytes", \.bytes, "The content of a file read as bytes.", mutated: .whenPresent),
    Field("size", \.size, "The size of the file in bytes.", mutated: .onRequest))
}

extension FileContent {
  /// Reads a file, as a table if columns are given.
  ///
  /// - Throws: `FileProblem`, with `.unfit` for columns of a format without data.
  init(_ input: ReadInput, _ context: Context) throws(FileProblem) {
    let path = input.path
    let (table, separator) = try input.table()
    let bytes = try Folder(directory: context.directory).read(path)
    self.init(text: nil, data: .null, bytes: nil, size: bytes.count)
    switch input.format {
    case .text: text = try Self.text(bytes, path)
    case .bytes: self.bytes = Bytes(bytes)
    case .json:
      do { data = try Value(json: bytes, limit: Folder.limit) } catch {
        throw .content(path, reason: error.description(in: bytes))
      }
    case .jsonl: data = try Self.lines(bytes, path)
    case .yaml: data = try Self.document(path, context)
    case .yamlDocuments: data = try Self.documents(path, context)
    case .csv:
      let csv = try Self.csv(try Self.text(bytes, path), path, separator)
      csv.hint(path, separator, context)
      do { data = try table?.rows(of: csv) ?? csv.value } catch {
        throw .content(path, reason: "\(error)")
      }
    }
    guard let table, input.format != .csv else { return }
    do { data = try table.rows(of: data) } catch { throw .content(path, reason: "\(error)") }
  }

  private static func csv(
    _ text: String, _ path: String, _ separator: CSVSeparator
  ) throws(FileProblem) -> CSV {
    do { return try CSV(reading: text, separator: separator) } catch {
      throw .content(path, reason: "\(error)")
    }
  }

  /// Returns the values of lines, without empty ones.
  private static func lines(_ bytes: [UInt8], _ path: String) throws(FileProblem) -> Value {
    var values: [Value] = []
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy({ " \t\r".utf8.contains($0) }) {
      let line = Array(line)
      do { values.append(try Value(json: line, limit: Folder.limit)) } catch {
        throw .content(path, reason: "line \(index + 1), \(Self.column(error, in: line))")
      }
    }
    return .list(values)
  }

  private static func text(_ bytes: [UInt8], _ path: String) throws(FileProblem) -> String {
    do { return try String(plainText: bytes) } catch {
      throw .content(path, reason: "\(error)")
    }
  }

  /// Describes a problem without the number of its line, which is the only one of its text.
  private static func column(_ error: JSONError, in line: [UInt8]) -> Substring {
    let text = error.description(in: line)
    let first = "line 1, "
    return text.hasPrefix(first) ? text.dropFirst(first.count) : text[...]
  }

  private static func document(_ path: String, _ context: Context) throws(FileProblem) -> Value {
    do throws(FileProblem) {
      return try reading(path) { try context.document(path).value }
    } catch {
      guard case .document(let problem) = error,
        (try? reading(path) { try context.documents(path) }.count) ?? 0 > 1
      else { throw error }
      let hint = "; 'as: yaml_documents' reads all of them"
      throw .document(
        DocumentError(path: path, position: problem.position, message: problem.message + hint))
    }
  }

  private static func documents(_ path: String, _ context: Context) throws(FileProblem) -> Value {
    .list(try reading(path) { try context.documents(path) }.map(\.value))
  }

  private static func reading<Content>(
    _ path: String, _ work: () throws -> Content
  ) throws(FileProblem) -> Content {
    do { return try work() } catch let error as DocumentError {
      throw .document(error)
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .content(path, reason: "\(error)")
    }
  }
}

extension CSV {
  /// Logs the likely separator of a table that seems to have a single column.
  fileprivate func hint(_ path: String, _ separator: CSVSeparator, _ context: Context) {
    guard separator == .comma, names.count == 1, let other = CSVSeparator.likely(in: names[0])
    else { return }
    context.log("'\(path)' seems to have the separator '\(other.text)'; give it in 'separator'")
  }
}
