internal import FlowCore
internal import FlowMarkup

/// The parts of documents: `xml(text, path)` and `html(text, selector)`.
///
/// Their library is loaded by the first expression that calls one of them.
enum MarkupFunctions {
  static let all = [
    function("xml") { path throws(MarkupSearch.Problem) in try MarkupSearch(xpath: path) },
    function("html") { selector throws(MarkupSearch.Problem) in
      try MarkupSearch(selector: selector)
    },
  ]

  private typealias Preparation =
    @Sendable (String) throws(MarkupSearch.Problem) -> MarkupSearch

  private static func function(_ name: String, _ prepare: @escaping Preparation) -> Function {
    Function(
      name, [Signature([.string, .string], .list(.string))],
      .prepared(
        { (document, source, frame) throws(EvaluationError) in
          let search = try search(source, prepare)
          try frame.charge(Limits.refusedPatternSteps)
          return try texts(in: document, search, &frame)
        },
        { (source) throws(EvaluationError) in
          let search = try search(source, prepare)
          return { (document, frame) throws(EvaluationError) in
            try texts(in: document, search, &frame)
          }
        }))
  }

  private static func search(
    _ source: Value, _ prepare: Preparation
  ) throws(EvaluationError) -> MarkupSearch {
    guard case .string(let source) = source else { throw .noOverload }
    guard source.utf8.count <= Limits.patternLength, !source.utf8.contains(0) else {
      throw .markup(.path("it is too long, or has a zero byte"))
    }
    do throws(MarkupSearch.Problem) { return try prepare(source) } catch { throw .markup(error) }
  }

  /// Charges for the document.
  ///
  /// The found texts can be many times as long, since those of nested elements overlap.
  private static func texts(
    in document: Value, _ search: MarkupSearch, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .string(let document) = document else { throw .noOverload }
    try frame.charge(1 + document.utf8.count / 16)
    var (rest, texts) = (mostText, [String]())
    do throws(MarkupSearch.Problem) {
      texts = try search.texts(in: document) { found in
        rest -= 64 + (found.last?.utf8.count ?? 0)
        return rest < 0
      }
    } catch {
      throw .markup(error)
    }
    if rest < 0 { throw .tooMuchMarkup(bytes: mostText) }
    return .list(texts.map(Value.string))
  }

  /// The bytes of all found texts together.
  private static let mostText = 16 << 20
}
