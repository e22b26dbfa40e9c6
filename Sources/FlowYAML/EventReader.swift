private import CYAML

/// Reads libyaml's events one after another; the only owner of its parser.
@safe
final class EventReader {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>
  private let input: UnsafeBufferPointer<UInt8>
  private let text: RewrittenText

  private init(_ input: UnsafeBufferPointer<UInt8>, of text: RewrittenText) throws(YAMLError) {
    unsafe self.input = input
    self.text = text
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

  /// Lends a reader of the text; neither the reader nor the text may outlive the closure.
  static func read<Result>(
    _ text: RewrittenText, _ body: (EventReader) throws(YAMLError) -> Result
  ) throws(YAMLError) -> Result {
    // libyaml asserts that it is given a pointer, which an empty array need not have.
    try unsafe (text.bytes.isEmpty ? [UInt8(ascii: "\n")] : text.bytes).withUnsafeBufferPointer {
      input throws(YAMLError) in
      try body(unsafe EventReader(input, of: text))
    }
  }

  /// Goes to the next event; not to be called after the end of the stream or an error.
  func advance() throws(YAMLError) -> Event {
    unsafe yaml_event_delete(event)
    guard unsafe yaml_parser_parse(parser, event) == 1 else { throw failure }
    return current
  }

  var span: Span {
    unsafe Span(start: place(event.pointee.start_mark), end: place(event.pointee.end_mark))
  }

  /// Where the current event stands in the rewritten text, in characters.
  var characters: Range<Int> {
    unsafe event.pointee.start_mark.index..<event.pointee.end_mark.index
  }

  private var isDoubleQuoted: Bool {
    unsafe event.pointee.type == YAML_SCALAR_EVENT
      && event.pointee.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
  }

  /// Appends the text of the current event if it is a scalar, and returns where it stands.
  func appendText(to text: inout [UInt8]) -> Range<Int> {
    let start = text.count
    if unsafe event.pointee.type == YAML_SCALAR_EVENT {
      let scalar = unsafe event.pointee.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      unsafe text.append(contentsOf: bytes)
    }
    return start..<text.count
  }

  // A member of libyaml's union is read only where the event's type has been checked.

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
    return unsafe .scalar(properties, isPlain: data.style == YAML_PLAIN_SCALAR_STYLE)
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

  /// Turns libyaml's mark, which counts from 0 in the rewritten text, into ours.
  private func place(_ mark: yaml_mark_t) -> Mark {
    text.original(Mark(line: mark.line + 1, column: mark.column + 1), index: mark.index)
  }

  // libyaml's own description of an error is read here and nowhere else.

  private var failure: YAMLError {
    switch unsafe parser.pointee.error {
    case YAML_MEMORY_ERROR: YAMLError(.outOfMemory, at: nil)
    case YAML_READER_ERROR: encodingFailure
    default: syntaxFailure
    }
  }

  /// The reader runs ahead of the scanner, so libyaml gives an offset in bytes instead of a mark.
  private var encodingFailure: YAMLError {
    let problem = unsafe String(cString: parser.pointee.problem)
    let offset = unsafe parser.pointee.problem_offset
    let mark = unsafe text.original(Mark(offset: offset, in: input), offset: offset)
    let value = unsafe UInt32(truncatingIfNeeded: parser.pointee.problem_value)
    let isForbidden = problem == "control characters are not allowed"
    return YAMLError(
      isForbidden ? .forbiddenCharacter(value) : .malformedEncoding(problem),
      at: Span(start: mark, end: mark))
  }

  private var syntaxFailure: YAMLError {
    let problem = unsafe String(cString: parser.pointee.problem)
    let mark = unsafe place(parser.pointee.problem_mark)
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
    let start = unsafe place(parser.pointee.context_mark)
    let construct = unsafe YAMLProblem.Construct(
      words: String(cString: context), line: start.line == mark.line ? nil : start.line)
    let place = problem == missingColon ? start : mark
    return YAMLError(.syntax(problem, in: construct, layout), at: Span(start: place, end: place))
  }

  /// The lines above a problem that may be one of them; nil for other problems.
  ///
  /// Their columns are those of the original text: a line with a surrogate pair before the problem fits none.
  private func layout(forProblem problem: String, at mark: Mark) -> Layout? {
    guard layoutProblems.contains(problem) else { return nil }
    return unsafe Layout(input, at: mark)
  }

  /// Lends a reader of the bytes; neither the reader nor the bytes may outlive the closure.
  ///
  /// Only a YAML reader can tell double quotes from a comment or a block of text, so a text that seems
  /// to have surrogate pairs is read twice: with all of them replaced, to see which are in double
  /// quotes, and with only those replaced. The first time may stop at a mistake or below `depth`
  /// collections; the second time stops there too, so what comes later does not matter.
  static func read<Result>(
    _ bytes: [UInt8], depth: Int, _ body: (EventReader) throws(YAMLError) -> Result
  ) throws(YAMLError) -> Result {
    let pairs = SurrogatePair.find(in: bytes)
    let text = RewrittenText(bytes, replacing: pairs)
    guard !pairs.isEmpty else { return try read(text, body) }
    var isText = [Bool](repeating: false, count: pairs.count)
    // The second time reports the mistake.
    try? read(text) { reader throws(YAMLError) in
      try reader.markText(in: text, depth: depth, &isText)
    }
    let escapes = zip(pairs, isText).filter { !$0.1 }.map(\.0)
    return try read(RewrittenText(bytes, replacing: escapes), body)
  }

  /// Marks the pairs that stand in scalars without double quotes, where a backslash is a backslash.
  private func markText(
    in text: RewrittenText, depth limit: Int, _ isText: inout [Bool]
  ) throws(YAMLError) {
    var depth = 0
    while depth <= limit {
      switch try advance() {
      case .streamEnd: return
      case .collectionStart: depth += 1
      case .collectionEnd: depth -= 1
      case .scalar where !isDoubleQuoted:
        let characters = self.characters
        let first = text.pairs(endingBy: characters.lowerBound)
        for pair in first..<text.pairs(endingBy: characters.upperBound) { isText[pair] = true }
      default: break
      }
    }
  }
}

extension Event.Properties {
  /// Copies libyaml's zero-terminated strings; a null pointer means that there is none.
  fileprivate init(anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?) {
    self.anchor = unsafe anchor.map { unsafe String(cString: $0) }
    self.tag = unsafe tag.map { unsafe String(cString: $0) }
  }
}

/// A step of a stream, as far as a tree needs it.
enum Event {
  case documentStart
  case alias(String)
  case scalar(Properties, isPlain: Bool)
  case collectionStart(Node.Kind, Properties)
  case collectionEnd
  case streamEnd
  /// The start of the stream and the end of a document, which say nothing about nodes.
  case other

  /// What may stand before a node: its anchor's name, and its tag with the handle resolved.
  struct Properties {
    let anchor: String?
    let tag: String?
  }
}
