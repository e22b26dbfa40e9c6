internal import FlowCore

extension ProtobufSchema {
  /// Reads a `FileDescriptorSet`, as `protoc --include_imports --descriptor_set_out` writes it.
  ///
  /// - Throws: `ProtobufError`.
  public init(descriptorSet bytes: [UInt8]) throws(ProtobufError) {
    try self.init(files: DescriptorSchema.value("FileDescriptorSet", bytes)["file"]?.list ?? [])
  }

  /// Reads descriptors of single files, as server reflection has them, in any order.
  ///
  /// - Throws: `ProtobufError`.
  public init(fileDescriptors: [[UInt8]]) throws(ProtobufError) {
    var files: [Value] = []
    for bytes in fileDescriptors {
      files.append(try DescriptorSchema.value("FileDescriptorProto", bytes))
    }
    try self.init(files: files)
  }

  private init(files: [Value]) throws(ProtobufError) {
    var reader = DescriptorReader()
    for file in files { try reader.read(file) }
    try self.init(
      messages: try reader.messages(), enums: reader.enums, services: reader.services)
  }

  /// Returns the names of the files that a descriptor of a file needs.
  ///
  /// - Throws: `ProtobufError`.
  public static func dependencies(
    ofFileDescriptor bytes: [UInt8]
  ) throws(ProtobufError) -> (name: String, needs: [String]) {
    let file = try DescriptorSchema.value("FileDescriptorProto", bytes)
    return (file["name"]?.string ?? "", (file["dependency"]?.list ?? []).compactMap(\.string))
  }
}

/// Collects the types of files.
private struct DescriptorReader {
  private struct Found {
    let descriptor: Value
    let features: Features
  }

  private(set) var enums: [String: EnumType] = [:]
  private(set) var services: [String: ServiceType] = [:]
  private var found: [String: Found] = [:]

  mutating func read(_ file: Value) throws(ProtobufError) {
    let features = try Self.features(of: file).changed(by: file["options"])
    let package = file["package"]?.string ?? ""
    for message in file["messageType"]?.list ?? [] { try add(message, package, features) }
    for type in file["enumType"]?.list ?? [] { try add(enum: type, package, features) }
    for service in file["service"]?.list ?? [] {
      let name = Self.joined(package, service)
      services[name] = ServiceType(
        name: name, methods: (service["method"]?.list ?? []).map(MethodType.init(descriptor:)))
    }
  }

  private static func features(of file: Value) throws(ProtobufError) -> Features {
    switch file["syntax"]?.string ?? "" {
    case "", "proto2": return .proto2
    case "proto3": return .proto3
    default:
      guard case .int(let edition)? = file["edition"], edition >= 1000 else {
        throw .schema("'\(file["name"]?.string ?? "")' has an edition that is not known")
      }
      return .edition2023
    }
  }

  private static func joined(_ scope: String, _ descriptor: Value) -> String {
    let name = descriptor["name"]?.string ?? ""
    return scope.isEmpty ? name : "\(scope).\(name)"
  }

  private mutating func add(
    _ message: Value, _ scope: String, _ outer: Features
  ) throws(ProtobufError) {
    let (name, features) = (Self.joined(scope, message), outer.changed(by: message["options"]))
    found[name] = Found(descriptor: message, features: features)
    for nested in message["nestedType"]?.list ?? [] { try add(nested, name, features) }
    for type in message["enumType"]?.list ?? [] { try add(enum: type, name, features) }
  }

  private mutating func add(
    enum type: Value, _ scope: String, _ outer: Features
  ) throws(ProtobufError) {
    let name = Self.joined(scope, type)
    let members = (type["value"]?.list ?? []).map { member in
      EnumType.Member(
        name: member["name"]?.string ?? "", number: Int32(truncatingIfNeeded: member.int("number")))
    }
    enums[name] = try EnumType(
      name, members, isClosed: outer.changed(by: type["options"]).isClosed)
  }

  /// Returns the messages, once all files have been read.
  func messages() throws(ProtobufError) -> [String: MessageType] {
    var messages: [String: MessageType] = [:]
    for (name, message) in found where message.descriptor["options"]?["mapEntry"] != .bool(true) {
      var fields: [MessageField] = []
      for field in message.descriptor["field"]?.list ?? [] {
        fields.append(try self.field(field, of: message))
      }
      messages[name] = try MessageType(name, fields)
    }
    return messages
  }

  private func field(
    _ field: Value, of message: Found
  ) throws(ProtobufError) -> MessageField {
    let features = message.features.changed(by: field["options"])
    let isGroup = field.int("type") == 10
    var (cardinality, kind) = (cardinality(field, features), try kind(field))
    if cardinality == .repeated, let entry = try mapEntry(field) {
      (cardinality, kind) = (.map(entry.key), entry.value)
    }
    let name = field["name"]?.string ?? ""
    var result = MessageField(
      name: name, jsonName: field["jsonName"]?.string ?? FieldText.jsonName(of: name),
      number: field.int("number"), kind: kind, cardinality: cardinality)
    if case .message = kind {
      let isMap = if case .map = cardinality { true } else { false }
      result.isDelimited = isGroup || features.isDelimited && !isMap
    }
    if result.isRepeated, result.isPackable {
      result.isPacked = field["options"]?["packed"].map { $0 == .bool(true) } ?? features.isPacked
    }
    result.oneof = oneof(field, of: message.descriptor)
    result.defaultText = field["defaultValue"]?.string
    return result
  }

  private func oneof(_ field: Value, of message: Value) -> String? {
    // A oneof around one optional field of proto3 only says that it is optional.
    guard case .int(let index)? = field["oneofIndex"], field["proto3Optional"] != .bool(true),
      let oneofs = message["oneofDecl"]?.list, oneofs.indices.contains(index)
    else { return nil }
    return oneofs[index]["name"]?.string
  }

  private func cardinality(_ field: Value, _ features: Features) -> MessageField.Cardinality {
    switch field.int("label") {
    case 3: return .repeated
    case 2: return .required
    default: break
    }
    if field["oneofIndex"] != nil || field["proto3Optional"] == .bool(true) { return .optional }
    switch features.presence {
    case .required: return .required
    case .explicit: return .optional
    case .implicit: return [10, 11].contains(field.int("type")) ? .optional : .implicit
    }
  }

  private static let scalars: [Int: ScalarKind] = [
    1: .double, 2: .float, 3: .int64, 4: .uint64, 5: .int32, 6: .fixed64, 7: .fixed32, 8: .bool,
    9: .string, 12: .bytes, 13: .uint32, 15: .sfixed32, 16: .sfixed64, 17: .sint32, 18: .sint64,
  ]

  private func kind(_ field: Value) throws(ProtobufError) -> FieldKind {
    let number = field.int("type")
    let name = Self.typeName(field)
    switch number {
    case 10, 11: return .message(name)
    case 14: return .enumeration(name)
    default:
      guard let kind = Self.scalars[number] else {
        throw .schema("the field '\(field["name"]?.string ?? "")' has the type \(number)")
      }
      return .scalar(kind)
    }
  }

  private static func typeName(_ field: Value) -> String {
    let name = field["typeName"]?.string ?? ""
    return name.hasPrefix(".") ? String(name.dropFirst()) : name
  }

  private func mapEntry(
    _ field: Value
  ) throws(ProtobufError) -> (key: ScalarKind, value: FieldKind)? {
    guard let entry = found[Self.typeName(field)]?.descriptor,
      entry["options"]?["mapEntry"] == .bool(true), let fields = entry["field"]?.list,
      let key = fields.first(where: { $0.int("number") == 1 }),
      let value = fields.first(where: { $0.int("number") == 2 }),
      case .scalar(let kind) = try kind(key), kind.isKey
    else { return nil }
    return (kind, try self.kind(value))
  }
}

extension MethodType {
  fileprivate init(descriptor: Value) {
    let effect: Effect =
      switch descriptor["options"]?.int("idempotencyLevel") {
      case 1: .none
      case 2: .idempotent
      default: .unknown
      }
    self.init(
      name: descriptor["name"]?.string ?? "",
      input: String((descriptor["inputType"]?.string ?? "").drop { $0 == "." }),
      output: String((descriptor["outputType"]?.string ?? "").drop { $0 == "." }),
      clientStreams: descriptor["clientStreaming"] == .bool(true),
      serverStreams: descriptor["serverStreaming"] == .bool(true), effect: effect)
  }
}

extension Value {
  /// The number in a field, 0 without one.
  fileprivate func int(_ name: String) -> Int {
    if case .int(let number)? = self[name] { number } else { 0 }
  }
}
