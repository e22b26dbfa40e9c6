package import FlowCore

/// A component whose operation takes types that inputs of a scenario cannot have.
package actor Shapes: Component {
  package static let plugin = Plugin(
    "shapes", version: "1.0", "Takes values of many types.", state: .memory, operations: operations
  ) { _ in Shapes() }
  package static let operations: [Operation<Shapes>] = [
    Operation("take", "Answers what it takes.", input: Shape.record, answers: Shape.record) {
      _, _, shape in shape
    }
  ]
}

/// A field of every type that `inputs:` cannot have.
struct Shape: Sendable {
  enum Color: String, CaseIterable, FieldValue { case red, green }

  struct Size: RecordRepresentable {
    let width: Int
    let unit: String
    static let record = Record(
      Size.init(width:unit:), Field("width", \.width, "How wide."),
      Field("unit", \.unit, "In which unit.", default: "m"))
  }

  let color: Color
  let count: UInt
  let size: Size?
  let sizes: [Size]
  let note: Bytes?
  let weight: Double?

  static let record = Record(
    Shape.init(color:count:size:sizes:note:weight:),
    Field("color", \.color, "One of two.", default: .red),
    Field("count", \.count, "How many.", default: 0), Field("size", \.size, "How large."),
    Field("sizes", \.sizes, "How large each is.", default: []),
    Field("note", \.note, "Bytes."), Field("weight", \.weight, "How heavy."))
}
