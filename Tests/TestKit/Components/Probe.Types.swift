import FlowCore

extension Probe {
  /// A field of every type.
  package struct Types: Sendable {
    enum Color: String, CaseIterable, FieldValue { case red, green }

    struct Inner: RecordRepresentable {
      let name: String
      let size: Double?
      static let record = Record(
        Inner.init(name:size:), Field("name", \.name, "A name."), Field("size", \.size, "A size."))
    }

    let bool: Bool
    let unsigned: UInt
    let decimal: Decimal
    let color: Color
    let bytes: Bytes
    let instant: Timestamp
    let span: Duration
    let items: [Inner]
    let sizes: [String: Int]

    static let record = Record(
      Types.init(bool:unsigned:decimal:color:bytes:instant:span:items:sizes:),
      Field("bool", \.bool, "A truth value."), Field("unsigned", \.unsigned, "A natural number."),
      Field("decimal", \.decimal, "An exact number."), Field("color", \.color, "One of two."),
      Field("bytes", \.bytes, "Bytes."), Field("instant", \.instant, "An instant."),
      Field("span", \.span, "A span of time."), Field("items", \.items, "Records."),
      Field("sizes", \.sizes, "Numbers by name."))

    static let sample = Types(
      bool: true, unsigned: .max, decimal: Decimal(significand: -1250, scale: 2), color: .green,
      bytes: Bytes([0, 255, 10]), instant: Timestamp.epoch, span: .milliseconds(-1500),
      items: [Inner(name: "a\"b", size: 0.5), Inner(name: "", size: nil)],
      sizes: ["b": 2, "a": 1])
  }
}
