import FlowCore
import FlowScenario
import HTTPPlugin
import Testing

@testable import FlowImport

/// An import repeated after random edits of the collection and of the files.
@Suite struct RepeatedImportTests {
  @Test func `an import repeated 200 times after edits on both sides loses nothing`() throws {
    var happened: Set<FolderImport.Change.Kind> = []
    for seed in 1...10 {
      var round = ImportRound(seed: UInt64(seed))
      try round.run()
      for _ in 0..<20 {
        round.editCollection()
        round.editFiles()
        try round.run()
        // Once more, without an edit in between.
        try round.run(expectsNothing: true)
      }
      happened.formUnion(round.kinds)
    }

    // The edits are such that everything happens.
    let kinds: Set<FolderImport.Change.Kind> = [
      .new, .changed, .merged, .kept, .conflict, .gone, .removed, .deleted, .unchanged,
    ]
    #expect(happened == kinds)
  }
}

/// The state of a folder and of a collection between imports.
private struct ImportRound {
  private struct Part {
    let id: Int
    var name: String
    var paths: [String]
  }

  private var random: SplitMix
  private var parts: [Part] = []
  private var files: [String: String] = [:]
  private var record = ImportRecord()
  private var next = 0
  private(set) var kinds: Set<FolderImport.Change.Kind> = []
  private let loader: ScenarioLoader?

  init(seed: UInt64) {
    random = SplitMix(state: seed)
    loader = (try? Registry([HTTP.self])).map { ScenarioLoader(registry: $0) }
    for _ in 0..<4 { addPart() }
  }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func newNumber() -> Int {
    next += 1
    return next
  }

  // MARK: - Edits

  private mutating func addPart() {
    let id = newNumber()
    let paths = (0..<(3 + number(6))).map { _ in "p\(newNumber())" }
    parts.append(Part(id: id, name: "Part \(id)", paths: paths))
  }

  mutating func editCollection() {
    for _ in 0..<number(4) {
      guard !parts.isEmpty else { return addPart() }
      let index = number(parts.count)
      let count = parts[index].paths.count
      switch number(12) {
      case 0: addPart()
      case 1: if parts.count > 2 { parts.remove(at: index) }
      case 2: parts[index].name = "Renamed \(newNumber())"
      case 3...5: parts[index].paths.insert("p\(newNumber())", at: number(count + 1))
      case 6, 7: if count > 1 { parts[index].paths.remove(at: number(count)) }
      case 8: parts[index].paths.append("{{v\(newNumber())}}")
      default: if count > 0 { parts[index].paths[number(count)] = "p\(newNumber())" }
      }
    }
  }

  mutating func editFiles() {
    for _ in 0..<number(5) {
      guard let file = files.keys.sorted().randomElement(using: &random) else { return }
      var lines = (files[file] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      let index = number(lines.count)
      switch number(14) {
      case 0: files[file] = nil
      case 1: files[file + ".new"] = nil
      case 2: files["part-\(next + 1).yaml"] = "# person \(newNumber())\n"
      case 3, 4: lines.remove(at: index)
      case 5, 6: lines[index] += " # person \(newNumber())"
      case 7: lines[index] = "# person \(newNumber())"
      default: lines.insert("# person \(newNumber())", at: index)
      }
      if files[file] != nil { files[file] = lines.joined(separator: "\n") }
    }
  }

  // MARK: - Imports

  private var collection: [UInt8] {
    let items = parts.map { part in
      let requests = part.paths.map { "{\"name\": \"\($0)\", \"request\": \"http://x.org/\($0)\"}" }
      return "{\"id\": \"\(part.id)\", \"name\": \"\(part.name)\", \"item\": ["
        + requests.joined(separator: ", ") + "]}"
    }
    return Array("{\"info\": {}, \"item\": [\(items.joined(separator: ", "))]}".utf8)
  }

  private func passesCheck(_ text: String) -> Bool {
    let source = ScenarioSource(file: "x.yaml", bytes: Array(text.utf8))
    return (try? loader?.plan(source)) != nil
  }

  mutating func run(expectsNothing: Bool = false) throws {
    let new = try Import.parts(
      of: ImportSource(name: "x.postman_collection.json", bytes: collection))
    let (before, old) = (files, record)
    // What a file cannot hold is no line of a record.
    record = try ImportRecord(reading: Array(record.text.utf8))
    let isPruning = !expectsNothing && number(4) == 0
    let result = FolderImport(
      new, over: record, isPruning: isPruning,
      content: { before[$0].map(FolderImport.Content.text) ?? .absent }, isScenario: passesCheck)
    for change in result.changes {
      if let text = change.text { files[change.file] = text }
      if let text = change.offered { files[change.file + ".new"] = text }
      if change.kind == .removed { files[change.file] = nil }
      kinds.insert(change.kind)
      if expectsNothing { #expect(!change.writes, "\(change)") }
    }
    record = result.record
    checkPerson(before)
    for (part, entry) in zip(new, result.record.entries) {
      let change = try #require(result.changes.first { $0.file == entry.file })
      let base = old.entries.first { $0.id == part.id }
      check(change, part.scenario, before, base: base)
    }
  }

  /// Expects every line of a person in the file in which it was.
  private func checkPerson(_ before: [String: String]) {
    for (file, text) in before {
      let own = text.split(separator: "\n").filter { $0.contains("# person") }
      let present = Set((files[file] ?? "").split(separator: "\n"))
      #expect(own.allSatisfy(present.contains), "\(file)\n\(text)\n---\n\(files[file] ?? "")")
    }
  }

  /// Expects everything new in a file, or beside it.
  private func check(
    _ change: FolderImport.Change, _ new: String, _ before: [String: String],
    base: ImportRecord.Entry?
  ) {
    let text = files[change.file]
    switch change.kind {
    case .new, .changed, .unchanged: #expect(text == new)
    case .deleted: #expect(text == nil && base?.text != nil)
    case .conflict:
      #expect(text == before[change.file])
      #expect(files[change.file + ".new"] == new || change.remark.contains("was edited and stays"))
    case .merged, .kept:
      // Of the lines that are new in the collection, none is missing.
      let known = [base?.text, base?.offered].compactMap(\.self)
      let added = Self.lines(new).subtracting(known.flatMap { Self.lines($0) })
      #expect(added.subtracting(Self.lines(text ?? "")).isEmpty, "\(change)\n\(new)")
      if change.kind == .merged, passesCheck(new), passesCheck(before[change.file] ?? "") {
        #expect(passesCheck(text ?? ""), "\(change)")
      }
    case .gone, .removed: Issue.record("a present scenario is gone: \(change.file)")
    }
  }

  private static func lines(_ text: String) -> Set<Substring> { Set(text.split(separator: "\n")) }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
