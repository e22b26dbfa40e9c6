internal import FlowRedaction
internal import FlowSystem

extension Transcript {
  /// The transcript with its placeholders numbered in the order of its lines.
  ///
  /// Only for runs that hide something: a placeholder in any other run is ordinary text.
  var renumbered: Transcript {
    var numbers = LineNumbers()
    let header = numbers.renumbered(header)
    var copy = with(lines.map { numbers.renumbered($0) })
    copy.header = header
    return copy
  }
}

/// The numbers of placeholders in the lines so far.
///
/// The placeholders of a line come before those in its bodies.
private struct LineNumbers {
  private var numbers = CanonicalNumbers()

  mutating func renumbered(_ header: TranscriptHeader) -> TranscriptHeader {
    var copy = header
    copy.values = header.values.map { .init(name: text($0.name), value: inLine($0.value)) }
    copy.values = copy.values.map { .init(name: $0.name, value: inBodies($0.value)) }
    return copy
  }

  mutating func renumbered(_ line: TranscriptLine) -> TranscriptLine {
    var copy = line
    copy.at = text(line.at)
    if case .error(let code, let message) = line.kind {
      copy.kind = .error(code: text(code), message: text(message))
    }
    copy.value = line.value.map { inLine($0) }
    copy.value = copy.value.map { inBodies($0) }
    return copy
  }

  private mutating func text(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    return String(decoding: numbers.renumbered(Array(text.utf8)), as: UTF8.self)
  }

  private mutating func json(_ json: JSON) -> JSON {
    switch json {
    case .null, .bool, .number: return json
    case .string(let text): return .string(self.text(text))
    case .array(let elements): return .array(elements.map { self.json($0) })
    case .object(let members):
      return .object(
        members.map { member in
          let name = text(member.name)
          return .init(name, self.json(member.value))
        })
    }
  }

  /// The value with other numbers outside of its bodies.
  private mutating func inLine(_ value: RecordedValue) -> RecordedValue {
    switch value {
    case .plain(let json): return .plain(self.json(json))
    case .body: return value
    case .pattern(let pattern):
      return pattern.example.map { .pattern(pattern.withExample(inLine($0))) } ?? value
    case .array(let elements): return .array(elements.map { inLine($0) })
    case .object(let members, let isLiteral):
      return .object(
        members.map { member in
          let name = text(member.name)
          return .init(name: name, value: inLine(member.value))
        }, isLiteral: isLiteral)
    }
  }

  /// The value with other numbers in its bodies.
  private mutating func inBodies(_ value: RecordedValue) -> RecordedValue {
    switch value {
    case .plain: return value
    case .body(let blob, let json): return body(blob, json)
    case .pattern(let pattern):
      return pattern.example.map { .pattern(pattern.withExample(inBodies($0))) } ?? value
    case .array(let elements): return .array(elements.map { inBodies($0) })
    case .object(let members, let isLiteral):
      return .object(
        members.map { .init(name: $0.name, value: inBodies($0.value)) }, isLiteral: isLiteral)
    }
  }

  private mutating func body(_ blob: Blob, _ value: JSON) -> RecordedValue {
    let changed = blob.form == .base64 ? base64(value) : json(value)
    guard changed != value, let content = Blob.content(of: changed, blob.form) else {
      return .body(blob, value)
    }
    return .body(Blob(of: content, blob.form), changed)
  }

  private mutating func base64(_ value: JSON) -> JSON {
    guard let content = Blob.content(of: value, .base64) else { return value }
    let renumbered = numbers.renumbered(content)
    return renumbered == content ? value : .string(Base64.encode(renumbered))
  }
}
