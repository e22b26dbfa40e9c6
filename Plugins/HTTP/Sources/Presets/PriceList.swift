internal import FlowCore

/// The prices of models.
struct PriceList: RecordRepresentable {
  let currency: String
  let models: [String: ModelPrice]

  static let record = Record(
    PriceList.init(currency:models:),
    Field("currency", \.currency, "The currency, such as USD."),
    Field("models", \.models, "The prices by the names of models."))

  /// Returns the price of a usage, or the reason why it is unknown.
  func price(of usage: ModelUsage) -> (amount: Decimal?, reason: String) {
    guard let model = usage.model else { return (nil, "an answer names no model") }
    guard let price = price(ofModel: model) else {
      return (nil, "no price of the model '\(model.excerpt)'")
    }
    return (price.amount(for: usage), "the price of the model '\(model.excerpt)' is incomplete")
  }

  /// Returns the prices of a model, whose name may end with a date: `gpt-4o-2024-08-06`.
  private func price(ofModel name: String) -> ModelPrice? {
    if let price = models[name] { return price }
    var digits = 0
    for (offset, character) in name.reversed().enumerated() {
      if character == "-", digits == 8 { return models[String(name.dropLast(offset + 1))] }
      guard character == "-" || character.isASCII && character.isNumber else { return nil }
      digits += character == "-" ? 0 : 1
    }
    return nil
  }
}

/// The prices of a model for a million tokens.
struct ModelPrice: RecordRepresentable {
  let input: Decimal
  let output: Decimal
  let cached: Decimal?
  let stored: Decimal?
  let storedLong: Decimal?

  static let record = Record(
    ModelPrice.init(input:output:cached:stored:storedLong:),
    Field("input", \.input, "For tokens of requests."),
    Field("output", \.output, "For tokens of answers."),
    Field("cached", \.cached, "For tokens of requests that come from a cache."),
    Field("stored", \.stored, "For tokens of requests that go into a cache."),
    Field("stored_long", \.storedLong, "For those of them that stay there for longer."))

  private static let million = Decimal(1_000_000)

  /// The price of a usage, or nil if a price of its tokens is missing.
  func amount(for usage: ModelUsage) -> Decimal? {
    let (cached, stored) = (usage.cached ?? 0, usage.stored ?? 0)
    let long = min(usage.storedLong ?? 0, stored)
    let parts = [
      (max(0, (usage.input ?? 0) - cached - stored), input), (usage.output ?? 0, output),
      (cached, self.cached), (stored - long, self.stored), (long, storedLong),
    ]
    var sum = Decimal.zero
    for (count, price) in parts where count > 0 {
      guard let price, let part = try? Decimal(count) * price, let next = try? sum + part else {
        return nil
      }
      sum = next
    }
    return try? sum / Self.million
  }
}
