internal import FlowSystem
internal import FlowTranscript

/// The values of the transcript beside a scenario, whose secrets are placeholders.
struct RecordedRun: Sendable {
  /// The latest recorded answers of the steps, by their paths in the plan.
  private let answers: [String: JSON]
  /// The same by the steps' ids.
  private let byID: [String: JSON]
  private let inputs: JSON
  /// The file as it was read.
  private let stamp: FileStamp?
  /// True if the transcript could be read.
  let isReadable: Bool

  /// Reads the transcript of a scenario, without values if it cannot be read.
  init(of scenario: String) {
    let path = Path.transcript(of: scenario)
    stamp = FileStamp(of: path)
    // Commands that replay it tell its mistakes.
    let isThere = FileSystem.isFile(path)
    let transcript = isThere ? try? TranscriptReader.read(path, allowsPipe: false) : nil
    isReadable = transcript != nil
    answers = transcript?.latestAnswers ?? [:]
    inputs = .object(transcript?.recordedInputs ?? [])
    // Of steps with one id, the outermost.
    byID = Dictionary(
      answers.sorted { $0.key.utf8.count < $1.key.utf8.count }.map {
        (String($0.key.split(separator: "/").last ?? ""), $0.value)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the values of the transcript that is there now: these if the file is the same.
  static func present(of scenario: String, after known: RecordedRun?) -> RecordedRun? {
    let stamp = FileStamp(of: Path.transcript(of: scenario))
    if let known, known.stamp == stamp { return known }
    return stamp == nil ? nil : RecordedRun(of: scenario)
  }

  /// Returns the recorded answer of a step, or nil without one.
  func answer(of path: String) -> JSON? { answers[path] }

  /// Returns the recorded value of a name with fields, such as `steps.load.balance`.
  func value(of name: String) -> JSON? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return nil }
    let start = parts[0] == "steps" ? byID[parts[1]] : parts[0] == "inputs" ? inputs[parts[1]] : nil
    return parts.dropFirst(2).reduce(start) { value, part in value?[part] }
  }
}

extension JSON {
  /// The value on one line, cut to a length for hints.
  func summary(_ limit: Int = 60) -> String {
    let text = text.onOneLine
    return text.count <= limit ? text : text.prefix(limit - 1) + "…"
  }

  var members: [Member] {
    if case .object(let members) = self { return members }
    return []
  }
}
