internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowSchema
internal import FlowSystem
internal import FlowYAML

/// The schemas of a project's files: each file is read once, and each schema compiled once.
///
/// A class, because the planners of all files share it. It does not outlive the loading.
final class SchemaLibrary {
  /// A use of a schema in a scenario.
  struct Use {
    let span: Span
    /// The scenario's path from the folder of the main scenario.
    let path: String
    let diagnostics: DiagnosticCollector
    let findsWarnings: Bool

    var place: SourceSpan { SourceSpan(span, file: diagnostics.file) }
  }

  private enum Entry {
    case read(SchemaFile)
    /// Its problem was reported.
    case broken
  }

  private static let mostFiles = 1_000
  private static let largest = 16 << 20

  private let files: ScenarioFiles
  private let shown: (String) -> String
  /// The files that were read, by their locations.
  private var entries: [String: Entry] = [:]
  /// The schemas by location and fragment, nil for one whose problems were reported.
  private var compiled: [String: CompiledSchema?] = [:]
  /// The locations of the unknown keywords that were reported.
  private var warned: Set<String> = []
  private var remainingBytes = SchemaLibrary.largest

  /// Creates a library of schemas in these files.
  ///
  /// `shown` returns a location as diagnostics show it.
  init(_ files: ScenarioFiles, shown: @escaping (String) -> String) {
    (self.files, self.shown) = (files, shown)
  }

  /// The files that were read, as the user would name them, sorted.
  var readFiles: [String] { entries.keys.sorted().map(shown) }

  /// Returns a compiled schema, or nil after a problem.
  func schema(_ reference: SchemaReference, _ use: Use) -> CompiledSchema? {
    if reference.isURL {
      return use.diagnostics.reject(.remoteSchema(reference.text), at: use.span)
    }
    let location: String
    do throws(FileError) {
      let isAbsolute = reference.path.utf8.first == UInt8(ascii: "/")
      let folder = isAbsolute ? "" : use.path.folder
      location = try files.location(folder + reference.path)
    } catch {
      return use.diagnostics.reject(unreadable(error, reference, use), at: use.span)
    }
    let key = "\(location)#\(reference.fragment ?? "")"
    let known = compiled[key] ?? load(location, reference, use)
    compiled[key] = .some(known)
    guard var schema = known else { return nil }
    warn(of: schema, use)
    // Another path may name the same file.
    schema.text = reference.text
    return schema
  }

  private func unreadable(
    _ error: FileError, _ reference: SchemaReference, _ use: Use
  ) -> Problem {
    let folder = use.path.folder + reference.path.folder
    let names = error.kind == .missing ? files.names(folder) : []
    let own = FileError(error.kind, path: reference.path, reason: error.reason)
    return .unreadableSchema(
      own, from: use.diagnostics.file,
      near: Suggestion.nearest(to: reference.path.lastPart, among: names)
        .map { reference.path.folder + $0 })
  }

  // MARK: - Compiling

  private func load(
    _ location: String, _ reference: SchemaReference, _ use: Use
  ) -> CompiledSchema? {
    var closure = SchemaClosure()
    do throws(FileError) {
      guard let file = try file(location, use) else { return nil }
      closure.add(file, as: location)
    } catch {
      return use.diagnostics.reject(unreadable(error, reference, use), at: use.span)
    }
    guard complete(&closure, use) else { return nil }
    let uri = location + (reference.fragment.map { "#" + $0 } ?? "")
    do throws(SchemaError) {
      let schema = try Schema(uri, in: closure.documents)
      return CompiledSchema(text: reference.text, schema: schema, files: closure.paths)
    } catch {
      report(error, uri, closure, use)
      return nil
    }
  }

  /// Reads the files that the schemas of a closure refer to, and those that these refer to.
  ///
  /// - Returns: False after a problem.
  private func complete(_ closure: inout SchemaClosure, _ use: Use) -> Bool {
    var isWhole = true
    while let (file, reference) = closure.next() {
      guard let path = reference.path else {
        closure.note(.remote(reference.text), of: reference, in: file)
        continue
      }
      do throws(FileError) {
        if let other = try self.file(files.location(path), use) {
          closure.add(other, as: reference.uri)
        } else {
          isWhole = false
        }
      } catch {
        closure.note(failure(error, path), of: reference, in: file)
      }
    }
    return isWhole
  }

  /// The failure to read a file, with its path from the folder of the main scenario.
  private func failure(_ error: FileError, _ path: String) -> SchemaFailure {
    let names = error.kind == .missing ? files.names(path.folder) : []
    return .unreadable(
      FileError(error.kind, path: path, reason: error.reason),
      near: Suggestion.nearest(to: path.lastPart, among: names))
  }

  /// Returns a file, or nil if it is broken, after the report of its problem.
  private func file(_ location: String, _ use: Use) throws(FileError) -> SchemaFile? {
    if let entry = entries[location] {
      if case .read(let file) = entry { return file }
      return nil
    }
    guard entries.count < Self.mostFiles else {
      throw FileError(
        .forbidden, path: location, reason: Problem.tooManySchemas(Self.mostFiles))
    }
    let bytes = try files.read(location, remainingBytes)
    remainingBytes -= bytes.count
    do throws(YAMLError) {
      let root = try Node(parsing: bytes, as: Format(ofFile: location))
      let file = SchemaFile(root, location: location, shown: shown(location))
      entries[location] = .read(file)
      return file
    } catch {
      let start = Position(line: 1, column: 1)
      let place = SourceSpan(error.span ?? Span(start: start, end: start), file: shown(location))
      use.diagnostics.add(.malformedSchemaFile(error.message, use.place), in: place)
      entries[location] = .broken
      return nil
    }
  }

  // MARK: - Problems

  private func report(
    _ error: SchemaError, _ uri: String, _ closure: SchemaClosure, _ use: Use
  ) {
    for problem in error.problems {
      // A document as a whole can only have a wrong '$schema'.
      let isWhole = problem.location == uri && !uri.utf8.contains(UInt8(ascii: "#"))
      let location = isWhole ? uri + "#/$schema" : problem.location
      guard isWhole || location != uri, let (file, pointer) = closure.place(of: location) else {
        // The part that the scenario names.
        use.diagnostics.add(.unknownSchemaPart(problem.message), at: use.span)
        continue
      }
      let failure = closure.failures["\(file.location)#\(pointer)"]
      use.diagnostics.add(
        .malformedSchema(problem.message, failure, use.place), in: file.span(at: pointer))
    }
  }

  private func warn(of schema: CompiledSchema, _ use: Use) {
    guard use.findsWarnings else { return }
    for keyword in schema.schema.unknownKeywords where !keyword.name.hasPrefix("x-") {
      let location = schema.location(keyword.location)
      guard warned.insert(location).inserted, let hash = location.utf8.firstIndex(of: 0x23),
        case .read(let file)? = entries[String(location[..<hash])]
      else { continue }
      let pointer = String(location[hash...].dropFirst())
      use.diagnostics.add(.unknownKeyword(keyword.message), in: file.span(at: pointer))
    }
  }
}

extension ScenarioLibrary {
  /// Returns the schema that the present file names at a place, or nil after a problem.
  func schema(
    _ reference: SchemaReference, at span: Span, _ diagnostics: DiagnosticCollector,
    findsWarnings: Bool
  ) -> CompiledSchema? {
    schemas.schema(
      reference,
      SchemaLibrary.Use(
        span: span, path: path, diagnostics: diagnostics, findsWarnings: findsWarnings))
  }

  /// Returns the schemas in the calls of `matches_schema` in an expression of the present file.
  ///
  /// Without those that have problems. `span` returns the place of a part of the text.
  func schemas(
    in text: String, _ diagnostics: DiagnosticCollector, findsWarnings: Bool,
    span: (Range<Int>) -> Span
  ) -> [String: NamedSchema] {
    var named: [String: NamedSchema] = [:]
    for (name, range) in Expression.schemaNames(in: text) {
      guard let reference = SchemaReference(name) else {
        diagnostics.add(.noSchemaPath(name), at: span(range))
        continue
      }
      named[name] =
        schema(reference, at: span(range), diagnostics, findsWarnings: findsWarnings)?.named
    }
    return named
  }
}
