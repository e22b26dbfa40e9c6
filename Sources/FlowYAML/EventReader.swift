private import CYAML
internal import FlowSystem

/// A reader of libyaml's events, one after another.
///
/// The only owner of its parser.
@safe
final class EventReader: EventSource {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>
  private let input: UnsafeBufferPointer<UInt8>
  /// The place of the latest event whose source was asked for: they come in their order, so nothing is walked twice.
  private var finder = PlaceFinder()

  private init(_ input: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
    unsafe self.input = input
    // libyaml keeps the parser's address, so the parser must not be a stored property.
    unsafe parser = .allocate(capacity: 1)
    unsafe event = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    unsafe event.initialize(to: yaml_event_t())
    guard unsafe yaml_parser_initialize(parser) == 1 else { throw YAMLError(.outOfMemory, at: nil) }
    unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    unsafe yaml_event_delete(event)
    unsafe yaml_parser_delete(parser)
    unsafe event.deallocate()
    unsafe parser.deallocate()
  }

  /// Lends a reader of the bytes to a closure, which neither may outlive.
  static func read<Result>(
    _ bytes: [UInt8], _ body: (inout EventReader) throws(YAMLError) -> Result
  ) throws(YAMLError) -> Result {
    // libyaml asserts that its pointer is not null, but an empty array may have none.
    try unsafe (bytes.isEmpty ? [UInt8(ascii: "\n")] : bytes).withUnsafeBufferPointer {
      input throws(YAMLError) in
      var reader = try unsafe EventReader(input)
      return try body(&reader)
    }
  }

  func advance() throws(YAMLError) -> Event {
    unsafe yaml_event_delete(event)
    guard unsafe yaml_parser_parse(parser, event) == 1 else { throw failure }
    return current
  }

  var span: Span {
    unsafe Span(start: place(event.pointee.start_mark), end: place(event.pointee.end_mark))
  }

  func appendText(to text: inout [UInt8]) -> Range<Int> {
    let start = text.count
    if unsafe event.pointee.type == YAML_SCALAR_EVENT {
      let scalar = unsafe event.pointee.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      unsafe text.append(contentsOf: bytes)
    }
    return start..<text.count
  }

  /// Returns the source of the current event, or nothing for text in UTF-16.
  func source() -> [UInt8] {
    if unsafe input.first ?? 0 >= 0xFE { return [] }
    let span = span
    unsafe finder.advance(to: span.start, in: input)
    var end = finder
    unsafe end.advance(to: span.end, in: input)
    return unsafe Array(input[finder.offset..<end.offset])
  }

  // A member of libyaml's union is read only after a check of the event's type.

  private var current: Event {
    switch unsafe event.pointee.type {
    case YAML_DOCUMENT_START_EVENT: .documentStart
    case YAML_ALIAS_EVENT: unsafe .alias(String(cString: event.pointee.data.alias.anchor))
    case YAML_SCALAR_EVENT: scalar
    case YAML_SEQUENCE_START_EVENT: sequenceStart
    case YAML_MAPPING_START_EVENT: mappingStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: .collectionEnd
    case YAML_STREAM_END_EVENT: .streamEnd
    default: .other
    }
  }

  private var scalar: Event {
    let data = unsafe event.pointee.data.scalar
    let properties = unsafe Event.Properties(anchor: data.anchor, tag: data.tag)
    let style: ScalarStyle =
      switch unsafe data.style {
      case YAML_PLAIN_SCALAR_STYLE: .plain
      case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
      default: .quoted
      }
    return .scalar(properties, style)
  }

  private var sequenceStart: Event {
    let data = unsafe event.pointee.data.sequence_start
    let properties = unsafe Event.Properties(anchor: data.anchor, tag: data.tag)
    return .collectionStart(.sequence, properties)
  }

  private var mappingStart: Event {
    let data = unsafe event.pointee.data.mapping_start
    let properties = unsafe Event.Properties(anchor: data.anchor, tag: data.tag)
    return .collectionStart(.mapping, properties)
  }

  /// Turns libyaml's mark, which counts from 0, into ours.
  private func place(_ mark: yaml_mark_t) -> Position {
    Position(line: mark.line + 1, column: mark.column + 1)
  }

  /// Returns the place, or the end of the last line with content instead of the end of the text.
  private func visiblePlace(_ mark: yaml_mark_t) -> Position {
    let place = place(mark)
    return unsafe Position(lastOf: input, before: place) ?? place
  }

  // libyaml's own description of an error is read here and nowhere else.

  private var failure: YAMLError {
    switch unsafe parser.pointee.error {
    case YAML_MEMORY_ERROR: YAMLError(.outOfMemory, at: nil)
    case YAML_READER_ERROR: encodingFailure
    default: syntaxFailure
    }
  }

  /// The reader runs ahead of the scanner, so libyaml has an offset in bytes and no mark.
  private var encodingFailure: YAMLError {
    let problem = unsafe String(cString: parser.pointee.problem)
    let offset = unsafe parser.pointee.problem_offset
    let mark = unsafe Position(offset: offset, in: input)
    let value = unsafe UInt32(truncatingIfNeeded: parser.pointee.problem_value)
    let isForbidden = problem == "control characters are not allowed"
    return YAMLError(
      isForbidden ? .forbiddenCharacter(value) : .malformedEncoding(problem),
      at: Span(start: mark, end: mark))
  }

  private var syntaxFailure: YAMLError {
    let problem = unsafe String(cString: parser.pointee.problem)
    let mark = unsafe visiblePlace(parser.pointee.problem_mark)
    if problem == "found character that cannot start any token" {
      let character = unsafe Unicode.Scalar(parser.pointee.buffer.pointer.pointee)
      return YAMLError(.unexpectedCharacter(character), at: Span(start: mark, end: mark))
    }
    if problem.hasPrefix("found a tab character") {
      return YAMLError(.unexpectedCharacter("\t"), at: Span(start: mark, end: mark))
    }
    let layout = layout(forProblem: problem, at: mark)
    if problem == strayColon, let (key, span) = layout?.keyWithoutColon {
      return YAMLError(.missingColon(after: key), at: span)
    }
    guard let context = unsafe parser.pointee.context else {
      return YAMLError(.syntax(problem, in: nil, layout), at: Span(start: mark, end: mark))
    }
    let start = unsafe visiblePlace(parser.pointee.context_mark)
    let words = unsafe String(cString: context)
    // Its end may be missing in lines above the end of the text.
    let isOpenQuote = words.hasSuffix("quoted scalar") && problem.hasPrefix("found unexpected")
    let place = problem == missingColon || isOpenQuote ? start : mark
    let construct = YAMLProblem.Construct(
      words: words, line: start.line == place.line ? nil : start.line)
    return YAMLError(.syntax(problem, in: construct, layout), at: Span(start: place, end: place))
  }

  /// The lines above a problem that may be one of layout, or nil for other problems.
  private func layout(forProblem problem: String, at mark: Position) -> Layout? {
    guard layoutProblems.contains(problem) else { return nil }
    return unsafe Layout(input, at: mark)
  }
}

/// The byte at a place of a text in UTF-8, found forwards.
private struct PlaceFinder {
  private var place = Position(line: 1, column: 1)
  private(set) var offset = 0

  /// Goes to a place that is not before the present one, or to the end.
  mutating func advance(to target: Position, in input: UnsafeBufferPointer<UInt8>) {
    // A byte order mark takes no column.
    if unsafe offset == 0 && input.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    while place < target, offset < input.count {
      let isContinued = unsafe input[offset] & 0xC0 == 0x80
      if unsafe isEnd(input) {
        place = Position(line: place.line + 1, column: 1)
      } else if !isContinued {
        place = Position(line: place.line, column: place.column + 1)
      }
      offset += 1
    }
    while unsafe offset < input.count && input[offset] & 0xC0 == 0x80 { offset += 1 }
  }

  /// Returns true if the present byte is the last one of a line end, as in `Span`.
  private func isEnd(_ input: UnsafeBufferPointer<UInt8>) -> Bool {
    switch unsafe input[offset] {
    case 0x0A: true
    case 0x0D: unsafe offset + 1 == input.count || input[offset + 1] != 0x0A
    case 0x85: unsafe offset > 0 && input[offset - 1] == 0xC2
    case 0xA8, 0xA9: unsafe offset > 1 && input[offset - 2] == 0xE2 && input[offset - 1] == 0x80
    default: false
    }
  }
}

extension Event.Properties {
  /// Copies libyaml's zero-terminated strings.
  ///
  /// A null pointer means an absent one.
  fileprivate init(anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?) {
    self.anchor = unsafe anchor.map { unsafe String(cString: $0) }
    self.tag = unsafe tag.map { unsafe String(cString: $0) }
  }
}

/// A text as events, one after another.
protocol EventSource {
  /// Goes to the next event.
  ///
  /// Not called after the end of the stream or an error.
  mutating func advance() throws(YAMLError) -> Event
  /// The place of the current event.
  var span: Span { get }
  /// Appends the text of the current event if it is a scalar, and returns its range.
  func appendText(to text: inout [UInt8]) -> Range<Int>
  /// Returns the source of the current event in UTF-8, or nothing if it is unknown.
  ///
  /// Called for events in order, but not for all.
  func source() -> [UInt8]
}

/// A step of a stream, as far as a tree needs it.
enum Event {
  case documentStart
  case alias(String)
  case scalar(Properties, ScalarStyle)
  case collectionStart(Node.Kind, Properties)
  case collectionEnd
  case streamEnd
  /// The start of the stream or the end of a document, without a node.
  case other

  /// The optional prefix of a node: its anchor's name, and its tag with the handle resolved.
  struct Properties {
    let anchor: String?
    let tag: String?
  }
}
