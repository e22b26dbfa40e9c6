import FlowCore

/// A component with new answers each time.
struct Station: Component {
  static let plugin = Plugin(
    "station", version: "1", "Measures.", state: .none, events: [measured], operations: operations
  ) { _ in Station() }
  static let measured = EventKind("measured", "Something was measured.", Serial.record)
  static let operations: [Operation<Station>] = [
    Operation("read", "Measures.", answers: Reading.record) { _, context in
      let serial = Serial(serial: .random(in: 1...1_000_000_000), name: "north")
      context.emit(measured, serial)
      let isOdd = Bool.random()
      return Reading(
        name: "north", at: context.date, color: isOdd ? .red : .green, inner: serial,
        note: isOdd ? "x" : nil, span: .nanoseconds(serial.serial))
    }
  ]

  enum Color: String, CaseIterable, FieldValue { case red, green }

  struct Serial: RecordRepresentable {
    let serial: Int
    let name: String
    static let record = Record(
      Serial.init(serial:name:), Field("serial", \.serial, "A number.", volatile: true),
      Field("name", \.name, "A name."))
  }

  struct Reading: Sendable {
    let name: String
    let at: Timestamp
    let color: Color
    let inner: Serial
    let note: String?
    let span: Duration
    static let record = Record(
      Reading.init(name:at:color:inner:note:span:), Field("name", \.name, "Where."),
      Field("at", \.at, "When.", volatile: true), Field("color", \.color, "How.", volatile: true),
      Field("inner", \.inner, "What.", volatile: true),
      Field("note", \.note, "Why.", volatile: true),
      Field("span", \.span, "How long.", volatile: true))
  }
}
