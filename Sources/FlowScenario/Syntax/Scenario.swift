internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// A scenario as written: its envelope read, its steps still nodes.
///
/// Steps are read one at a time during planning, so a long file is never in memory as nodes, syntax
/// and plan at once.
struct Scenario {
  struct Input {
    let name: String
    let span: Span
    let type: Node?
    let defaultValue: Node?
    let summary: String
    let secret: Node?
  }

  struct ComponentDeclaration {
    let name: String
    let span: Span
    let plugin: Node?
    let settings: Node?
    /// The components in its roles, by the roles' names.
    let using: [Node.Entry]
    /// The calls of its roles that may be left out or repeated.
    let optional: [Node]
    /// The varying parts of answers, by the operations' names.
    let volatile: [Node.Entry]
    /// The varying parts of its calls of others, by `role.operation`.
    let varies: [Node.Entry]
    /// The list of compared headers, or nil.
    let comparedHeaders: Node?
    /// The flag of a component that tests always call, or nil.
    let live: Node?
    /// The word of a component whose programs are kept, or nil.
    let restart: Node?
    /// The unknown keys of the declaration.
    let unknown: [Node.Entry]
  }

  struct Output {
    let name: String
    let value: Node
  }

  var name: String?
  /// The place of the name, or of the whole scenario without one.
  let span: Span
  var tags: [String] = []
  var inputs: [Input] = []
  var components: [ComponentDeclaration] = []
  var steps: [Node] = []
  /// The place of the list of steps.
  var stepsSpan: Span?
  var finally: [Node] = []
  var invariants: [Node] = []
  var outputs: [Output] = []
  /// The declaration of trials and the place of its key, or nil.
  var trials: Node.Entry?
  /// The places of the keys of the inputs and of the outputs, nil without them.
  var inputsKey: Span?
  var outputsKey: Span?

  /// All its steps, in planning order.
  var allSteps: [Node] { invariants + steps + finally }

  /// Reads the envelope.
  ///
  /// Problems are collected, and everything readable is kept.
  init(reading root: Node, _ diagnostics: DiagnosticCollector) {
    span = root.keySpan("name") ?? root.span
    guard
      let reader = MappingReader(
        root, owner: "a scenario", keys: KeySet.scenario.names, diagnostics)
    else { return }
    Self.checkVersion(reader, root, diagnostics)
    name = reader.text("name")
    if let node = reader["name"], node.kind == .scalar, Interpolation.contains(node.text) {
      diagnostics.add(.uselessExpression("'name' of a scenario"), at: node.span)
    }
    _ = reader.text("description")
    tags = reader.items("tags").filter { $0.isText(owner: "a tag", diagnostics) }.map(\.text)
    inputs = reader.entries("inputs").map { Self.input($0, diagnostics) }
    components = reader.entries("components").map { Self.component($0, diagnostics) }
    if let node = reader.required("steps") {
      steps = reader.items("steps")
      stepsSpan = node.span
    }
    finally = reader.items("finally")
    trials = root.entries.first { $0.key.text == "trials" }
    invariants = reader.items("invariants")
    outputs = Self.outputs(reader.entries("outputs"), diagnostics)
    inputsKey = root.keySpan("inputs")
    outputsKey = root.keySpan("outputs")
  }

  static func outputs(_ entries: [Node.Entry], _ diagnostics: DiagnosticCollector) -> [Output] {
    entries.compactMap { entry in
      checkedName(entry, owner: "an output", diagnostics).map {
        Output(name: $0, value: entry.value)
      }
    }
  }

  /// Notes a problem unless the key `flow` is the number 1.
  static func checkVersion(
    _ reader: MappingReader, _ root: Node, _ diagnostics: DiagnosticCollector
  ) {
    guard let version = reader["flow"] else {
      // A mapping in braces starts before its first key.
      let isBlock = root.entries.first?.key.span.start == root.span.start
      let missing = Problem.version(nil).inserting(isBlock ? "flow: 1\n" : nil)
      diagnostics.add(missing, at: root.span.firstCharacter)
      return
    }
    switch version.scalar {
    case .int(1)?: break
    case .int?, .bigInt?, .float?:
      diagnostics.add(.version(version.text).replacing(with: "1"), at: version.span)
    default:
      diagnostics.add(.versionKind(version.kindPhrase).replacing(with: "1"), at: version.span)
    }
  }

  // A broken declaration still declares its name, so that its uses are not called wrong as well.

  private static func input(_ entry: Node.Entry, _ diagnostics: DiagnosticCollector) -> Input {
    let name = entry.key.text
    _ = checkedName(entry, owner: "an input", diagnostics)
    let reader = MappingReader(
      entry.value, owner: "the input '\(name)'",
      keys: KeySet.input.names, diagnostics)
    // Also for a wrong value of 'secret', and so before it is known.
    if let secret = reader?["secret"], secret.scalar != .bool(false) {
      diagnostics.keep(secretInput: name, entry.value)
    }
    return Input(
      name: name, span: entry.key.span, type: reader?.requiredText("type"),
      defaultValue: reader?["default"], summary: reader?.text("description") ?? "",
      secret: reader?["secret"])
  }

  private static func component(
    _ entry: Node.Entry, _ diagnostics: DiagnosticCollector
  ) -> ComponentDeclaration {
    let name = entry.key.text
    _ = checkedName(entry, owner: "a component", diagnostics)
    let reader = MappingReader(
      entry.value, owner: "the component '\(name)'",
      keys: KeySet.component.names, diagnostics)
    return ComponentDeclaration(
      name: name, span: entry.key.span, plugin: reader?.requiredText("plugin"),
      settings: reader?["with"], using: reader?.entries("using") ?? [],
      optional: reader?.items("optional").filter {
        $0.isText(owner: "an optional call", diagnostics)
      } ?? [], volatile: reader?.entries("volatile") ?? [],
      varies: reader?.entries("varies") ?? [],
      comparedHeaders: reader?["compare_headers"], live: reader?["live"],
      restart: reader?["restart"],
      unknown: reader?.unknown ?? [])
  }

  private static func checkedName(
    _ entry: Node.Entry, owner: String, _ diagnostics: DiagnosticCollector
  ) -> String? {
    Name.check(entry.key, owner: owner, diagnostics) ? entry.key.text : nil
  }
}

extension Node {
  fileprivate func keySpan(_ key: String) -> Span? {
    entries.first { $0.key.text == key }?.key.span
  }
}
