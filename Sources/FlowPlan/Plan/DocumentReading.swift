package import FlowCore

/// The readers of YAML and JSON files for components.
///
/// The loader of the scenario hands them in, so that a plan and its run need no parser.
package struct DocumentReading: Sendable {
  /// Reads the document at a path of a folder.
  package let one: @Sendable (Directory, String) throws -> Document
  /// Reads all documents of a YAML file at a path of a folder, none for an empty file.
  package let all: @Sendable (Directory, String) throws -> [Document]

  package init(
    one: @escaping @Sendable (Directory, String) throws -> Document,
    all: @escaping @Sendable (Directory, String) throws -> [Document]
  ) {
    (self.one, self.all) = (one, all)
  }
}
