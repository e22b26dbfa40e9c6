/// The parts of a step, without the steps inside it.
///
/// The file of each kind implements it.
package protocol PlannedContent: Sendable {
  /// Its values.
  ///
  /// None by default.
  var templates: [Template] { get }
  /// Its expressions, with those of its values and without those of the steps inside it.
  var expressions: [PlannedExpression] { get }
  /// True if steps inside it may run at the same time.
  ///
  /// False by default.
  var isConcurrent: Bool { get }
  /// The thing that it waits for itself, without its steps.
  ///
  /// There is no default, because journals, the console and the page each treat a waiting step
  /// apart.
  var waiting: Waiting { get }
  /// Its keys as the scenario has them, a line each, up to its steps.
  var lines: [String] { get }
  /// The keys after its steps.
  ///
  /// None by default.
  var closingLines: [String] { get }
  /// A short description.
  var summary: String { get }
}

extension PlannedContent {
  package var templates: [Template] { [] }
  package var expressions: [PlannedExpression] { templates.flatMap(\.expressions) }
  package var isConcurrent: Bool { false }
  package var closingLines: [String] { [] }

  /// A key with its lines, or nothing without lines.
  static func section(_ key: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["\(key):"] + lines.map { "  " + $0 }
  }
}

/// The reason that a step waits.
package enum Waiting: Sendable {
  /// Nothing, so that the step ends at once, or with its inner steps.
  case nothing
  /// The answer of an operation with this name.
  case answer(String)
  /// A period of time.
  case time(Template)
  /// An event.
  case event
}
