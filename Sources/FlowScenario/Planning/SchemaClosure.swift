internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// A schema's file with all files that it refers to.
struct SchemaClosure {
  private(set) var documents = SchemaDocuments()
  /// The paths of the files by the URIs of their documents.
  private(set) var paths: [String: String] = [:]
  /// The reasons that files were not read, by the locations of the references to them.
  private(set) var failures: [String: SchemaFailure] = [:]
  private var files: [String: SchemaFile] = [:]
  private var waiting: [(SchemaFile, SchemaFile.Reference)] = []
  /// The reasons that files were not read, by the URIs of their documents.
  private var failed: [String: SchemaFailure] = [:]

  /// The most URIs of files: a link to a folder around it has any number of them.
  private static let most = 2_000

  mutating func add(_ file: SchemaFile, as uri: String) {
    documents[uri] = file.value
    paths[uri] = file.location
    paths[file.declaredURI(knownAs: uri)] = file.location
    files[file.location] = file
    // Of a file that is known by two URIs, the same references name other documents.
    guard paths.count < Self.most else { return }
    waiting += file.references(knownAs: uri).map { (file, $0) }
  }

  /// Takes the next reference to a document that was not read yet.
  mutating func next() -> (SchemaFile, SchemaFile.Reference)? {
    while let (file, reference) = waiting.popLast() {
      if paths[reference.uri] != nil { continue }
      guard let failure = failed[reference.uri] else { return (file, reference) }
      note(failure, of: reference, in: file)
    }
    return nil
  }

  mutating func note(
    _ failure: SchemaFailure, of reference: SchemaFile.Reference, in file: SchemaFile
  ) {
    failed[reference.uri] = failure
    failures["\(file.location)#\(reference.pointer)"] = failure
  }

  /// Returns the file and the pointer of a location, or nil for a location in none of the files.
  func place(of location: String) -> (SchemaFile, pointer: String)? {
    let parts = location.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let file = paths[String(parts[0])].flatMap({ files[$0] }) else {
      return nil
    }
    return (file, String(parts[1]))
  }
}
