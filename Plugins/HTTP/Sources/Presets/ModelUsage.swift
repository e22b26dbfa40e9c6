internal import FlowCore

/// The usage of a model by one call.
struct ModelUsage: RecordRepresentable, Hashable {
  var model: String?
  var input: Int?
  var output: Int?
  var total: Int?
  var cached: Int?
  var stored: Int?
  var storedLong: Int?
  var stop: String?
  var price: Decimal?

  /// No usage.
  init() {}

  private init(
    model: String?, input: Int?, output: Int?, total: Int?, cached: Int?, stored: Int?,
    storedLong: Int?, stop: String?, price: Decimal?
  ) {
    (self.model, self.input, self.output, self.total) = (model, input, output, total)
    (self.cached, self.stored, self.storedLong) = (cached, stored, storedLong)
    (self.stop, self.price) = (stop, price)
  }

  static let record = Record(
    ModelUsage.init(model:input:output:total:cached:stored:storedLong:stop:price:),
    Field("model", \.model, "The model, as the answer names it."),
    Field(
      "input", \.input, "The tokens of the request, with those of a cache.", quantity: tokens),
    Field("output", \.output, "The tokens of the answer.", quantity: tokens),
    Field("total", \.total, "All tokens.", quantity: tokens),
    Field("cached", \.cached, "The tokens of 'input' that came from a cache.", quantity: tokens),
    Field("stored", \.stored, "The tokens of 'input' that went into a cache.", quantity: tokens),
    Field(
      "stored_long", \.storedLong, "Those of 'stored' that stay there for longer.",
      quantity: tokens),
    Field("stop", \.stop, "The reason for the end of the answer."),
    Field("price", \.price, "The price of the call. Null if the price of the model is unknown."))

  /// The unit of its counts.
  static let tokens = "tokens"

  /// True if the answer said nothing about a usage.
  var isEmpty: Bool { self == ModelUsage() }

  /// The counts by their names, in the order of the fields.
  var counts: [(name: String, count: Int?)] {
    [
      ("input", input), ("output", output), ("total", total), ("cached", cached),
      ("stored", stored), ("stored_long", storedLong),
    ]
  }
}

/// The places of the usage in the JSON of an answer, or of an event of a streamed one.
struct UsagePlaces: RecordRepresentable {
  let model: [UsagePlace]
  let input: [UsagePlace]
  let output: [UsagePlace]
  let total: [UsagePlace]
  let cached: [UsagePlace]
  let stored: [UsagePlace]
  let storedLong: [UsagePlace]
  let stop: [UsagePlace]

  static let record = Record(
    UsagePlaces.init(model:input:output:total:cached:stored:storedLong:stop:),
    Field("model", \.model, "The model.", default: []),
    Field("input", \.input, "The tokens of the request, with those of a cache.", default: []),
    Field("output", \.output, "The tokens of the answer.", default: []),
    Field("total", \.total, "All tokens, or else the sum of both.", default: []),
    Field("cached", \.cached, "The tokens that came from a cache.", default: []),
    Field("stored", \.stored, "The tokens that went into a cache.", default: []),
    Field("stored_long", \.storedLong, "Those that stay there for longer.", default: []),
    Field("stop", \.stop, "The reason for the end of the answer.", default: []))

  /// Adds what a part of an answer says, which counts instead of what earlier parts said.
  func read(_ part: Value, into usage: inout ModelUsage) {
    usage.model = text(model, part) ?? usage.model
    usage.input = count(input, part) ?? usage.input
    usage.output = count(output, part) ?? usage.output
    usage.cached = count(cached, part) ?? usage.cached
    usage.stored = count(stored, part) ?? usage.stored
    usage.storedLong = count(storedLong, part) ?? usage.storedLong
    usage.stop = text(stop, part) ?? usage.stop
    let sum =
      usage.input == nil && usage.output == nil
      ? nil : (usage.input ?? 0) + (usage.output ?? 0)
    usage.total = count(total, part) ?? sum
  }

  private func text(_ places: [UsagePlace], _ part: Value) -> String? {
    places.lazy.compactMap { $0.text(in: part) }.first
  }

  private func count(_ places: [UsagePlace], _ part: Value) -> Int? {
    places.lazy.compactMap { $0.count(in: part) }.first
  }
}

/// A place in JSON, or the sum of several: names separated by points, with indices in brackets.
struct UsagePlace: FieldValue {
  static let valueType = ValueType.string

  private let text: String
  private let terms: [FieldPath]

  /// The greatest count that is believed, so that no sum overflows.
  private static let greatest = 1 << 50

  init(decoding value: Value) throws(DecodeError) {
    text = try String(decoding: value)
    guard let terms = Self.terms(text) else {
      throw DecodeError(like: "usage.input_tokens", value)
    }
    self.terms = terms
  }

  var encoded: Value { .string(text) }

  /// The paths of a sum, or nil for a text that has none.
  private static func terms(_ text: String) -> [FieldPath]? {
    let terms = text.split(separator: "+", omittingEmptySubsequences: false).map { term in
      path(term.drop { $0 == " " }.prefix { $0 != " " })
    }
    let known = terms.compactMap(\.self)
    return known.count == terms.count ? known : nil
  }

  private static func path(_ text: Substring) -> FieldPath? {
    var steps: [FieldPath.Step] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = pieces.first, !name.isEmpty else { return nil }
      steps.append(.field(String(name)))
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let index = UInt16(piece.dropLast()) else { return nil }
        steps.append(.index(Int(index)))
      }
    }
    return steps.isEmpty ? nil : FieldPath(steps)
  }

  /// Returns the text at the place, or nil for anything else.
  func text(in value: Value) -> String? {
    guard let path = terms.first, case .string(let text)? = value.part(at: path) else { return nil }
    return text
  }

  /// Returns the sum of the counts, of which the first one must be there, or nil.
  func count(in value: Value) -> Int? {
    guard let first = terms.first, let start = Self.count(value.part(at: first)) else { return nil }
    return terms.dropFirst().reduce(start) { $0 + (Self.count(value.part(at: $1)) ?? 0) }
  }

  private static func count(_ value: Value?) -> Int? {
    guard case .int(let count)? = value, 0...greatest ~= count else { return nil }
    return count
  }
}

extension Value {
  /// Returns the part of decoded JSON at a path, or nil.
  fileprivate func part(at path: FieldPath) -> Value? {
    var value = self
    for step in path.steps {
      switch (step, value) {
      case (.field(let name), .map(let map)):
        guard let inner = map[name] else { return nil }
        value = inner
      case (.index(let index), .list(let list)) where index < list.count: value = list[index]
      default: return nil
      }
    }
    return value
  }
}
