internal import FlowCore

/// The parts of `descriptor.proto` that decide about messages, as this module itself has them.
enum DescriptorSchema {
  /// Reads a `FileDescriptorSet` or a `FileDescriptorProto` into a value.
  ///
  /// - Throws: `ProtobufError`.
  static func value(_ name: String, _ bytes: [UInt8]) throws(ProtobufError) -> Value {
    let schema = try ProtobufSchema(lock: .map(ValueMap([("messages", messages)])))
    var decoder = MessageDecoder(schema)
    return try decoder.value(try schema.message(name), bytes[...])
  }

  // The enums are numbers here. A number of a field is the same in every version of the file.
  private static let declared: [(String, [(String, String)])] = [
    ("FileDescriptorSet", [("file", "repeated .FileDescriptorProto = 1")]),
    (
      "FileDescriptorProto",
      [
        ("name", "string = 1"), ("package", "string = 2"), ("dependency", "repeated string = 3"),
        ("message_type", "repeated .DescriptorProto = 4"),
        ("enum_type", "repeated .EnumDescriptorProto = 5"),
        ("service", "repeated .ServiceDescriptorProto = 6"), ("options", ".FileOptions = 8"),
        ("syntax", "string = 12"), ("edition", "int32 = 14"),
      ]
    ),
    (
      "DescriptorProto",
      [
        ("name", "string = 1"), ("field", "repeated .FieldDescriptorProto = 2"),
        ("nested_type", "repeated .DescriptorProto = 3"),
        ("enum_type", "repeated .EnumDescriptorProto = 4"), ("options", ".MessageOptions = 7"),
        ("oneof_decl", "repeated .OneofDescriptorProto = 8"),
      ]
    ),
    (
      "FieldDescriptorProto",
      [
        ("name", "string = 1"), ("number", "int32 = 3"), ("label", "int32 = 4"),
        ("type", "int32 = 5"), ("type_name", "string = 6"),
        ("default_value", "optional string = 7"), ("options", ".FieldOptions = 8"),
        ("oneof_index", "optional int32 = 9"), ("json_name", "optional string = 10"),
        ("proto3_optional", "bool = 17"),
      ]
    ),
    ("OneofDescriptorProto", [("name", "string = 1")]),
    (
      "EnumDescriptorProto",
      [
        ("name", "string = 1"), ("value", "repeated .EnumValueDescriptorProto = 2"),
        ("options", ".EnumOptions = 3"),
      ]
    ),
    ("EnumValueDescriptorProto", [("name", "string = 1"), ("number", "int32 = 2")]),
    (
      "ServiceDescriptorProto",
      [("name", "string = 1"), ("method", "repeated .MethodDescriptorProto = 2")]
    ),
    (
      "MethodDescriptorProto",
      [
        ("name", "string = 1"), ("input_type", "string = 2"), ("output_type", "string = 3"),
        ("options", ".MethodOptions = 4"), ("client_streaming", "bool = 5"),
        ("server_streaming", "bool = 6"),
      ]
    ),
    ("FileOptions", [("features", ".FeatureSet = 50")]),
    ("MessageOptions", [("map_entry", "bool = 7"), ("features", ".FeatureSet = 12")]),
    ("FieldOptions", [("packed", "optional bool = 2"), ("features", ".FeatureSet = 21")]),
    ("EnumOptions", [("features", ".FeatureSet = 7")]),
    ("MethodOptions", [("idempotency_level", "int32 = 34")]),
    (
      "FeatureSet",
      [
        ("field_presence", "int32 = 1"), ("enum_type", "int32 = 2"),
        ("repeated_field_encoding", "int32 = 3"), ("message_encoding", "int32 = 5"),
      ]
    ),
  ]

  private static let messages = Value.map(
    ValueMap(
      declared.map { name, fields in
        (name, .map(ValueMap(fields.map { ($0, .string($1)) })))
      }))
}

/// The features of an edition that decide about messages, of a file or of a part of it.
struct Features {
  enum Presence { case explicit, implicit, required }

  var presence: Presence
  var isClosed: Bool
  var isPacked: Bool
  var isDelimited: Bool

  static let proto2 = Features(
    presence: .explicit, isClosed: true, isPacked: false, isDelimited: false)
  static let proto3 = Features(
    presence: .implicit, isClosed: false, isPacked: true, isDelimited: false)
  static let edition2023 = Features(
    presence: .explicit, isClosed: false, isPacked: true, isDelimited: false)

  /// Returns the features of a part with options.
  func changed(by options: Value?) -> Features {
    guard let set = options?["features"] else { return self }
    var copy = self
    switch set["fieldPresence"] {
    case .int(1)?: copy.presence = .explicit
    case .int(2)?: copy.presence = .implicit
    case .int(3)?: copy.presence = .required
    default: break
    }
    if case .int(let type)? = set["enumType"], type > 0 { copy.isClosed = type == 2 }
    if case .int(let form)? = set["repeatedFieldEncoding"], form > 0 { copy.isPacked = form == 1 }
    if case .int(let form)? = set["messageEncoding"], form > 0 { copy.isDelimited = form == 2 }
    return copy
  }
}
