internal import FlowSystem

/// An import into a folder, with what it does with each file.
///
/// A line that a person wrote is never lost. Both versions of a scenario are merged if they changed
/// different lines. Otherwise the file stays, and the new version is put beside it.
package struct FolderImport {
  /// The fate of one file.
  package struct Change: Sendable {
    package enum Kind: String, Sendable {
      case new, changed, merged, kept, conflict, gone, removed, deleted, unchanged
    }

    package let kind: Kind
    /// The name of the file in the folder.
    package let file: String
    /// The reason for a conflict, and other remarks.
    package var remark = ""
    /// The present text of the file, or nil if there is none.
    package var old: String?
    /// The text to write to the file, or nil.
    package var text: String?
    /// The text to write beside the file, or nil.
    package var offered: String?

    /// True if something is written or removed.
    package var writes: Bool { text != nil || offered != nil || kind == .removed }
  }

  /// The content of a path.
  package enum Content: Sendable {
    case absent
    case text(String)
    /// A folder, a link, or bytes that are no text.
    case other
  }

  /// The ending of a version put beside a file.
  package static let offer = ".new"

  package private(set) var changes: [Change] = []
  /// The record of this import.
  package private(set) var record = ImportRecord()

  private let content: (String) -> Content
  private let isScenario: (String) -> Bool

  /// Compares new scenarios with the files in a folder and with the previous import.
  ///
  /// - Parameters:
  ///   - parts: The new scenarios of one source.
  ///   - previous: The record of the previous import.
  ///   - isPruning: True to remove files of scenarios that are gone, if none was edited.
  ///   - content: Returns the content of a file in the folder.
  ///   - isScenario: Returns true if a text can be read as a scenario.
  package init(
    _ parts: [Import], over previous: ImportRecord, isPruning: Bool,
    content: @escaping (String) -> Content, isScenario: @escaping (String) -> Bool
  ) {
    self.content = content
    self.isScenario = isScenario
    let known = Dictionary(previous.entries.map { (Name($0.source, $0.id), $0) }) { first, _ in
      first
    }
    let names = Set(parts.map { Name($0.source, $0.id) })
    let sources = Set(parts.map(\.source))
    var taken = Set(previous.entries.map { $0.file.lowercased() })
    // A file of this name would make the folder a project.
    taken.insert("flow.yaml")
    for part in parts {
      var entry =
        known[Name(part.source, part.id)]
        ?? .init(
          source: part.source, id: part.id, file: Self.newName(part.fileName, &taken), text: nil,
          offered: nil)
      update(&entry, to: part.scenario)
      record.entries.append(entry)
    }
    for entry in previous.entries where !names.contains(Name(entry.source, entry.id)) {
      if sources.contains(entry.source) {
        leave(entry, isPruning: isPruning)
      } else {
        record.entries.append(entry)
      }
    }
  }

  /// The name of a scenario among those of all sources.
  private struct Name: Hashable {
    let source: String
    let id: String

    init(_ source: String, _ id: String) { (self.source, self.id) = (source, id) }
  }

  private static func newName(_ name: String, _ taken: inout Set<String>) -> String {
    var (file, number) = (name + ".yaml", 2)
    while !taken.insert(file.lowercased()).inserted {
      file = "\(name)-\(number).yaml"
      number += 1
    }
    return file
  }

  // MARK: - Present scenarios

  private mutating func update(_ entry: inout ImportRecord.Entry, to new: String) {
    let offer = content(entry.file + Self.offer)
    if let offered = entry.offered, case .absent = offer {
      // The person has taken the offered version into account and removed it.
      (entry.text, entry.offered) = (offered, nil)
    }
    switch content(entry.file) {
    case .absent: add(&entry, new)
    case .other: conflict(&entry, new, offer, nil, "it is not a file of text")
    case .text(let text):
      let written = WrittenText(text)
      if written.text.isIdentical(to: new) {
        finish(&entry, .unchanged, new, old: text)
      } else if let base = entry.text {
        update(&entry, from: base, written, to: new, offer)
      } else {
        conflict(&entry, new, offer, text, "it was not imported")
      }
    }
  }

  private mutating func add(_ entry: inout ImportRecord.Entry, _ new: String) {
    let isNew = entry.text == nil
    finish(&entry, isNew ? .new : .deleted, new, writing: isNew ? new : nil)
  }

  private mutating func update(
    _ entry: inout ImportRecord.Entry, from base: String, _ written: WrittenText,
    to new: String, _ offer: Content
  ) {
    let old = written.original
    if written.text.isIdentical(to: base) {
      return finish(&entry, .changed, new, old: old, writing: written.restored(new))
    }
    if new.isIdentical(to: base) { return finish(&entry, .kept, new, old: old) }
    let merge = ThreeWayMerge(base: base, ours: written.text, theirs: new)
    guard let text = merge.text else {
      let lines = merge.conflicts.map(\.ours.lineNumbers).joined(separator: ", ")
      return conflict(&entry, new, offer, old, "\(lines) changed on both sides")
    }
    if text.isIdentical(to: written.text) { return finish(&entry, .kept, new, old: old) }
    if !isScenario(text), isScenario(written.text), isScenario(new) {
      return conflict(&entry, new, offer, old, "both versions together do not pass 'flow check'")
    }
    finish(&entry, .merged, new, old: old, writing: written.restored(text))
  }

  private mutating func finish(
    _ entry: inout ImportRecord.Entry, _ kind: Change.Kind, _ new: String, old: String? = nil,
    writing text: String? = nil
  ) {
    entry.text = new
    entry.offered = nil
    changes.append(Change(kind: kind, file: entry.file, old: old, text: text))
  }

  private mutating func conflict(
    _ entry: inout ImportRecord.Entry, _ new: String, _ offer: Content, _ old: String?,
    _ reason: String
  ) {
    var change = Change(kind: .conflict, file: entry.file, remark: reason, old: old)
    let beside = "'\(entry.file)\(Self.offer)'"
    switch offer {
    case .text(let text) where text.isIdentical(to: new):
      change.remark += "; merge \(beside), then remove it"
    case .text(let text) where !text.isIdentical(to: entry.offered ?? new):
      // It may have lines of a person, too.
      change.remark += "; \(beside) was edited and stays: merge it, remove it, and import again"
      return changes.append(change)
    case .other:
      change.remark += "; \(beside) is not a file of text: remove it, and import again"
      return changes.append(change)
    case .absent, .text:
      change.offered = new
      change.remark += "; merge \(beside), then remove it"
    }
    entry.offered = new
    changes.append(change)
  }

  // MARK: - Scenarios that are gone

  private mutating func leave(_ entry: ImportRecord.Entry, isPruning: Bool) {
    var change = Change(kind: .gone, file: entry.file)
    switch content(entry.file) {
    case .absent: return
    case .text(let text) where WrittenText(text).text.isIdentical(to: entry.text ?? ""):
      change.old = text
      if isPruning {
        changes.append(Change(kind: .removed, file: entry.file, old: text))
        return
      }
      change.remark = "nobody edited it; '--prune' removes it"
    case .text, .other: change.remark = "it was edited and stays"
    }
    record.entries.append(entry)
    changes.append(change)
  }
}

/// The text of a file with `\n` at its line ends, as version control may have changed them.
private struct WrittenText {
  let original: String
  let text: String
  private let hasPairs: Bool

  init(_ original: String) {
    self.original = original
    let bytes = Array(original.utf8)
    let pairs = zip(bytes, bytes.dropFirst()).count { $0 == 0x0D && $1 == 0x0A }
    hasPairs = pairs > 0 && pairs == bytes.count { $0 == 0x0A }
    text = hasPairs ? original.replacing("\r\n", with: "\n") : original
  }

  /// Returns a text with the line ends of the file.
  func restored(_ text: String) -> String {
    hasPairs ? text.replacing("\n", with: "\r\n") : text
  }
}

extension Range<Int> {
  /// `line 3`, `lines 3 to 5`, or `line 3` for lines removed before it.
  fileprivate var lineNumbers: String {
    count < 2 ? "line \(lowerBound)" : "lines \(lowerBound) to \(upperBound - 1)"
  }
}
