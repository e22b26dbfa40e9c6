public import FlowCore

/// The schema as people review it, in flow.lock.
///
///     messages: {shop.Order: {id: int64 = 1, note: optional string = 2}}
///     enums: {shop.Kind: [UNKNOWN = 0, OPEN = 1]}
///     services: {shop.Orders: {Get: shop.Key -> shop.Order, Watch: shop.Key -> stream shop.Order}}
extension ProtobufSchema {
  /// The schema as a value, without anything that no message depends on.
  public var lockEntry: ValueMap {
    let closed = enums.values.filter(\.isClosed).map(\.name).sorted()
    var entry = ValueMap([
      (
        "messages",
        Self.map(messages) { .map(ValueMap($0.fields.map { ($0.name, .string($0.text)) })) }
      ),
      (
        "enums",
        Self.map(enums) { .list($0.members.map { .string("\($0.name) = \($0.number)") }) }
      ),
      (
        "services",
        Self.map(services) { .map(ValueMap($0.methods.map { ($0.name, .string($0.text)) })) }
      ),
    ])
    if !closed.isEmpty { entry[.string("closed")] = .list(closed.map { .string($0) }) }
    return entry
  }

  private static func map<Element>(
    _ parts: [String: Element], _ value: (Element) -> Value
  ) -> Value {
    .map(ValueMap(parts.sorted { $0.key < $1.key }.map { ($0.key, value($0.value)) }))
  }

  /// Reads a schema from its entry in flow.lock.
  ///
  /// - Throws: `ProtobufError` for an entry that is not one.
  public init(lock entry: Value) throws(ProtobufError) {
    let closed = Set((entry["closed"]?.list ?? []).compactMap(\.string))
    var (messages, enums) = ([String: MessageType](), [String: EnumType]())
    for (name, members) in Self.entries(entry["enums"]) {
      let members = try (members.list ?? []).map { (text) throws(ProtobufError) in
        try EnumType.Member(text: text.string ?? "")
      }
      enums[name] = try EnumType(name, members, isClosed: closed.contains(name))
    }
    for (name, fields) in Self.entries(entry["messages"]) {
      var read: [MessageField] = []
      for (field, text) in Self.entries(fields) {
        read.append(try FieldText.field(field, text.string ?? "", of: name, enums))
      }
      messages[name] = try MessageType(name, read)
    }
    var services: [String: ServiceType] = [:]
    for (name, methods) in Self.entries(entry["services"]) {
      var read: [MethodType] = []
      for (method, text) in Self.entries(methods) {
        read.append(try MethodType(method, text: text.string ?? ""))
      }
      services[name] = ServiceType(name: name, methods: read)
    }
    try self.init(messages: messages, enums: enums, services: services)
  }

  private static func entries(_ value: Value?) -> [(String, Value)] {
    (value?.map?.entries ?? []).map { ($0.key.interpolated, $0.value) }
  }
}

extension EnumType.Member {
  /// Reads `NAME = NUMBER`.
  fileprivate init(text: String) throws(ProtobufError) {
    let (name, number) = TextParts.halves(text, " = ")
    guard !name.isEmpty, let number = Int32(number) else {
      throw .schema("'\(text)' is not 'NAME = NUMBER'")
    }
    (self.name, self.number) = (name, number)
  }
}

// MARK: - Fields

extension MessageField {
  /// The field without its name: `repeated int32 = 4 [expanded]`.
  fileprivate var text: String {
    var notes: [String] = []
    if jsonName != FieldText.jsonName(of: name) { notes.append("json: \(jsonName)") }
    if let oneof { notes.append("oneof: \(oneof)") }
    if isRepeated, !isPacked, isPackable { notes.append("expanded") }
    if isDelimited { notes.append("delimited") }
    // Last, since its text may have anything.
    if let defaultText { notes.append("default: \(defaultText)") }
    let rest = notes.isEmpty ? "" : " [\(notes.joined(separator: ", "))]"
    return "\(prefix)\(typeText) = \(number)\(rest)"
  }

  private var prefix: String {
    switch cardinality {
    case .required: "required "
    case .repeated: "repeated "
    case .optional: oneof == nil && !isMessage ? "optional " : ""
    case .implicit, .map: ""
    }
  }

  private var typeText: String {
    if case .map(let key) = cardinality { "map<\(key.rawValue), \(kind.text)>" } else { kind.text }
  }

  fileprivate var isMessage: Bool { if case .message = kind { true } else { false } }

  /// True if values of its type can be written together.
  var isPackable: Bool { wireType != .length }
}

extension FieldKind {
  fileprivate var text: String {
    switch self {
    case .scalar(let kind): kind.rawValue
    // With a dot, which tells a name without a package from that of a scalar type.
    case .message(let name), .enumeration(let name): name.contains(".") ? name : ".\(name)"
    }
  }

  fileprivate init(text: String, _ enums: [String: EnumType]) {
    if let kind = ScalarKind(rawValue: text) {
      self = .scalar(kind)
      return
    }
    let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
    self = enums[name] == nil ? .message(name) : .enumeration(name)
  }
}

/// The text of a field in flow.lock.
enum FieldText {
  /// The name in JSON that a field has by itself: `user_id` is `userId`.
  static func jsonName(of name: String) -> String {
    var (text, isUpper) = ("", false)
    for byte in name.utf8 {
      if byte == UInt8(ascii: "_") {
        isUpper = true
        continue
      }
      let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      text.unicodeScalars.append(Unicode.Scalar(isUpper && isLetter ? byte - 32 : byte))
      isUpper = false
    }
    return text
  }

  /// Reads a field.
  ///
  /// - Throws: `ProtobufError.schema` for a text that is not one.
  static func field(
    _ name: String, _ text: String, of message: String, _ enums: [String: EnumType]
  ) throws(ProtobufError) -> MessageField {
    let (head, notes) = TextParts.halves(text, " [")
    let (typed, digits) = TextParts.halves(head, " = ")
    guard let number = Int(digits), 1...536_870_911 ~= number else {
      throw .schema("'\(name): \(text)' of '\(message)' is not a field such as 'string = 1'")
    }
    let marks = Notes(notes)
    let (cardinality, kind) = try type(typed, marks.oneof != nil, enums)
    var field = MessageField(
      name: name, jsonName: marks.json ?? jsonName(of: name), number: number, kind: kind,
      cardinality: cardinality)
    field.oneof = marks.oneof
    field.isDelimited = marks.isDelimited
    field.defaultText = marks.defaultText
    field.isPacked = field.isRepeated && field.isPackable && !marks.isExpanded
    return field
  }

  private static func type(
    _ text: String, _ isOfOneof: Bool, _ enums: [String: EnumType]
  ) throws(ProtobufError) -> (MessageField.Cardinality, FieldKind) {
    if text.hasPrefix("map<"), text.hasSuffix(">") {
      let (key, value) = TextParts.halves(String(text.dropFirst(4).dropLast()), ", ")
      guard let key = ScalarKind(rawValue: key), key.isKey else {
        throw .schema("'\(key)' cannot be the type of a map's keys")
      }
      return (.map(key), FieldKind(text: value, enums))
    }
    let prefixes: [(String, MessageField.Cardinality)] = [
      ("required ", .required), ("repeated ", .repeated), ("optional ", .optional),
    ]
    for (prefix, cardinality) in prefixes where text.hasPrefix(prefix) {
      return (cardinality, FieldKind(text: String(text.dropFirst(prefix.count)), enums))
    }
    let kind = FieldKind(text: text, enums)
    if case .message = kind { return (.optional, kind) }
    return (isOfOneof ? .optional : .implicit, kind)
  }

  private struct Notes {
    var json: String?
    var oneof: String?
    var isExpanded = false
    var isDelimited = false
    var defaultText: String?

    init(_ text: String) {
      var rest = text.hasSuffix("]") ? String(text.dropLast()) : text
      while !rest.isEmpty {
        if rest.hasPrefix("default: ") {
          defaultText = String(rest.dropFirst("default: ".count))
          return
        }
        let (note, next) = TextParts.halves(rest, ", ")
        if note.hasPrefix("json: ") { json = String(note.dropFirst("json: ".count)) }
        if note.hasPrefix("oneof: ") { oneof = String(note.dropFirst("oneof: ".count)) }
        if note == "expanded" { isExpanded = true }
        if note == "delimited" { isDelimited = true }
        rest = next
      }
    }
  }
}

/// The parts of a short text.
enum TextParts {
  /// Returns the text before and behind a separator, or the whole and nothing.
  static func halves(_ text: String, _ separator: String) -> (String, String) {
    let (bytes, mark) = (Array(text.utf8), Array(separator.utf8))
    guard bytes.count >= mark.count,
      let start = (0...(bytes.count - mark.count)).first(where: {
        bytes[$0..<($0 + mark.count)] == mark[...]
      })
    else { return (text, "") }
    return (
      String(decoding: bytes[..<start], as: UTF8.self),
      String(decoding: bytes[(start + mark.count)...], as: UTF8.self)
    )
  }
}

// MARK: - Methods

extension MethodType {
  /// The method without its name: `shop.Key -> stream shop.Order [idempotent]`.
  fileprivate var text: String {
    let note = effect == .unknown ? "" : " [\(effect.rawValue)]"
    return (clientStreams ? "stream " : "") + input + " -> " + (serverStreams ? "stream " : "")
      + output + note
  }

  fileprivate init(_ name: String, text: String) throws(ProtobufError) {
    let (types, note) = TextParts.halves(text, " [")
    let (input, output) = TextParts.halves(types, " -> ")
    guard !input.isEmpty, !output.isEmpty else {
      throw .schema("'\(name): \(text)' is not a method such as 'shop.Key -> shop.Order'")
    }
    let stream = "stream "
    self.init(
      name: name,
      input: input.hasPrefix(stream) ? String(input.dropFirst(stream.count)) : input,
      output: output.hasPrefix(stream) ? String(output.dropFirst(stream.count)) : output,
      clientStreams: input.hasPrefix(stream), serverStreams: output.hasPrefix(stream),
      effect: Effect(rawValue: String(note.dropLast(note.isEmpty ? 0 : 1))) ?? .unknown)
  }
}
