internal import FlowCore

/// The presets of a component, and the usage of models in its answers.
struct ModelUsages: Sendable {
  private let presets: [NamedPreset]

  /// Creates the usages by presets, of which several are told apart by their hosts.
  init(_ presets: [NamedPreset]) { self.presets = presets }

  /// Returns the preset for a server, as `https://api.example.com` or as a whole URL, or nil.
  func preset(for server: String?) -> Preset? {
    if presets.count == 1 { return presets[0].preset }
    guard let server, let address = try? WebAddress(server) else { return nil }
    let names = [address.host, address.hostAndPort()]
    return presets.map(\.preset).first { !$0.hosts.filter(names.contains).isEmpty }
  }

  /// Returns the usage that a whole answer tells, or nil.
  func usage(of answer: HTTPAnswer) -> ModelUsage? {
    guard let preset = preset(for: answer.url) else { return nil }
    var usage = ModelUsage()
    let type = MediaType(answer.headers["content-type"] ?? "")
    preset.read(answer.json, answer.text, PieceKind(type), into: &usage)
    if usage.isEmpty { return nil }
    usage.price = preset.prices?.price(of: usage).amount
    return usage
  }
}

extension Preset {
  /// Adds what an answer says about its usage: its JSON, or else the JSON of its events.
  fileprivate func read(
    _ json: Value, _ text: String, _ kind: PieceKind?, into usage: inout ModelUsage
  ) {
    guard let places = self.usage else { return }
    if case .map = json { return places.read(json, into: &usage) }
    guard let kind else { return }
    for part in kind.parts(of: text) { places.read(part, into: &usage) }
  }
}

extension PieceKind {
  /// The longest event or line whose JSON is read, in bytes.
  private static let longest = 1 << 20

  /// Returns the JSON of all events or lines of a text.
  fileprivate func parts(of text: String) -> [Value] {
    let texts: [String]
    switch self {
    case .events:
      var parser = EventParser(limit: Self.longest)
      texts = parser.events(in: Array(text.utf8)).map(\.data)
    case .lines:
      texts = text.split(separator: "\n").map(String.init).filter { $0.utf8.count <= Self.longest }
    }
    return texts.compactMap { text in
      // Most other data is not JSON, as '[DONE]'.
      guard text.utf8.first == UInt8(ascii: "{"), let value = try? Value(json: Array(text.utf8)),
        value.excess() == nil
      else { return nil }
      return value
    }
  }
}

/// Counts the tokens of the calls of a component, of which streamed ones are told piece by piece.
struct UsageMeter: CallMeter {
  /// An answer that arrives in pieces.
  private struct Stream {
    let preset: Preset
    var usage = ModelUsage()
    var kind: PieceKind?
  }

  private let usages: ModelUsages
  /// The base of the component, or nil if requests name their server.
  private let base: String?
  /// The answers that have not ended, by the names of their streams.
  private var streams: [String: Stream] = [:]

  /// The most answers that are followed at once.
  private static let mostStreams = 10_000

  init(_ usages: ModelUsages, base: String?) { (self.usages, self.base) = (usages, base) }

  mutating func quantities(of operation: String, _ input: Value, _ answer: Value) -> [Quantity] {
    if operation == "piece" { return quantities(ofPiece: answer, of: input.text("stream")) }
    let server = base ?? input.text("origin") ?? answer.text("url")
    guard let preset = usages.preset(for: server) else { return [] }
    let kind = PieceKind(MediaType(answer.member("headers")?.text("content-type") ?? ""))
    if let stream = answer.text("stream") {
      if streams.count < Self.mostStreams { streams[stream] = Stream(preset: preset, kind: kind) }
      return []
    }
    var usage = ModelUsage()
    preset.read(answer.member("json") ?? .null, answer.text("text") ?? "", kind, into: &usage)
    return preset.quantities(of: usage, since: ModelUsage())
  }

  private mutating func quantities(ofPiece piece: Value, of name: String?) -> [Quantity] {
    guard let name, var stream = streams[name] else { return [] }
    if piece.member("end") == .bool(true) {
      streams[name] = nil
      return []
    }
    let before = stream.usage
    stream.preset.read(.null, piece.text("text") ?? "", stream.kind, into: &stream.usage)
    streams[name] = stream
    return stream.preset.quantities(of: stream.usage, since: before)
  }
}

extension Preset {
  /// Returns what a usage has more than the one before.
  fileprivate func quantities(of usage: ModelUsage, since before: ModelUsage) -> [Quantity] {
    let counts = zip(usage.counts, before.counts).compactMap { now, then -> Quantity? in
      guard let count = now.count, count != then.count ?? 0 else { return nil }
      return Quantity(
        "usage.\(now.name)", Decimal(count - (then.count ?? 0)), unit: ModelUsage.tokens)
    }
    guard let prices, !counts.isEmpty else { return counts }
    let (now, then) = (prices.price(of: usage), prices.price(of: before))
    let isFirst = before.input == nil && before.output == nil
    guard let amount = now.amount else {
      let unknown = Quantity("usage.price", unknown: now.reason, unit: prices.currency)
      return isFirst ? counts + [unknown] : counts
    }
    let earlier = isFirst ? .zero : then.amount ?? .zero
    guard let more = try? amount - earlier else { return counts }
    return counts + [Quantity("usage.price", more, unit: prices.currency)]
  }
}

extension Value {
  /// Returns a member of a record or a map, or nil.
  fileprivate func member(_ name: String) -> Value? {
    switch self {
    case .record(let record): record[name]
    case .map(let map): map[name]
    default: nil
    }
  }

  /// Returns a member that is a text, or nil.
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = member(name) { text } else { nil }
  }
}
