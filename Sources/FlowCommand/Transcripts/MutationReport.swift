internal import FlowCore
internal import FlowTranscript

/// Which changes of recorded answers a scenario noticed.
struct MutationReport {
  /// Changes of one kind: of one part of the answers of one step, in all iterations and elements.
  private struct Kind {
    let step: String
    let name: String
    let path: String
    var count = 0
    var noticed = 0
    /// Where a value went on to first.
    var destination: String?
    /// The first change that was not noticed.
    var example = ""
  }

  let scenario: String
  /// How many changes can be made.
  let all: Int
  private var kinds: [Kind] = []
  private var indices: [String: Int] = [:]
  private var results: [(mutation: Mutation, effect: Mutation.Effect)] = []

  /// A report without results.
  init(scenario: String, all: Int) {
    self.scenario = scenario
    self.all = all
  }

  /// How many changes were tried.
  var count: Int { results.count }

  /// How many were noticed.
  var noticed: Int { results.count { $0.effect.isNoticed } }

  /// The noticed part of those that were tried in percent, rounded down; 100 when there were none.
  var score: Int { count == 0 ? 100 : noticed * 100 / count }

  /// Takes the result of one change.
  mutating func add(_ mutation: Mutation, _ effect: Mutation.Effect) {
    results.append((mutation, effect))
    let step = mutation.address.prefix { $0 != "#" }
    let path = mutation.path.withoutIndices
    let index = indices["\(step) \(path)"] ?? kinds.count
    if index == kinds.count {
      indices["\(step) \(path)"] = index
      kinds.append(Kind(step: String(step), name: mutation.name, path: path))
    }
    kinds[index].count += 1
    kinds[index].noticed += effect.isNoticed ? 1 : 0
    if case .passedOn(let address) = effect, kinds[index].destination == nil {
      kinds[index].destination = address
    }
    guard !effect.isNoticed, kinds[index].example.isEmpty else { return }
    kinds[index].example = "\(mutation.address): \(mutation.before) -> \(mutation.after)"
  }

  /// The report for people: a line for each kind of value whose change was not always noticed.
  var text: String {
    let open = kinds.filter { $0.noticed < $0.count }
    let noticed = "\(noticed) of \(count) changes of recorded values were noticed"
    var text = "\(scenario): \(noticed), \(score) %\n"
    if count < all { text += "  \(all - count) further changes were not tried; see --limit\n" }
    if !open.isEmpty { text += "\nnot noticed:\n" }
    text += HelpText.columns(
      open.map { kind in
        let what = kind.path.isEmpty ? "the answer" : kind.path
        let times = kind.count == 1 ? "" : "\(kind.count - kind.noticed) of \(kind.count), "
        let way = kind.destination.map { "; it went on to \($0)" } ?? ""
        return ("\(kind.step)  \(what)", Value.onOneLine("(\(times)\(kind.example)\(way))"))
      })
    return text
  }

  /// The report for machines: one JSON object, every change by itself.
  var json: String {
    let changes = results.map { mutation, effect in
      JSON.object(
        [
          .init("at", .string(mutation.address)), .init("call", .string(mutation.name)),
          .init("path", .string("\(mutation.path)")), .init("before", .string(mutation.before)),
          .init("after", .string(mutation.after)), .init("effect", .string(effect.name)),
        ] + (effect.place.map { [.init("to", .string($0))] } ?? []))
    }
    var writer = JSONWriter()
    writer.value(
      .object([
        .init("scenario", .string(scenario)), .init("all", .number("\(all)")),
        .init("tried", .number("\(count)")), .init("noticed", .number("\(noticed)")),
        .init("score", .number("\(score)")), .init("changes", .array(changes)),
      ]))
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}

extension Mutation.Effect {
  /// Whether a run on these answers would not have ended as it did.
  fileprivate var isNoticed: Bool {
    switch self {
    case .noticed, .otherWay: true
    case .passedOn, .unnoticed: false
    }
  }

  fileprivate var name: String {
    switch self {
    case .noticed: "noticed"
    case .passedOn: "passed on"
    case .otherWay: "other way"
    case .unnoticed: "unnoticed"
    }
  }

  fileprivate var place: String? {
    switch self {
    case .noticed, .unnoticed: nil
    case .passedOn(let address), .otherWay(let address): address
    }
  }
}

extension FieldPath {
  /// The path of all elements: `items[*].name`.
  fileprivate var withoutIndices: String {
    var text = ""
    for step in steps {
      switch step {
      case .field(let name): text += (text.isEmpty ? "" : ".") + Value.escaped(name)
      case .index: text += "[*]"
      }
    }
    return text
  }
}
