import FlowCore
import FlowSchema
import TestKit
import Testing

// Skipped, and said so, where the cases are not here.
@Suite(.enabled(if: OfficialCases.jsonschema.isHere, "\(OfficialCases.jsonschema.absence)"))
struct OfficialCaseTests {
  @Test func `the cases are all there`() {
    #expect(OfficialCase.all.count == OfficialCases.jsonschema.count)
  }

  @Test(arguments: OfficialCase.files)
  func `every case of a file has the verdict that the suite demands`(_ file: String) {
    let wrong = OfficialCase.all.filter { $0.file == file }.compactMap(\.difference)

    #expect(wrong == [])
  }
}

/// One case of the official suite.
struct OfficialCase {
  let file: String
  let name: String
  let schema: Value
  let data: Value
  let isValid: Bool
  let draft: SchemaDraft

  /// The cases in the order of the suite.
  static let all: [OfficialCase] = cases(in: suite)
  /// The files of the suite, such as `draft7/items.json`.
  static let files: [String] = all.map(\.file).reduce(into: []) { files, file in
    if files.last != file { files.append(file) }
  }

  private static let suite = OfficialCases.jsonschema.bytes.flatMap { try? Value(json: $0) }
  private static let documents: SchemaDocuments = {
    var documents = SchemaDocuments()
    guard case .map(let map)? = suite, case .map(let remotes)? = map["remotes"] else {
      return documents
    }
    for entry in remotes.entries { documents[entry.key.interpolated] = entry.value }
    return documents
  }()

  private static func cases(in suite: Value?) -> [OfficialCase] {
    guard case .map(let map)? = suite, case .list(let cases)? = map["cases"] else { return [] }
    return cases.compactMap { OfficialCase($0) }
  }

  private init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let suite)? = map["suite"],
      case .string(let file)? = map["file"], case .string(let group)? = map["group"],
      case .string(let test)? = map["test"], case .bool(let isValid)? = map["valid"],
      let schema = map["schema"], let data = map["data"]
    else { return nil }
    self.file = "\(suite)/\(file)"
    name = "\(group): \(test)"
    draft = suite == "draft7" ? .draft7 : .draft2020
    (self.schema, self.data, self.isValid) = (schema, data, isValid)
  }

  /// The case with the reason why it fails, or nil.
  var difference: String? {
    do {
      var options = SchemaOptions()
      options.draft = draft
      options.assertsFormat = file.contains("/optional/format/")
      options.assertsContent = file == "draft7/optional/content.json"
      let schema = try Schema(schema, in: Self.documents, options: options)
      let violations = try schema.validate(data)
      guard try schema.accepts(data) == violations.isEmpty else { return "\(name): two verdicts" }
      return violations.isEmpty == isValid ? nil : "\(name): \(isValid ? "\(violations)" : "valid")"
    } catch {
      return "\(name): \(error)"
    }
  }
}
