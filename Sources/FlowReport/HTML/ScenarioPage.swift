/// The content of a scenario's element in a page before it is drawn, in addition to its row.
///
/// The results of a part of a suite contain it, so that a merge of the parts draws the page itself.
struct ScenarioPage: Sendable {
  /// The number among the scenarios with its path, from 1.
  let occurrence: Int
  /// The scenario's `tags:`.
  let tags: [String]
  /// The command that runs it again, or empty.
  let command: String
  /// The problems, the differences and the notes.
  let findings: [Piece]
  /// The runs in their order, and the plan as a picture.
  let runs: [Piece]
}

extension ScenarioPage {
  /// A piece of the content, in the order of the page.
  enum Piece: Sendable {
    /// Opens a section with a heading, up to its end.
    case section(Section, heading: [Phrase])
    /// Opens a run among several, numbered from 1, up to its end.
    case run(number: Int, of: Int, passed: Bool)
    /// Opens a list of steps, up to its end.
    ///
    /// It contains steps alone.
    case steps
    /// Opens a step or a call in such a list, up to its end.
    case step(Step)
    /// Ends the piece opened last.
    case end
    /// Words on a line.
    case paragraph(Tone, [Phrase])
    /// Preformatted lines, with their ends.
    case quote([Phrase])
    /// The notes about a problem, or its context.
    case notes([Note], isContext: Bool)
    case table(Table)
    case value(ShownValue)
    case timeline(Timeline)
    case plan(PlanPicture)
  }

  /// The kind of a section.
  enum Section: String, Sendable {
    /// A problem.
    case problem
    /// Lines from elsewhere.
    case lines
  }

  /// The look of a paragraph.
  enum Tone: String, Sendable {
    case plain
    /// A reason of a failure.
    case error
    /// A remark of the page itself.
    case aside
  }

  /// Some words with the same look.
  struct Phrase: Sendable {
    enum Style: String, Sendable {
      case plain = "."
      case bold = "b"
      case code = "c"
      case italic = "i"
      case quiet = "q"
      /// Expected, but not there.
      case expected = "-"
      /// There instead.
      case actual = "+"
      /// Carets under a place in a line.
      case pointer = "^"
    }

    let text: String
    let style: Style

    init(_ text: String, _ style: Style = .plain) { (self.text, self.style) = (text, style) }
  }

  /// A step of a run, or its call of a component.
  struct Step: Sendable {
    let state: RunTrace.Span.State
    /// The address to which links lead, or nil.
    let address: String?
    /// True to show its content at once.
    let isOpen: Bool
    /// Its title, and what is said beside it.
    let head: [Phrase]
  }

  /// A text about a problem, and the preformatted lines below it.
  struct Note: Sendable {
    let text: String
    let lines: [String]
  }

  /// A table, in which the first cell of each row is its head.
  struct Table: Sendable {
    let heads: [String]
    var rows: [[Phrase]] = []
  }
}

extension ScenarioPage.Piece {
  /// The approximate bytes of its markup.
  var size: Int {
    switch self {
    case .section(_, let words), .paragraph(_, let words), .quote(let words): Self.size(words)
    case .run, .steps, .end, .timeline, .plan: 40
    case .step(let step): 120 + 2 * (step.address?.utf8.count ?? 0) + Self.size(step.head)
    case .notes(let notes, _):
      notes.reduce(40) { $0 + 20 + $1.text.utf8.count + $1.lines.joined().utf8.count }
    case .table(let table): table.rows.reduce(200) { $0 + 40 + Self.size($1) }
    case .value(let value):
      value.pictures.reduce(80 + value.text.utf8.count) { $0 + $1.bytes.count * 4 / 3 }
    }
  }

  private static func size(_ words: [ScenarioPage.Phrase]) -> Int {
    words.reduce(20) { $0 + 20 + $1.text.utf8.count }
  }
}
