import FlowCore

/// The inputs of `write`.
struct WriteInput: Sendable {
  var path: String
  var text: String?
  var data: Value
  var bytes: Bytes?
  var format: FileFormat?
  var mode: String?
  var separator: String?

  static let record = Record(
    WriteInput.init(path:text:data:bytes:format:mode:separator:), Files.pathField(\.path),
    Field("text", \.text, "The content as text."),
    Field("data", \.data, "The content as a value, written in the format 'as'.", default: .null),
    Field("bytes", \.bytes, "The content as bytes."),
    Field("as", \.format, "The format of 'data', json if absent."),
    Field("mode", \.mode, FileMode.summary, examples: ["755"], hint: FileMode.hint),
    Field("separator", \.separator, ReadInput.separatorSummary, examples: [";"]))
}

/// The content to write.
struct NewContent: Sendable {
  let bytes: [UInt8]

  /// Creates the content from the one given form.
  ///
  /// - Throws: `.unfit`.
  init(_ input: WriteInput) throws(FileProblem) {
    let (path, text, data, bytes) = (input.path, input.text, input.data, input.bytes)
    let isData = data != .null || (text == nil && bytes == nil && input.format?.isOfData == true)
    guard [text != nil, isData, bytes != nil].count(where: { $0 }) == 1 else {
      throw .unfit("give exactly one of 'text', 'data' and 'bytes'")
    }
    let format = input.format ?? (isData ? .json : text == nil ? .bytes : .text)
    let separator = try CSVSeparator(input.separator, format)
    switch (format, text, bytes) {
    case (.text, let text?, nil): self.bytes = Array(text.utf8)
    case (.bytes, nil, let bytes?): self.bytes = bytes.content
    case (.json, nil, nil):
      do { self.bytes = Array((try data.jsonText() + "\n").utf8) } catch {
        throw .unfit("cannot write '\(path)': \(error)")
      }
    case (.jsonl, nil, nil):
      let lines = try Self.elements(of: data, format)
      do { self.bytes = Array(try lines.map { try $0.jsonText() + "\n" }.joined().utf8) } catch {
        throw .unfit("cannot write '\(path)': \(error)")
      }
    case (.yaml, nil, nil): self.bytes = Array(YAMLText(data).text.utf8)
    case (.yamlDocuments, nil, nil):
      let documents = try Self.elements(of: data, format)
      self.bytes = Array(documents.map { "---\n" + YAMLText($0).text }.joined().utf8)
    case (.csv, nil, nil):
      do { self.bytes = Array(try CSV(data).text(separator).utf8) } catch {
        throw .unfit("\(error)")
      }
    default: throw .unfit("the content does not fit 'as: \(format.rawValue)'")
    }
  }

  private static func elements(
    of data: Value, _ format: FileFormat
  ) throws(FileProblem) -> [Value] {
    guard case .list(let values) = data else {
      throw .unfit("'as: \(format.rawValue)' needs a list")
    }
    return values
  }
}
