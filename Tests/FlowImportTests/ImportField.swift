import FlowCore
import FlowYAML
import HTTPPlugin
import UpstreamPlugin

/// A field of a scenario that a file of another tool may have a value for: a row of the table.
struct ImportField: Sendable, Hashable, CustomStringConvertible {
  /// The part of the scenario: `settings`, `request`, `expect`, `upstream` or `step`.
  let group: String
  /// The name, with those of the fields around it: `auth.digest.user`.
  let name: String

  init(_ group: String, _ name: String) { (self.group, self.name) = (group, name) }

  /// Creates a field from its description.
  init(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    self.init(parts[0], parts[1])
  }

  var description: String { "\(group) \(name)" }

  /// Operations that pass on requests of another program, which no file of requests has.
  private static let ofPrograms = ["exchange", "piece"]

  /// All fields that the plugins declare, in their order.
  static func all() throws -> [ImportField] {
    let plugins = try Registry([HTTP.self, Upstream.self]).plugins
    var (fields, records) = ([ImportField](), [RecordType]())
    for plugin in plugins {
      let isUpstream = plugin.plugin.name == "upstream"
      fields += rows(isUpstream ? "upstream" : "settings", plugin.settings, &records)
      for operation in plugin.operations where !ofPrograms.contains(operation.name) {
        if isUpstream {
          fields.append(ImportField("upstream", operation.name))
          continue
        }
        // Most operations share the fields of a request.
        let isOwn = ["call", "cookies", "graphql", "set_headers"].contains(operation.name)
        for row in rows("request", operation.input, &records) {
          let name = isOwn ? "\(operation.name) \(row.name)" : row.name
          fields.append(ImportField("request", name))
        }
      }
      guard !isUpstream, let get = plugin.operations.first else { continue }
      let answers = get.output.fields.map(\.name) + get.output.computedFields.map(\.name)
      fields += answers.map { ImportField("expect", $0) }
    }
    var known: Set<ImportField> = []
    return fields.filter { field in
      let isInParts = fields.contains { $0.description.hasPrefix("\(field).") }
      return !isInParts && known.insert(field).inserted
    }
  }

  /// The fields of a record, and once those of each record in it, but not those of a cookie.
  private static func rows(
    _ group: String, _ type: RecordType, _ records: inout [RecordType], below outer: String = ""
  ) -> [ImportField] {
    var rows: [ImportField] = []
    for field in type.fields {
      let name = outer + field.name
      guard outer + field.name != "set", let record = field.type.record,
        !records.contains(where: { $0 === record })
      else {
        rows.append(ImportField(group, name))
        continue
      }
      // Two logins are two ways in spite of their equal fields.
      if record.fields.count > 2 { records.append(record) }
      rows += Self.rows(group, record, &records, below: name + ".")
    }
    return rows
  }
}

extension ValueType {
  /// The record of a value, of an optional one, or of the elements of a list.
  fileprivate var record: RecordType? {
    switch self {
    case .record(let record): record
    case .optional(let type), .list(let type): type.record
    default: nil
    }
  }
}

/// The fields that an imported scenario has.
struct ImportedFields {
  private(set) var fields: Set<ImportField> = []

  init(_ scenario: String) throws {
    let root = try Node(parsing: Array(scenario.utf8))
    for component in root["components"].map({ Array($0.entries) }) ?? [] {
      guard component.value["plugin"]?.text == "http" else { continue }
      add("settings", component.value["with"], below: "")
    }
    for step in Self.items(root["steps"]) { add(step) }
  }

  private mutating func add(_ group: String, _ node: Node?, below outer: String) {
    guard let node else { return }
    for entry in node.entries {
      fields.insert(ImportField(group, outer + entry.key.text))
      add(group, entry.value, below: outer + entry.key.text + ".")
    }
    for item in node.items { add(group, item, below: outer) }
  }

  private static func items(_ node: Node?) -> [Node] { node.map { Array($0.items) } ?? [] }

  private mutating func add(_ step: Node) {
    for inner in Self.items(step["do"]) { add(inner) }
    for key in ["timeout", "retry"] where step[key] != nil {
      fields.insert(ImportField("step", key))
    }
    if let operation = step["uses"]?.text.split(separator: ".").last, operation != "get" {
      fields.insert(ImportField("request", "method"))
    }
    add("request", step["with"], below: "")
    add("expect", step["expect"], below: "")
    for condition in [step["expect"]].compactMap(\.self) + Self.items(step["assert"]) {
      addFields(readBy: condition.text)
    }
  }

  /// Adds `status` for `it.status` and `steps.get_a.status`.
  private mutating func addFields(readBy code: String) {
    let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
    for word in words {
      let names = word.split(separator: ".").map(String.init)
      if names.count > 1, names[0] == "it" { fields.insert(ImportField("expect", names[1])) }
      if names.count > 2, names[0] == "steps" { fields.insert(ImportField("expect", names[2])) }
    }
  }
}
