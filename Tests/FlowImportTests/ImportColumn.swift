/// An importer, as a column of the table of fields.
///
/// Another importer is another column in `FieldTableTests`.
struct ImportColumn: Sendable {
  enum Cell: Sendable {
    /// The input becomes the field.
    case yes(String)
    /// The input becomes another field that does the same, such as `request headers`.
    case other(String, String)
    /// The input is left out, with a note that has this text.
    case note(String, String)
  }

  /// The use of files that an input has beside its first one.
  enum Beside: Sendable {
    /// The folder of all files is imported.
    case folder
    /// They are files with values of variables, with an environment `dev`.
    case environment
  }

  /// The name of the format.
  let title: String
  /// The name of the files with the inputs.
  let file: String
  let beside: Beside
  /// The cells by their fields; for all other fields the format has nothing.
  let cells: [ImportField: Cell]

  /// Creates a column from cells by the descriptions of their fields.
  init(
    _ title: String, file: String, beside: Beside = .folder, _ cells: KeyValuePairs<String, Cell>
  ) {
    (self.title, self.file, self.beside) = (title, file, beside)
    self.cells = Dictionary(cells.map { (ImportField($0.key), $0.value) }) { $1 }
  }

  /// Returns the files of an input, in which a line `=== NAME` begins another one.
  func files(of input: String) -> [(name: String, text: String)] {
    let parts = ("\n=== \(file)\n" + input).split(separator: "\n=== ")
    return parts.map { part in
      let end = part.firstIndex(of: "\n") ?? part.endIndex
      return (String(part[..<end]), String(part[end...].dropFirst()))
    }
  }

  /// Returns the arguments that import files with these names.
  func arguments(_ names: [String]) -> [String] {
    if names.count < 2 { return ["@/" + file] }
    switch beside {
    case .folder: return ["@/" + (file.split(separator: "/").first ?? "")]
    case .environment:
      return ["@/" + file] + names.dropFirst().flatMap { ["--environment", "@/\($0)#dev"] }
    }
  }
}
