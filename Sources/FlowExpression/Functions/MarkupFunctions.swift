internal import FlowCore
internal import FlowMarkup

/// The parts of documents: `xml(text, path)` and `html(text, selector)`.
///
/// Their library is loaded by the first expression that calls one of them.
enum MarkupFunctions {
  static let all = [
    function(
      "xml",
      Language(
        search: { path throws(MarkupSearch.Problem) in try MarkupSearch(xpath: path) },
        problem: { .path($0) })),
    function(
      "html",
      Language(
        search: { selector throws(MarkupSearch.Problem) in try MarkupSearch(selector: selector) },
        problem: { .selector($0) })),
  ]

  /// The language of paths or of selectors.
  private struct Language: Sendable {
    let search: @Sendable (String) throws(MarkupSearch.Problem) -> MarkupSearch
    /// The problem of a text that is none of its own.
    let problem: @Sendable (String) -> MarkupSearch.Problem
  }

  private static func function(_ name: String, _ language: Language) -> Function {
    Function(
      name, [Signature([.string, .string], .list(.string))],
      .prepared(
        { (document, source, frame) throws(EvaluationError) in
          let search = try search(source, language)
          try frame.charge(Limits.refusedPatternSteps)
          return try texts(in: document, search, &frame)
        },
        { (source) throws(EvaluationError) in
          let search = try search(source, language)
          return { (document, frame) throws(EvaluationError) in
            try texts(in: document, search, &frame)
          }
        }))
  }

  private static func search(
    _ source: Value, _ language: Language
  ) throws(EvaluationError) -> MarkupSearch {
    guard case .string(let source) = source else { throw .noOverload }
    guard source.utf8.count <= Limits.patternLength, !source.utf8.contains(0) else {
      throw .markup(language.problem("it is too long, or has a zero byte"))
    }
    do throws(MarkupSearch.Problem) { return try language.search(source) } catch {
      throw .markup(error)
    }
  }

  /// Charges for the document and for the steps of the search, each of which is short.
  ///
  /// The found texts can be many times as long, since those of nested elements overlap.
  private static func texts(
    in document: Value, _ search: MarkupSearch, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .string(let document) = document else { throw .noOverload }
    try frame.charge(1 + document.utf8.count / 16)
    var rest = mostText
    let found: MarkupSearch.Found
    do throws(MarkupSearch.Problem) {
      found = try search.find(in: document, atMost: searchSteps * frame.steps) { texts in
        rest -= 64 + (texts.last?.utf8.count ?? 0)
        return rest < 0
      }
    } catch {
      throw .markup(error)
    }
    try frame.charge(found.steps / searchSteps)
    if rest < 0 { throw .tooMuchMarkup(bytes: mostText) }
    return .list(found.texts.map(Value.string))
  }

  /// The steps of a search that are one step of the evaluation.
  private static let searchSteps = 32

  /// The bytes of all found texts together.
  private static let mostText = 16 << 20
}
