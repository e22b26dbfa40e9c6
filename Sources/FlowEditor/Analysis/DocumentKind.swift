internal import FlowScenario
internal import FlowSystem

/// The kind of an open text, which decides what is said of it.
enum DocumentKind: Sendable {
  case scenario
  /// A `flow.yaml`.
  case project
  /// A file of another kind, of which nothing is said.
  case other

  var isKnown: Bool { self != .other }

  /// The language by which an editor declares scenarios.
  static let language = "flow"

  init(_ document: TextDocument) {
    let source = ScenarioSource(file: document.path, bytes: document.bytes)
    if document.loss != nil {
      self = .other
    } else if document.language == Self.language, !ProjectFile.isOne(document.path) {
      self = .scenario
    } else {
      self.init(source)
    }
  }

  private init(_ source: ScenarioSource) {
    let isProject = ProjectFile.isOne(source.file)
    switch source.kind {
    case .scenario: self = .scenario
    case .damaged, .unreadable, .other:
      let hasTranscript = FileSystem.isOccupied(Path.transcript(of: source.file))
      let isDamaged = source.kind == .damaged
      self = isProject ? .project : isDamaged || hasTranscript ? .scenario : .other
    }
  }
}
