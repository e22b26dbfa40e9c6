internal import FlowSystem

/// The scenarios of the previous import into a folder, as they were generated.
///
/// It is kept beside them, in a file for version control. A later import compares the scenarios with
/// it, and so knows the lines that a person wrote.
package struct ImportRecord: Sendable {
  package static let fileName = "import.lock"
  /// The most bytes read: 64 MiB.
  package static let largest = 64 << 20

  /// A generated scenario.
  struct Entry: Sendable {
    /// The name of its source.
    let source: String
    /// Its name within the source.
    let id: String
    /// The name of its file in the folder.
    let file: String
    /// Its text as it was last generated and accepted, or nil if the file is another's.
    var text: String?
    /// The text beside the file that a person has to merge, or nil.
    var offered: String?
  }

  var entries: [Entry] = []

  package init() {}

  /// Reads a record.
  ///
  /// - Throws: `ImportError` for a text that is no record.
  package init(reading bytes: [UInt8]) throws(ImportError) {
    let root = try PlacedJSON.read(bytes)
    guard root["flow-import"]?.text == "1", let scenarios = root["scenarios"] else {
      throw ImportError(line: 1, column: 1, message: "expected a record of imports, version 1")
    }
    for entry in scenarios.elements {
      guard let source = entry["source"]?.string, let id = entry["id"]?.string,
        let file = entry["file"]?.string, Self.isName(file), !has(source, id, file)
      else {
        throw ImportError(
          line: entry.line, column: 1,
          message: "expected an entry with 'source', a new 'id' and a new 'file' in this folder")
      }
      entries.append(
        Entry(
          source: source, id: id, file: file, text: Self.text(entry["text"]),
          offered: Self.text(entry["new"])))
    }
  }

  private func has(_ source: String, _ id: String, _ file: String) -> Bool {
    entries.contains {
      $0.source == source && $0.id == id || $0.file.lowercased() == file.lowercased()
    }
  }

  /// Returns true for the name of a scenario in the folder itself.
  private static func isName(_ file: String) -> Bool {
    file.hasSuffix(".yaml") && file.utf8.count < 200 && !file.hasPrefix(".")
      && file.unicodeScalars.allSatisfy { $0 != "/" && $0.value >= 0x20 }
  }

  private static func text(_ lines: PlacedJSON?) -> String? {
    lines.map { $0.elements.map { $0.string ?? "" }.joined(separator: "\n") }
  }

  /// The text of the file: a line of a scenario in each line, so that changes can be reviewed.
  package var text: String {
    let scenarios = entries.map { entry in
      var members: [JSON.Member] = [
        .init("source", .string(entry.source)), .init("id", .string(entry.id)),
        .init("file", .string(entry.file)),
      ]
      if let text = entry.text { members.append(.init("text", Self.lines(of: text))) }
      if let text = entry.offered { members.append(.init("new", Self.lines(of: text))) }
      return JSON.object(members)
    }
    let root = JSON.object([
      .init("flow-import", .number("1")), .init("scenarios", .array(scenarios)),
    ])
    return root.prettyLines.joined(separator: "\n") + "\n"
  }

  private static func lines(of text: String) -> JSON {
    .array(
      text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { .string(String($0)) })
  }
}
