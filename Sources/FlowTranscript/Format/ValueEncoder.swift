package import FlowCore
internal import FlowSystem

extension JSON {
  /// A value as a transcript has it, whatever its length.
  package init(_ value: Value, as type: ValueType) {
    var encoder = ValueEncoder()
    self = encoder.json(value, as: type)
  }
}

extension JSON {
  /// An input as it was recorded, with the defaults of fields that its type has gained since, as far as the present one
  /// has them.
  func fillingDefaults(of type: RecordType?, besides now: JSON) -> JSON {
    guard let type, case .object(var members) = self, case .object(let others) = now,
      case .plain = form
    else { return self }
    for field in type.fields {
      guard let value = field.defaultValue, value != .null,
        !members.contains(where: { $0.name == field.name }),
        others.contains(where: { $0.name == field.name })
      else { continue }
      members.append(Member(field.name, JSON(value, as: field.type)))
    }
    return .object(members)
  }
}

/// Turns values into the JSON of a transcript.
struct ValueEncoder {
  /// True if long bodies go to separate files.
  var separatesBodies = false
  /// True to surround each volatile value of a component with a pattern.
  var placesVolatile = false
  /// True if the output must be readable without its type.
  private var isExample = false
  /// The bodies left out since the last call of `takeBodies()`.
  private var bodies: [(blob: Blob, content: [UInt8])] = []
  /// The values of bodies so far, so that those of equal ones are in memory once.
  private var known: [Blob: JSON] = [:]

  init(separatesBodies: Bool = false, placesVolatile: Bool = false) {
    self.separatesBodies = separatesBodies
    self.placesVolatile = placesVolatile
  }

  /// Takes the bodies to keep in files.
  mutating func takeBodies() -> [(blob: Blob, content: [UInt8])] {
    if bodies.isEmpty { return [] }
    defer { bodies = [] }
    return bodies
  }

  /// Returns a written value, with separate files for lists and objects that would make a line too
  /// long for readers.
  ///
  /// The file of a list is complete: bodies named in it become part of its text and are not kept
  /// for it.
  mutating func separatingLong(_ json: JSON) -> JSON {
    var separation = LongValues(bodies)
    let separated = separation.separated(json)
    bodies = separation.bodies(of: separated)
    return separated
  }

  /// Writes something without patterns around volatile values.
  mutating func exactly(_ write: (inout ValueEncoder) -> Void) {
    let places = placesVolatile
    placesVolatile = false
    write(&self)
    placesVolatile = places
  }

  /// A value where its type is known: decimals, instants, durations and bytes are plain strings.
  mutating func write(_ value: Value, as type: ValueType, to sink: inout some JSONSink) {
    switch (type, value) {
    case (.optional(let wrapped), _): write(value, as: wrapped, to: &sink)
    case (.list(let element), .list(let values)):
      sink.beginArray()
      for value in values { write(value, as: element, to: &sink) }
      sink.endArray()
    case (.map(let element), .map(let map)): plainMap(map, element, &sink)
    case (.record, .record(let record)): self.record(record, &sink)
    case (.decimal, .decimal(let number)): sink.string(number.description)
    case (.timestamp, .timestamp(let instant)): sink.string(instant.description)
    case (.duration, .duration(let span)): sink.string(span.flowText)
    case (.bytes, .bytes(let bytes)): body(bytes.content, &sink)
    case (.uint, .uint(let number)): sink.number(String(number))
    default: dynamic(value, &sink)
    }
  }

  /// Returns a written value as a tree.
  mutating func json(_ value: Value, as type: ValueType) -> JSON {
    var tree = JSONTree()
    write(value, as: type, to: &tree)
    return tree.json
  }

  /// Returns a value with its bodies, which wait for `takeBodies()` after those of earlier values.
  mutating func separated(_ value: Value, as type: ValueType) -> RecordedValue {
    let others = takeBodies()
    defer { bodies = others + bodies }
    var tree = JSONTree()
    write(value, as: type, to: &tree)
    let json = isLong(tree) ? separatingLong(tree.json) : tree.json
    return recorded(json, tree, isChanged: false)
  }

  /// Returns the value of a line, with its patterns and bodies, after it was written to a tree and
  /// perhaps changed.
  ///
  /// Lists and objects that would make the line too long get separate files.
  mutating func valueOfLine(_ json: JSON, _ tree: JSONTree, isChanged: Bool) -> RecordedValue {
    let isLong = isLong(tree) && json.text.utf8.count > LongValues.longestInLine
    let separated = isLong ? separatingLong(json) : json
    return recorded(separated, tree, isChanged: isChanged)
  }

  /// Returns true for a tree that may be too long for a line.
  ///
  /// What is nested too deep is refused with its line.
  private func isLong(_ tree: JSONTree) -> Bool {
    separatesBodies && tree.size > LongValues.longestInLine
      && tree.depth <= JSONParser.depthLimit
  }

  private mutating func recorded(
    _ json: JSON, _ tree: JSONTree, isChanged: Bool
  ) -> RecordedValue {
    if bodies.isEmpty, !tree.hasSigns, !isChanged { return .plain(json) }
    var values: [(Blob, JSON)] = []
    for (blob, content) in bodies {
      guard let value = known[blob] ?? blob.value(content) else { continue }
      known[blob] = value
      values.append((blob, value))
    }
    var reader = RecordedValue.Reader(
      BlobReader(Dictionary(values, uniquingKeysWith: { first, _ in first })))
    // What was written just now is well formed.
    return (try? reader.value(json)) ?? .plain(json)
  }

  /// The outputs of a scenario as an object.
  mutating func write(outputs: [(name: String, value: Value)], to sink: inout some JSONSink) {
    sink.beginObject()
    for output in outputs {
      sink.name(output.name)
      dynamic(output.value, &sink)
    }
    sink.endObject()
  }

  /// Writes a value without a declared type, with an object with a `$` name for each value that
  /// JSON cannot distinguish.
  private mutating func dynamic(_ value: Value, _ sink: inout some JSONSink) {
    switch value {
    case .null: sink.null()
    case .bool(let value): sink.bool(value)
    case .int(let number): sink.number(String(number))
    case .uint(let number): tagged("$uint", String(number), &sink)
    // Always with a point or an exponent, so that it does not read back as an integer.
    case .double(let number) where number.isFinite: sink.number("\(number)")
    // No expression can show if it is a signalling NaN, or its other bits.
    case .double(let number): tagged("$double", number.isNaN ? "nan" : "\(number)", &sink)
    case .decimal(let number): tagged("$decimal", number.description, &sink)
    case .number(let number): tagged("$number", number.text, &sink)
    case .string(let text): body(text, &sink)
    case .bytes(let bytes):
      sink.beginObject()
      sink.name("$bytes")
      body(bytes.content, &sink)
      sink.endObject()
    case .timestamp(let instant): tagged("$timestamp", instant.description, &sink)
    case .duration(let span): tagged("$duration", span.flowText, &sink)
    case .list(let values):
      sink.beginArray()
      for value in values { dynamic(value, &sink) }
      sink.endArray()
    case .map(let map): dynamicMap(map, &sink)
    case .record(let record): self.record(record, &sink)
    case .type(let name): tagged("$type", name, &sink)
    case .optional(let value): dynamic(value ?? .null, &sink)
    }
  }

  private func tagged(_ name: String, _ text: String, _ sink: inout some JSONSink) {
    sink.beginObject()
    sink.name(name)
    sink.string(text)
    sink.endObject()
  }

  // MARK: - Records and maps

  /// The fields of a record that are not null, in the type's order.
  private mutating func record(_ record: RecordValue, _ sink: inout some JSONSink) {
    let isEscaped = record.type.fields.contains { JSON.isReserved($0.name) }
    begin(isEscaped: isEscaped, &sink)
    for (field, value) in zip(record.type.fields, record.values) {
      if field.isVolatile, placesVolatile {
        pattern(around: value, of: field, &sink)
        continue
      }
      // An absent field of any type reads back as null, so it need not be written.
      if case .null = value { continue }
      sink.name(field.name)
      write(value, as: field.type, to: &sink)
    }
    end(isEscaped: isEscaped, &sink)
  }

  /// Writes a volatile field: its type, and its value, which a replay serves.
  ///
  /// An optional field may be present or absent in other runs, so it is always written.
  private mutating func pattern(
    around value: Value, of field: RecordType.Field, _ sink: inout some JSONSink
  ) {
    sink.name(field.name)
    sink.beginObject()
    sink.name("$any")
    sink.string(RecordedPattern.Kind(field.type).rawValue)
    sink.name("example")
    // An example has no patterns in it, and is read without its type.
    placesVolatile = false
    isExample = true
    write(value, as: field.type, to: &sink)
    isExample = false
    placesVolatile = true
    sink.endObject()
  }

  /// Members sorted by the bytes of their names: equal maps give equal bytes.
  private mutating func plainMap(
    _ map: ValueMap, _ element: ValueType, _ sink: inout some JSONSink
  ) {
    let members = Self.sorted(map, by: \.interpolated)
    let isEscaped = members.contains {
      isExample ? $0.text.hasPrefix("$") : JSON.isReserved($0.text)
    }
    begin(isEscaped: isEscaped, &sink)
    for member in members {
      sink.name(member.text)
      write(member.value, as: element, to: &sink)
    }
    end(isEscaped: isEscaped, &sink)
  }

  /// Starts an object.
  ///
  /// An escaped object means what its names say, even if they are those of a pattern.
  private func begin(isEscaped: Bool, _ sink: inout some JSONSink) {
    sink.beginObject()
    if !isEscaped { return }
    sink.name(JSON.literalName)
    sink.beginObject()
  }

  private func end(isEscaped: Bool, _ sink: inout some JSONSink) {
    sink.endObject()
    if isEscaped { sink.endObject() }
  }

  private mutating func dynamicMap(_ map: ValueMap, _ sink: inout some JSONSink) {
    let isPlain = map.entries.allSatisfy { entry in
      if case .string(let key) = entry.key { return key.utf8.first != UInt8(ascii: "$") }
      return false
    }
    if isPlain { return plainMap(map, .dynamic, &sink) }
    sink.beginObject()
    sink.name("$map")
    sink.beginArray()
    for entry in Self.sorted(map, by: \.description) {
      sink.beginArray()
      dynamic(entry.key, &sink)
      dynamic(entry.value, &sink)
      sink.endArray()
    }
    sink.endArray()
    sink.endObject()
  }

  /// By bytes: `<` of strings takes two forms of one accented letter for one, and leaves them as they come.
  private static func sorted(
    _ map: ValueMap, by text: (Value) -> String
  ) -> [(text: String, key: Value, value: Value)] {
    map.entries.map { (text: text($0.key), key: $0.key, value: $0.value) }
      .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  // MARK: - Bodies

  /// Writes a possibly long string.
  private mutating func body(_ text: String, _ sink: inout some JSONSink) {
    guard separatesBodies, text.utf8.count > Blob.longestInLine else { return sink.string(text) }
    separate(Array(text.utf8), .text, &sink)
  }

  /// Writes possibly long bytes in base 64.
  private mutating func body(_ content: [UInt8], _ sink: inout some JSONSink) {
    guard separatesBodies, content.count > Blob.longestInLine else {
      return sink.string(Base64.encode(content))
    }
    separate(content, .base64, &sink)
  }

  private mutating func separate(
    _ content: [UInt8], _ form: Blob.Form, _ sink: inout some JSONSink
  ) {
    let blob = Blob(of: content, form)
    bodies.append((blob, content))
    sink.value(blob.json)
  }
}
