package import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// A loader of a main scenario and of the files that it includes, each once.
///
/// A class, because the planners of all files share it. It does not outlive the loading.
final class ScenarioLibrary {
  enum Inclusion {
    case plan(Plan)
    /// Nothing: the file's problems are among `errors`. Its secret inputs, as far as they can be read.
    case broken(secretInputs: Set<String>)
    case problem(Problem)
  }

  /// Plans a file's text.
  ///
  /// Called once for each included file. `include` finds the files included there.
  ///
  /// Throws the errors of this file. Those of others are in `errors`.
  typealias Planning = (
    consuming ScenarioSource, ScenarioLibrary, DiagnosticCollector
  ) throws(ScenarioError) -> Plan

  private struct Level {
    let path: String
    let file: String
    let place: SourceSpan
  }

  /// The greatest depth of inclusions, without the main file.
  static let deepest = 32
  private static let most = 1_000

  /// The indexes of the files, by their paths.
  private(set) var indexes: [String: ScenarioIndex] = [:]
  /// The tree of the main scenario's text, kept for those who ask for indexes.
  private(set) var root: Node?
  private let makesIndexes: Bool
  private let planning: Planning
  private let main: String
  private let given: ScenarioFiles?
  // Made when the first step asks for it: most scenarios include nothing.
  private lazy var files = given ?? ScenarioFiles(around: main.folderOrHere)
  /// The schemas that the scenarios name.
  private(set) lazy var schemas = SchemaLibrary(files) { [main] in Self.shown($0, from: main) }
  private lazy var mainPath = (try? files.location(main.lastPart)) ?? main.lastPart
  private var levels: [Level] = []
  private var entries: [String: Inclusion] = [:]
  /// The error of each included file, or nil.
  private var found: [ScenarioError?] = []
  private var notes: [ObjectIdentifier: String] = [:]
  /// The bytes left for the remaining files together.
  private var remainingBytes = ScenarioSource.largest

  /// Creates a library for the scenario in a file.
  ///
  /// Without `files` it includes those of its project, or of its folder. `makesIndexes` is true for
  /// tools that show the scenarios.
  init(
    main: String, files: ScenarioFiles?, makesIndexes: Bool, planning: @escaping Planning
  ) {
    self.makesIndexes = makesIndexes
    self.planning = planning
    self.main = main
    given = files
  }

  var errors: [ScenarioError] { found.compactMap { $0 } }
  /// The empty index of a file that is about to be planned, or nil if nobody asks for it.
  func newIndex(of file: String) -> IndexBuilder? {
    makesIndexes ? IndexBuilder(file: file) : nil
  }

  /// Keeps the tree of the present file if it is the main one.
  func keep(_ root: Node) { if makesIndexes, levels.isEmpty { self.root = root } }

  /// Keeps the index of the present file.
  func keep(_ index: ScenarioIndex) { indexes[path] = index }

  var path: String { levels.last?.path ?? main.lastPart }

  /// Includes the file named by a `scenario:` of the present file.
  func include(_ text: String, at span: Span) -> Inclusion {
    do throws(FileError) {
      // An absolute path stays one, and is refused.
      let isAbsolute = text.utf8.first == UInt8(ascii: "/")
      let path = try files.location(isAbsolute ? text : self.path.folder + text)
      if path == mainPath || levels.contains(where: { $0.path == path }) {
        return .problem(.includesItself(path))
      }
      guard let known = entries[path] else { return try load(path, at: span) }
      return checked(known)
    } catch {
      // The author's own path, not the one from the main file's folder.
      let own = FileError(error.kind, path: text, reason: error.reason)
      return .problem(.unreadableScenario(own, from: levels.last?.file ?? main))
    }
  }

  /// The descriptions of services that were read, as the user would name them.
  private(set) var readDocuments: Set<String> = []

  /// Reads a YAML or JSON file by its path from the present file's folder.
  ///
  /// Throws `FileError` or `DocumentError`, with the path as it was asked for.
  func document(_ text: String) throws -> Document {
    let bytes: [UInt8]
    do throws(FileError) {
      let path = try files.location(fromHere(text))
      bytes = try files.read(path, DocumentReader.largest)
      readDocuments.insert(Self.shown(path, from: main))
    } catch {
      throw FileError(error.kind, path: text, reason: error.reason)
    }
    return try DocumentReader.document(text, bytes)
  }

  /// Returns the path of a file that the present file names, from the main file's folder.
  ///
  /// Without links and dots if the file can be found.
  func location(of text: String) -> String {
    let path = fromHere(text)
    // A file that cannot be found was reported when it was read.
    return (try? files.location(path)) ?? path
  }

  /// Returns the file that the present file names, as diagnostics show it.
  func file(of text: String) -> String { Self.shown(location(of: text), from: main) }

  private func fromHere(_ text: String) -> String {
    // An absolute path stays one.
    text.utf8.first == UInt8(ascii: "/") ? text : path.folder + text
  }

  /// The place where the fields of a record are declared, if they are the outputs of an included
  /// file.
  func note(onFieldsOf record: RecordType) -> String? { notes[ObjectIdentifier(record)] }

  /// Remembers where the fields of a record are declared.
  ///
  /// The record lives as long as the plan.
  func note(_ text: String, onFieldsOf record: RecordType) {
    notes[ObjectIdentifier(record)] = text
  }

  // MARK: - Files

  /// A file that was loaded before, unless its inclusions are too deep from here.
  private func checked(_ known: Inclusion) -> Inclusion {
    guard case .plan(let plan) = known, levels.count + 1 + plan.depth > Self.deepest else {
      return known
    }
    return .problem(.nestedTooDeep(limit: Self.deepest))
  }

  private func load(_ path: String, at span: Span) throws(FileError) -> Inclusion {
    guard levels.count < Self.deepest else { return .problem(.nestedTooDeep(limit: Self.deepest)) }
    guard found.count < Self.most else { return .problem(.tooManyFiles(limit: Self.most)) }
    let bytes = try files.read(path, remainingBytes)
    remainingBytes -= bytes.count
    let source = ScenarioSource(file: Self.shown(path, from: main), bytes: bytes)
    let place = SourceSpan(span, file: levels.last?.file ?? main)
    levels.append(Level(path: path, file: source.file, place: place))
    defer { levels.removeLast() }
    let entry = inclusion(of: source)
    entries[path] = entry
    return entry
  }

  /// The file as diagnostics show it.
  private static func shown(_ path: String, from main: String) -> String {
    let file = main.folder + path
    // Where a link leads to the scenario's folder, `..` could not be left out of the text.
    guard path.hasPrefix("../"), let full = FileSystem.realPath(file) else { return file }
    return Path.shown(full)
  }

  private func inclusion(of source: ScenarioSource) -> Inclusion {
    let number = found.count
    found.append(nil)
    let diagnostics = DiagnosticCollector(file: source.file)
    do throws(ScenarioError) {
      let plan = try planning(source, self, diagnostics)
      notes[ObjectIdentifier(plan.outputType)] = Problem.declarationNote(
        "outputs", of: plan.path, at: plan.outputsPlace?.span(in: plan.file))
      return .plan(plan)
    } catch {
      let chain = levels.reversed().map { Problem.includedNote($0.place) }
      found[number] = error.noting(chain)
      return .broken(secretInputs: diagnostics.secretInputs)
    }
  }
}

extension String {
  /// The path up to its last part, with the slash.
  ///
  /// Empty for a name alone.
  var folder: String { utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[...$0]) } ?? "" }
  fileprivate var folderOrHere: String { folder.isEmpty ? "." : folder }
  var lastPart: String { String(decoding: utf8.dropFirst(folder.utf8.count), as: UTF8.self) }
}

/// The source of the files that a scenario includes.
///
/// Their paths are relative to its folder, and may lead to folders around it in its project.
package struct ScenarioFiles: Sendable {
  /// The one path of a file that has several, without links and dots.
  ///
  /// Throws `FileError` for a path out of the folder, or without a file.
  let location: @Sendable (String) throws(FileError) -> String
  let read: @Sendable (_ location: String, _ limit: Int) throws(FileError) -> [UInt8]
  /// The names of the files in a folder, for suggestions, empty without any.
  private(set) var names: @Sendable (_ folder: String) -> [String] = { _ in [] }

  /// The files of the project around a scenario's folder, or of the folder alone without one.
  ///
  /// Paths cannot leave it.
  init(around folder: String) {
    guard let project = ProjectFolder.path(around: folder), let full = FileSystem.realPath(folder),
      let inner = Path.inside(full, of: project)
    else {
      self.init(in: Directory(folder))
      names = { Self.names(in: Path.joined(folder, $0)) }
      return
    }
    self.init(in: Directory(project), from: inner == "." ? "" : inner + "/")
    names = { Self.names(in: Path.joined(folder, $0)) }
  }

  /// The files of `init(around:)`, some of them with other texts than on the disk.
  ///
  /// `text` gets the path of each file that is read, and returns nil to read the disk.
  package init(around folder: String, text: @escaping @Sendable (String) -> [UInt8]?) {
    let files = ScenarioFiles(around: folder)
    (location, names) = (files.location, files.names)
    read = { location, limit throws(FileError) in
      let path = Path.joined(folder, location)
      if let bytes = text(path), bytes.count <= limit { return bytes }
      return try files.read(location, limit)
    }
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileSystem.entries(ifThere: Path.plain(folder))) ?? [])
      .filter { $0.kind == .file }.map(\.name)
  }

  /// The files of a folder, which paths cannot leave.
  package init(in folder: Directory) {
    location = { path throws(FileError) in try folder.location(of: path) }
    read = { path, limit throws(FileError) in try folder.read(path, limit: limit) }
  }

  /// The files of a project, seen from a folder in it.
  private init(in project: Directory, from folder: String) {
    location = { path throws(FileError) in
      do throws(FileError) {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        let place = try project.location(of: isAbsolute ? path : folder + path)
        return Path.way(from: folder, to: place)
      } catch {
        guard error.kind == .forbidden else { throw error }
        let reason = "the path is outside the project's folder"
        throw FileError(.forbidden, path: path, reason: reason)
      }
    }
    read = { path, limit throws(FileError) in try project.read(folder + path, limit: limit) }
  }

  /// Files that are not on the disk.
  ///
  /// `read` gets clean paths, and throws for an unknown one.
  package init(reading read: @escaping @Sendable (String) throws(FileError) -> [UInt8]) {
    location = { path throws(FileError) in try Self.clean(path) }
    self.read = { path, _ throws(FileError) in try read(path) }
  }

  private static func clean(_ path: String) throws(FileError) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        throw FileError(.forbidden, path: path)
      }
    }
    if path.hasPrefix("/") { throw FileError(.forbidden, path: path) }
    return parts.joined(separator: "/")
  }
}
