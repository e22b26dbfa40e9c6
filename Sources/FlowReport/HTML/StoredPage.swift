internal import FlowCore
internal import FlowSystem

/// The content of a page in the results of a part: an object, in which each piece is an array that
/// starts with its kind.
///
///     {"occurrence":1,"tags":["smoke"],"command":"flow test 'pay.yaml'",
///     "findings":[["section","problem",[".'count#1' did not answer","cF2001"]],["end"]],
///     "runs":[["run",1,1,false],["steps"],["step","failed","count#1",true,["bcount"]], …]}
extension ScenarioPage {
  /// The object as text.
  var storedText: String {
    JSON.object([
      .init("occurrence", .number(occurrence)), .init("tags", .list(tags)),
      .init("command", .string(command)), .init("findings", .array(findings.map(\.json))),
      .init("runs", .array(runs.map(\.json))),
    ]).text
  }

  /// Reads the object.
  ///
  /// Nil for everything that `storedText` never is.
  init?(stored text: String) {
    guard let json = try? JSONParser.parse(Array(text.utf8)[...]),
      let occurrence = json["occurrence"]?.count, 1...Fields.most ~= occurrence,
      let tags = json["tags"]?.texts, let command = json["command"]?.string,
      let findings = [Piece](stored: json["findings"]), let runs = [Piece](stored: json["runs"])
    else { return nil }
    (self.occurrence, self.tags, self.command) = (occurrence, tags, command)
    (self.findings, self.runs) = (findings, runs)
  }
}

extension [ScenarioPage.Piece] {
  /// Reads pieces of which everything opened is ended, with steps only in lists of steps.
  fileprivate init?(stored json: JSON?) {
    do throws(Fields.Foreign) {
      var fields = try Fields(.array([json ?? .null]))
      self = try fields.rows { row throws(Fields.Foreign) in try ScenarioPage.Piece(&row) }
    } catch {
      return nil
    }
    guard isNested else { return nil }
  }

  private var isNested: Bool {
    // True for each open list of steps.
    var open: [Bool] = []
    for piece in self {
      switch piece {
      case .end:
        if open.popLast() == nil { return false }
        continue
      case .step: if open.last != true { return false }
      case .section, .run, .steps, .paragraph, .quote, .notes, .table, .value, .timeline, .plan:
        if open.last == true { return false }
      }
      switch piece {
      case .steps: open.append(true)
      case .section, .run, .step: open.append(false)
      case .end, .paragraph, .quote, .notes, .table, .value, .timeline, .plan: break
      }
    }
    return open.isEmpty
  }
}

// MARK: - Pieces

/// The kind of a stored piece.
private enum PieceKind: String {
  case section, run, steps, step, end, paragraph, quote, notes, table, value, timeline, plan
}

extension ScenarioPage.Piece {
  fileprivate var json: JSON {
    switch self {
    case .section(let section, let heading):
      Self.row(.section, .string(section.rawValue), .phrases(heading))
    case .run(let number, let count, let passed):
      Self.row(.run, .number(number), .number(count), .bool(passed))
    case .steps: Self.row(.steps)
    case .step(let step):
      Self.row(
        .step, .string(step.state.rawValue), .optional(step.address), .bool(step.isOpen),
        .phrases(step.head))
    case .end: Self.row(.end)
    case .paragraph(let tone, let words):
      Self.row(.paragraph, .string(tone.rawValue), .phrases(words))
    case .quote(let phrases): Self.row(.quote, .phrases(phrases))
    case .notes(let notes, let isContext):
      Self.row(
        .notes, .bool(isContext), .array(notes.map { .array([.string($0.text), .list($0.lines)]) }))
    case .table(let table):
      Self.row(.table, .list(table.heads), .array(table.rows.map(JSON.phrases)))
    case .value(let value):
      Self.row(
        .value, .string(value.name), .list(value.pictures.map { Base64.encode($0.bytes) }),
        .string(value.text), .bool(value.isCut))
    case .timeline(let timeline):
      Self.row(
        .timeline, .list(timeline.times), .bool(timeline.isVirtual), .number(timeline.omitted),
        .array(timeline.bars.map(\.json)))
    case .plan(let plan):
      Self.row(
        .plan, .number(plan.size.width), .number(plan.size.height),
        .array(plan.frames.map(\.json)), .array(plan.nodes.map(\.json)),
        .array(plan.edges.map(\.json)))
    }
  }

  private static func row(_ kind: PieceKind, _ fields: JSON...) -> JSON {
    .array([.string(kind.rawValue)] + fields)
  }

  fileprivate init(_ fields: inout Fields) throws(Fields.Foreign) {
    let kind: PieceKind = try fields.word()
    switch kind {
    case .section: self = .section(try fields.word(), heading: try fields.phrases())
    case .run:
      self = .run(number: try fields.number(), of: try fields.number(), passed: try fields.flag())
    case .steps: self = .steps
    case .step:
      self = .step(
        .init(
          state: try fields.word(), address: try fields.optional(), isOpen: try fields.flag(),
          head: try fields.phrases()))
    case .end: self = .end
    case .paragraph: self = .paragraph(try fields.word(), try fields.phrases())
    case .quote: self = .quote(try fields.phrases())
    case .notes:
      let isContext = try fields.flag()
      let notes = try fields.rows { row throws(Fields.Foreign) in
        ScenarioPage.Note(text: try row.text(), lines: try row.texts())
      }
      self = .notes(notes, isContext: isContext)
    case .table:
      let heads = try fields.texts()
      let rows = try fields.list { json throws(Fields.Foreign) in try Fields.phrases(json) }
      self = .table(.init(heads: heads, rows: rows))
    case .value: self = .value(try ShownValue(&fields))
    case .timeline: self = .timeline(try Timeline(&fields))
    case .plan: self = .plan(try PlanPicture(&fields))
    }
  }
}

extension ShownValue {
  fileprivate init(_ fields: inout Fields) throws(Fields.Foreign) {
    let name = try fields.text()
    let pictures = try fields.texts().map { text throws(Fields.Foreign) -> Picture in
      guard let picture = Base64.decode(text).flatMap(Picture.init) else { throw Fields.Foreign() }
      return picture
    }
    self.init(
      name: name, pictures: pictures, text: try fields.text(), isCut: try fields.flag())
  }
}

extension Timeline {
  fileprivate init(_ fields: inout Fields) throws(Fields.Foreign) {
    times = try fields.texts()
    guard times.count == 4 else { throw Fields.Foreign() }
    (isVirtual, omitted) = (try fields.flag(), try fields.number())
    bars = try fields.rows { row throws(Fields.Foreign) in try Bar(&row) }
  }
}

extension Timeline.Bar {
  fileprivate var json: JSON {
    .array([
      .string(title), .string(kind.rawValue), .string(state.rawValue), .number(place.lowerBound),
      .number(place.upperBound), .string(began), .string(took),
    ])
  }

  fileprivate init(_ fields: inout Fields) throws(Fields.Foreign) {
    (title, kind, state) = (try fields.text(), try fields.word(), try fields.word())
    let (start, end) = (try fields.number(), try fields.number())
    guard start <= end, end <= 10_000 else { throw Fields.Foreign() }
    place = start...end
    (began, took) = (try fields.text(), try fields.text())
  }
}

// MARK: - The plan

extension PlanPicture {
  fileprivate init(_ fields: inout Fields) throws(Fields.Foreign) {
    let (width, height) = (try fields.number(), try fields.number())
    size = PlanLayout.Box(width: width, height: height)
    frames = try fields.rows { row throws(Fields.Foreign) in try PlanLayout.Frame(&row) }
    let nodes = try fields.rows { row throws(Fields.Foreign) in try Node(&row) }
    edges = try fields.rows { row throws(Fields.Foreign) in
      let edge = try PlanGraph.Edge(&row)
      // Their lines and labels are a few pixels above or beside the end.
      guard 1...nodes.count ~= edge.from, 1...nodes.count ~= edge.to,
        edge.kind == .data || nodes[edge.to - 1].box.y >= PlanLayout.gap.below
      else { throw Fields.Foreign() }
      return edge
    }
    self.nodes = nodes
    guard 1...Self.most ~= nodes.count else { throw Fields.Foreign() }
  }
}

extension PlanPicture.Node {
  fileprivate var json: JSON {
    .array([
      .string(shape.rawValue), .number(box.x), .number(box.y), .list(lines),
      .optional(state?.rawValue),
    ])
  }

  fileprivate init(_ fields: inout Fields) throws(Fields.Foreign) {
    shape = try fields.word()
    let (x, y) = (try fields.number(), try fields.number())
    lines = try fields.texts()
    guard x >= PlanLayout.margin.left, 1...2 ~= lines.count else { throw Fields.Foreign() }
    box = PlanLayout.box(x, y, lines: lines.count)
    guard let text = try fields.optional() else {
      state = nil
      return
    }
    state = .init(rawValue: text)
    if state == nil { throw Fields.Foreign() }
  }
}

extension PlanLayout.Frame {
  fileprivate var json: JSON {
    .array([
      .string(label), .number(box.x), .number(box.y), .number(box.width), .number(box.height),
    ])
  }

  fileprivate init(_ fields: inout Fields) throws(Fields.Foreign) {
    label = try fields.text()
    box = PlanLayout.Box(
      x: try fields.number(), y: try fields.number(), width: try fields.number(),
      height: try fields.number())
  }
}

extension PlanGraph.Edge {
  fileprivate var json: JSON {
    let kind: JSON =
      switch kind {
      case .order: .bool(true)
      case .data: .bool(false)
      case .branch(let name): .string(name)
      }
    return .array([.number(from), .number(to), kind])
  }

  fileprivate init(_ fields: inout Fields) throws(Fields.Foreign) {
    (from, to) = (try fields.number(), try fields.number())
    switch try fields.next() {
    case .bool(let isOrder): kind = isOrder ? .order : .data
    case .string(let name): kind = .branch(name)
    case .null, .number, .array, .object: throw Fields.Foreign()
    }
  }
}

// MARK: - Elements of arrays

extension JSON {
  fileprivate static func phrases(_ phrases: [ScenarioPage.Phrase]) -> JSON {
    .list(phrases.map { $0.style.rawValue + $0.text })
  }

  fileprivate static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}

/// The elements of an array, read one after the other.
private struct Fields {
  /// The error for an array that flow never writes.
  struct Foreign: Error {}

  /// The greatest number, so that no sum overflows.
  static let most = 1 << 24

  private var rest: ArraySlice<JSON>

  /// Creates the elements of an array before the first one.
  init(_ json: JSON?) throws(Foreign) {
    guard case .array(let elements)? = json else { throw Foreign() }
    rest = elements[...]
  }

  mutating func next() throws(Foreign) -> JSON {
    guard let next = rest.popFirst() else { throw Foreign() }
    return next
  }

  mutating func text() throws(Foreign) -> String {
    guard let text = try next().string else { throw Foreign() }
    return text
  }

  /// Reads text, or null as nil.
  mutating func optional() throws(Foreign) -> String? {
    let json = try next()
    if json == .null { return nil }
    guard let text = json.string else { throw Foreign() }
    return text
  }

  /// Reads a whole number from 0.
  mutating func number() throws(Foreign) -> Int {
    guard let number = try next().count, number <= Self.most else { throw Foreign() }
    return number
  }

  mutating func flag() throws(Foreign) -> Bool {
    guard case .bool(let flag) = try next() else { throw Foreign() }
    return flag
  }

  mutating func word<Word: RawRepresentable<String>>() throws(Foreign) -> Word {
    guard let word = Word(rawValue: try text()) else { throw Foreign() }
    return word
  }

  mutating func texts() throws(Foreign) -> [String] {
    guard let texts = try next().texts else { throw Foreign() }
    return texts
  }

  mutating func phrases() throws(Foreign) -> [ScenarioPage.Phrase] { try Self.phrases(try next()) }

  static func phrases(_ json: JSON) throws(Foreign) -> [ScenarioPage.Phrase] {
    guard let texts = json.texts else { throw Foreign() }
    return try texts.map { text throws(Foreign) -> ScenarioPage.Phrase in
      guard let first = text.unicodeScalars.first,
        let style = ScenarioPage.Phrase.Style(rawValue: String(first))
      else { throw Foreign() }
      return .init(String(text.unicodeScalars.dropFirst()), style)
    }
  }

  /// Reads an array of elements.
  mutating func list<Element>(
    _ read: (JSON) throws(Foreign) -> Element
  ) throws(Foreign) -> [Element] {
    guard case .array(let elements) = try next() else { throw Foreign() }
    return try elements.map(read)
  }

  /// Reads an array of arrays, each to its end.
  mutating func rows<Element>(
    _ read: (inout Fields) throws(Foreign) -> Element
  ) throws(Foreign) -> [Element] {
    try list { json throws(Foreign) in
      var fields = try Fields(json)
      let element = try read(&fields)
      guard fields.rest.isEmpty else { throw Foreign() }
      return element
    }
  }
}
