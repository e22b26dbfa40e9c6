internal import FlowCore
internal import FlowOpenAPI
internal import FlowSystem

/// Reads a description of OpenAPI.
///
/// All its operations become one scenario, or each a separate one.
struct DescriptionFile {
  private let description: OpenAPIDescription
  /// The operations without mistakes.
  private let operations: [OpenAPIOperation]
  /// The others, each with its first mistake.
  private let faulty: [(operation: OpenAPIOperation, fault: String)]
  /// The path of the description from the scenario's folder, or nil for a scenario without it.
  private let contract: String?

  /// - Throws: `ImportError` with the first problem of the description.
  init(_ source: ImportSource) throws(ImportError) {
    guard let read = source.read else {
      throw ImportError(line: 1, column: 1, message: "a description of OpenAPI needs its folder")
    }
    let name = String(source.name.split(separator: "/").last ?? "")
    do {
      description = try OpenAPIDescription(name, reading: read)
    } catch let error as OpenAPIError {
      throw ImportError(error, in: name)
    } catch let error as DocumentError {
      throw ImportError(at: error.position, in: nil, error.message)
    } catch {
      throw ImportError(line: 1, column: 1, message: "\(error)")
    }
    contract = source.contract
    if description.operations.isEmpty, !description.faults.isEmpty {
      throw ImportError(OpenAPIError(problems: description.faults), in: name)
    }
    if description.operations.isEmpty {
      throw ImportError(line: 1, column: 1, message: "the description has no operations")
    }
    let all = description.operations.map { (operation: $0, fault: $0.faults().first) }
    operations = all.filter { $0.fault == nil }.map(\.operation)
    faulty = all.compactMap { each in each.fault.map { (each.operation, $0) } }
    if operations.isEmpty, let (operation, fault) = faulty.first {
      if !operation.partFaults.isEmpty {
        throw ImportError(OpenAPIError(problems: operation.partFaults), in: name)
      }
      throw ImportError(
        line: operation.line, column: 1,
        message: "no operation can be imported; of '\(operation.name.onOneLine)': "
          + fault.onOneLine)
    }
  }

  /// Returns all operations as one scenario.
  func scenario() throws(ImportError) -> ImportedScenario {
    var scenario = ImportedScenario()
    scenario.name = description.title.onOneLine
    for operation in operations {
      var builder = OperationBuilder(operation, contract, scenario)
      let request = builder.request(isNamed: true)
      scenario = builder.scenario
      try scenario.append(request)
    }
    noteWhole(&scenario)
    return scenario
  }

  /// A scenario of one operation.
  struct Part {
    /// The `operationId`, or the method and the path.
    let id: String
    let fileName: String
    let scenario: ImportedScenario
  }

  /// Returns each operation as a scenario.
  func scenarios() throws(ImportError) -> [Part] {
    var (parts, ids) = ([Part](), Set<String>())
    for operation in operations {
      let isNew = operation.id.map { !$0.isEmpty && ids.insert($0).inserted } ?? false
      // An id that occurs twice names its first operation alone.
      let id = isNew ? operation.id ?? operation.name : operation.name
      ids.insert(id)
      var builder = OperationBuilder(operation, contract, ImportedScenario())
      let request = builder.request(isNamed: false)
      var scenario = builder.scenario
      scenario.name = operation.title
      scenario.tags = operation.tags.map { FileName($0, or: "tag").text }.unique
      try scenario.append(request)
      if parts.isEmpty { noteWhole(&scenario) }
      let file = FileName(id.separatingWords, or: "operation").text
      parts.append(Part(id: id, fileName: file, scenario: scenario))
    }
    return parts
  }

  /// Notes what belongs to no operation.
  private func noteWhole(_ scenario: inout ImportedScenario) {
    if contract == nil {
      scenario.note(
        1,
        "the scenarios have no contract, since they are in no project with the description; "
          + "create 'flow.yaml' around both and import again")
    }
    for (operation, fault) in faulty {
      scenario.note(
        operation.line,
        "'\(operation.name.onOneLine)' is not imported, since the description is wrong: "
          + fault.onOneLine)
    }
    for (name, line) in description.webhooks() {
      scenario.note(line, "\(name.onOneLine) is not imported")
    }
  }
}

extension OpenAPIOperation {
  /// The summary, or the method and the path.
  var title: String { summary.trimmed.isEmpty ? name : summary.trimmed.onOneLine }
}

extension ImportError {
  /// Creates the error for the first problem of a description.
  fileprivate init(_ error: OpenAPIError, in file: String) {
    let problem = error.problems.first
    let more = error.problems.count - 1
    let rest = more > 0 ? ", and \(more) more \(more == 1 ? "problem" : "problems")" : ""
    let other = problem.map { $0.file == file ? nil : $0.file } ?? nil
    self.init(at: problem?.position, in: other, (problem?.message ?? "") + rest)
  }

  /// Creates an error at a position of the file, or of another one that it refers to.
  fileprivate init(at position: Position?, in other: String?, _ message: String) {
    let (line, column) = (position?.line ?? 1, position?.column ?? 1)
    if let other {
      self.init(line: 1, column: 1, message: "'\(other.onOneLine)', line \(line): \(message)")
    } else {
      self.init(line: line, column: column, message: message)
    }
  }
}

extension String {
  /// The text with a hyphen before each word of `listOpenOrders`.
  fileprivate var separatingWords: String {
    var (text, wasSmall) = ("", false)
    for scalar in unicodeScalars {
      let isCapital = scalar.properties.isUppercase
      if isCapital, wasSmall { text += "-" }
      text.unicodeScalars.append(scalar)
      wasSmall = scalar.properties.isLowercase || scalar.properties.numericType == .decimal
    }
    return text
  }
}
