/// Reads a collection of Postman, version 2.0 or 2.1.
///
/// All its requests become one scenario, or those of each folder a separate one.
struct PostmanFile {
  private let root: PlacedJSON
  private let environments: [PlacedJSON]
  private var groups: [PostmanGroup] = []
  /// The variables that scripts set, with the numbers of their groups.
  private var setBy: [String: Set<Int>] = [:]

  /// - Throws: `ImportError` for invalid JSON, and for a file without a list of items.
  init(_ bytes: [UInt8], environments: [PlacedJSON]) throws(ImportError) {
    root = try PlacedJSON.read(bytes)
    self.environments = environments
    guard case .array? = root["item"]?.content else {
      throw ImportError(
        line: root.line, column: 1, message: "expected a collection of Postman with a list 'item'")
    }
    let name = root["info"]?["name"]?.text ?? "collection"
    var start = PostmanGroup(name: name)
    start.enter(root)
    collect(root, in: start)
  }

  /// Collects the requests of a folder, and then those of the folders in it.
  private mutating func collect(_ folder: PlacedJSON, in group: PostmanGroup) {
    var (group, folders, ids) = (group, [(PlacedJSON, PostmanGroup)](), [String: Int]())
    for item in folder["item"]?.elements ?? [] {
      guard item["item"] != nil else {
        group.requests.append(item)
        continue
      }
      let name = item["name"]?.text ?? "folder"
      ids[name, default: 0] += 1
      var inner = group
      inner.requests = []
      inner.path.append(name)
      inner.id = item["id"]?.string ?? item["_postman_id"]?.string
      inner.numbers.append(ids[name] ?? 1)
      inner.enter(item)
      folders.append((item, inner))
    }
    if !group.requests.isEmpty { groups.append(group) }
    for (item, inner) in folders { collect(item, in: inner) }
  }

  /// Returns all requests as one scenario, in the order of the folders.
  func scenario() throws(ImportError) -> ImportedScenario {
    var builder = PostmanScenario(variables: PostmanVariables(root, environments))
    for group in groups { try builder.add(group) }
    return builder.finished(named: groups.first?.name ?? "collection", tags: [])
  }

  /// Returns the requests of each folder as a scenario.
  func scenarios() throws(ImportError) -> [(group: PostmanGroup, scenario: ImportedScenario)] {
    var builders: [PostmanScenario] = []
    for group in groups {
      var builder = PostmanScenario(variables: PostmanVariables(root, environments))
      try builder.add(group)
      builders.append(builder)
    }
    // Variables of other folders are known only after all of them are read.
    let set = Set(builders.flatMap(\.setVariables))
    return zip(groups, builders).map { group, builder in
      var builder = builder
      builder.noteInputs(setElsewhere: set)
      let tags = group.path.map { FileName($0, or: "folder").text }
      return (group, builder.finished(named: group.path.last ?? group.name, tags: tags))
    }
  }
}

/// The requests of one folder, with everything that they inherit.
struct PostmanGroup {
  let name: String
  /// The names of the folders, from the outside in.
  var path: [String] = []
  /// The numbers of folders with an equal name, from 1.
  var numbers: [Int] = []
  /// The folder's own id, or nil.
  var id: String?
  var requests: [PlacedJSON] = []
  private(set) var auth: PlacedJSON?
  private(set) var events: [PlacedJSON] = []
  /// The variables of the folders.
  private(set) var variables: [PlacedJSON] = []

  init(name: String) { self.name = name }

  /// Adds what a folder or a collection hands down.
  mutating func enter(_ item: PlacedJSON) {
    if let own = item["auth"] { auth = own }
    events += item["event"]?.elements ?? []
    if !path.isEmpty { variables += item["variable"]?.elements ?? [] }
  }

  /// The name that stays the same as long as the folder has its id, or its place and name.
  var stableID: String {
    if let id { return "folder \(id)" }
    let parts = zip(path, numbers).map { $1 == 1 ? $0 : "\($0) #\($1)" }
    return parts.isEmpty ? "collection" : parts.joined(separator: " / ")
  }
}

/// The known values of a collection's variables.
struct PostmanVariables {
  struct Known {
    let value: String
    let isSecret: Bool
    let line: Int
  }

  private(set) var known: [String: Known] = [:]
  /// The parts that were left out, with their lines.
  private(set) var notes: [ImportNote] = []

  /// The variables of a collection, replaced by those of environments.
  init(_ root: PlacedJSON, _ environments: [PlacedJSON]) {
    add(root["variable"]?.elements ?? [], line: nil)
    for environment in environments {
      // The lines of another file mean nothing here.
      add(environment["values"]?.elements ?? [], line: 1)
    }
  }

  mutating func add(_ list: [PlacedJSON], line: Int? = nil) {
    for variable in list {
      guard let name = variable["key"]?.text ?? variable["id"]?.text, !name.isEmpty else {
        continue
      }
      if variable["disabled"]?.bool == true || variable["enabled"]?.bool == false {
        notes.append(
          ImportNote(
            line: line ?? variable.line, message: "the disabled variable '\(name)' is left out"))
        continue
      }
      let value = variable["value"]?.text ?? variable["initial"]?.text ?? ""
      let isSecret = variable["type"]?.text == "secret"
      known[name] = Known(value: value, isSecret: isSecret, line: line ?? variable.line)
    }
  }
}
