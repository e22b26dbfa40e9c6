internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowSystem
private import Synchronization

/// The kept part of the values across the boundary: no more than the trace's reports show.
package struct TraceOptions: Sendable {
  /// True to keep as much of each value as a page shows.
  package var keepsExcerpts = true
  /// True to keep each value as JSON Lines show it, in a file.
  package var keepsLines = true
  /// True to keep each value whole, for a comparison of two runs.
  package var keepsValues = false
  /// The folder of that file, which has no name.
  package var folder = FileSystem.temporaryFolder

  /// Creates the options for pages and JSON Lines.
  package init() {}

  /// The options for a comparison of two runs.
  package static var comparison: TraceOptions {
    var options = TraceOptions()
    (options.keepsExcerpts, options.keepsLines, options.keepsValues) = (false, false, true)
    return options
  }
}

/// The values of a run as JSON Lines show them, of which only the latest bytes are in memory.
final class WrittenValues: Sendable {
  private let file: ScratchFile
  private let failed = Mutex<FileError?>(nil)

  /// Creates an empty store.
  ///
  /// An unnamed file is created in the folder on demand.
  init(in folder: String) { file = ScratchFile(in: folder) }

  /// The reason why values are missing, or nil.
  var failure: FileError? { failed.withLock { $0 } }

  /// Stores a value.
  ///
  /// Returns its place, or nil if the system refuses.
  func add(_ value: Value) -> ScratchPiece? {
    add(JSON.shownLine(of: value))
  }

  private func add(_ json: String) -> ScratchPiece? {
    do throws(FileError) { return try file.append(bytes: Array(json.utf8)) } catch {
      failed.withLock { $0 = $0 ?? error }
      return nil
    }
  }

  /// Returns the place of a stored value without secrets, the same one if it has none.
  func hidden(_ piece: ScratchPiece, by redactor: Redactor) -> ScratchPiece? {
    // What cannot be read is reported with the piece.
    guard let bytes = try? piece.bytes, let json = try? JSONParser.parse(bytes[...]) else {
      return piece
    }
    let hidden = json.redacted(by: redactor, names: true).hidingNumbers(by: redactor)
    return hidden == json ? piece : add(hidden.text.shownJSON)
  }
}

extension JSON {
  /// Returns the tree with placeholders for its secret numbers, of which it has no types.
  fileprivate func hidingNumbers(by redactor: Redactor) -> JSON {
    switch self {
    case .number(let text): redactor.redactedNumber(text).map(JSON.string) ?? self
    case .array(let elements): .array(elements.map { $0.hidingNumbers(by: redactor) })
    case .object(let members):
      .object(members.map { Member($0.name, $0.value.hidingNumbers(by: redactor)) })
    case .null, .bool, .string: self
    }
  }
}

/// The secrets that a run has learnt since its first event.
struct LateSecrets {
  private let known: Redactor
  private let count: Int

  /// Notes the secrets of a run that starts.
  init(_ redactor: Redactor) {
    known = redactor
    count = redactor.secretCount
  }

  /// A redactor for values from before, or nil if they show no secret.
  ///
  /// Patterns are known from the start.
  var redactor: Redactor? { known.secretCount > count ? known.withoutPatterns : nil }
}

/// The values that a scenario computed at one step.
package struct ComputedValues: Sendable {
  /// A value as far as a page shows it, and as JSON Lines show it.
  struct Entry: Sendable {
    var value: ComputedValue
    var line: ScratchPiece?
  }

  /// The most values of one step, such as a loop whose condition is checked often.
  private static let most = 50

  /// The first ones, and the last one.
  private(set) var entries: [Entry] = []
  /// The number of values left out before the last one.
  private(set) var omitted = 0

  /// Creates no values.
  init() {}

  mutating func add(_ entry: Entry) {
    if entries.count < Self.most { return entries.append(entry) }
    entries[Self.most - 1] = entry
    omitted += 1
  }

  /// Returns the values with secrets hidden that became known later.
  func redacted(by redactor: Redactor) -> ComputedValues {
    var copy = self
    for index in entries.indices {
      copy.entries[index].value = entries[index].value.redacted(by: redactor)
    }
    return copy
  }

  /// Hides secrets that became known later in the form of JSON Lines.
  mutating func hideLines(of values: WrittenValues?, by redactor: Redactor) {
    for index in entries.indices {
      entries[index].line = entries[index].line.flatMap { values?.hidden($0, by: redactor) }
    }
  }
}

/// The memory for the excerpts of a trace.
struct ExcerptRoom {
  /// The bytes of a value shown by a page, for a step that passed and for a failed one.
  static let (passed, failed) = (4_000, 64 << 10)

  /// The bytes left for steps that passed and for failed ones.
  ///
  /// Each value counts 48 more.
  private var left = (passed: 64 << 20, failed: 64 << 20)
  /// The bytes left for pictures.
  private var pictures = 64 << 20

  /// Returns the start of a value, kept until the end of its step is known.
  mutating func excerpt(_ value: Value) -> Value {
    Excerpt.of(value, atMost: Self.failed, pictures: &pictures)
  }

  /// Returns the kept part of a value at the end of its step, or nil without room for it.
  mutating func settled(_ value: Value, hasFailed: Bool) -> Value? {
    let limit = hasFailed && left.failed > 0 ? Self.failed : Self.passed
    let kept = Excerpt.of(value, atMost: limit, pictures: &pictures)
    let cost = Excerpt.cost(of: kept)
    if hasFailed {
      // Some room more, for values of which less is kept.
      guard cost <= left.failed + (32 << 20) else { return nil }
      left.failed -= cost
    } else {
      guard cost <= left.passed else { return nil }
      left.passed -= cost
    }
    return kept
  }
}

/// The start of a value, long enough to look the same in a page as the whole.
private struct Excerpt {
  /// The bytes that a page can still show, counting the shortest form of each value.
  private var room: Int
  private var pictures: Int
  /// The number of bytes kept of a value that is no picture.
  private static let fewBytes = 64

  static func of(_ value: Value, atMost limit: Int, pictures: inout Int) -> Value {
    // A little more, so that the page notices a missing rest.
    var excerpt = Excerpt(room: limit + 64, pictures: pictures)
    if excerpt.holds(value) { return value }
    excerpt.room = limit + 64
    let cut = excerpt.cut(value)
    pictures = excerpt.pictures
    return cut
  }

  /// About how many bytes of memory a value takes, without its pictures.
  static func cost(of value: Value) -> Int {
    switch value {
    case .string(let text): 48 + (Picture.kind(of: text) == nil ? text.utf8.count : 0)
    case .bytes(let bytes):
      48 + (Picture.kind(of: bytes.content) == nil ? bytes.content.count : 0)
    case .list(let values): values.reduce(48) { $0 + cost(of: $1) }
    case .map(let map): map.entries.reduce(48) { $0 + cost(of: $1.key) + cost(of: $1.value) }
    case .record(let record): record.values.reduce(48) { $0 + cost(of: $1) }
    case .optional(let value?): 48 + cost(of: value)
    default: 48
    }
  }

  /// Counts a value.
  ///
  /// Returns false as soon as no room is left.
  private mutating func holds(_ value: Value) -> Bool {
    room -= 3
    switch value {
    case .string(let text): room -= text.utf8.count
    case .bytes(let bytes): room -= bytes.content.count
    case .list(let values): for value in values where !holds(value) { return false }
    case .map(let map):
      for entry in map.entries where !holds(entry.key) || !holds(entry.value) { return false }
    case .record(let record): for value in record.values where !holds(value) { return false }
    case .optional(let value?): return holds(value)
    default: break
    }
    return room > 0
  }

  private mutating func cut(_ value: Value) -> Value {
    room -= 3
    switch value {
    case .string(let text): return .string(cut(text))
    case .bytes(let bytes): return cut(bytes)
    case .list(let values):
      var kept: [Value] = []
      for value in values where isShown(value) { kept.append(cut(value)) }
      return .list(kept)
    case .map(let map):
      var kept = ValueMap()
      for entry in map.entries where isShown(entry.value) {
        kept[cut(entry.key)] = cut(entry.value)
      }
      return .map(kept)
    case .record(let record):
      return .record(
        RecordValue(record.type, record.values.map { isShown($0) ? cut($0) : .null }))
    case .optional(let value?): return .optional(cut(value))
    default: return value
    }
  }

  /// Returns true while room is left, and for a picture, which is shown in every place.
  private func isShown(_ value: Value) -> Bool {
    if room > 0 { return true }
    return switch value {
    case .string(let text): Picture.kind(of: text) != nil
    case .bytes(let bytes): Picture.kind(of: bytes.content) != nil
    default: false
    }
  }

  private mutating func cut(_ text: String) -> String {
    let count = text.utf8.count
    let (before, isPicture) = (room, Picture.kind(of: text) != nil && count <= pictures)
    room -= count
    if isPicture { pictures -= count }
    return isPicture || count <= before ? text : text.cut(toBytes: max(1, before))
  }

  /// Returns the bytes, or their number as a page writes it in their place.
  private mutating func cut(_ bytes: Bytes) -> Value {
    let count = bytes.content.count
    room -= 8
    if count <= Self.fewBytes { return .bytes(bytes) }
    guard Picture.kind(of: bytes.content) != nil, count <= pictures else {
      return .type("\(Value.bytes(bytes))")
    }
    pictures -= count
    return .bytes(bytes)
  }
}

extension StepFailure {
  /// Returns the failure with as much of an answer as a page shows.
  func excerpt(in room: inout ExcerptRoom) -> StepFailure {
    switch self {
    case .unexpectedAnswer(let mismatches, _, let place):
      // The answer of the step's call, found there by a page.
      .unexpectedAnswer(mismatches, answer: .null, at: place)
    case .brokenContract(let mismatches, let file, let answer, let place):
      .brokenContract(mismatches, file: file, answer: answer.map { _ in .null }, at: place)
    case .noError(let expected, let answer, let place):
      .noError(expected: expected, answer: room.excerpt(answer), at: place)
    case .componentError, .otherError, .otherMessage, .assertions, .evaluation, .limit, .notOpened,
      .boundary, .timeout, .cancelled, .inner:
      self
    }
  }
}
