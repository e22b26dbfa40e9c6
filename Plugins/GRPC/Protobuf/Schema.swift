/// The messages, enums and services of a set of `.proto` files.
public struct ProtobufSchema: Sendable {
  /// The messages by their full names, without those that only describe a map.
  public let messages: [String: MessageType]
  /// The enums by their full names.
  public let enums: [String: EnumType]
  /// The services by their full names.
  public let services: [String: ServiceType]

  init(
    messages: [String: MessageType], enums: [String: EnumType], services: [String: ServiceType]
  ) throws(ProtobufError) {
    (self.messages, self.enums, self.services) = (messages, enums, services)
    try checkNames()
  }

  /// Checks that every name of a type is declared.
  private func checkNames() throws(ProtobufError) {
    for message in messages.values {
      for field in message.fields {
        switch field.kind {
        case .scalar: break
        case .message(let name):
          guard messages[name] != nil else { throw .unknownType(name) }
        case .enumeration(let name):
          guard enums[name] != nil else { throw .unknownType(name) }
        }
      }
    }
    for method in services.values.flatMap(\.methods) {
      for name in [method.input, method.output] where messages[name] == nil {
        throw .unknownType(name)
      }
    }
  }

  /// Returns a message by its full name.
  ///
  /// - Throws: `ProtobufError.unknownType`.
  func message(_ name: String) throws(ProtobufError) -> MessageType {
    guard let message = messages[name] else { throw .unknownType(name) }
    return message
  }

  /// Returns the schema with some services, with the types that these reach, and with all messages of
  /// their packages, which a `google.protobuf.Any` may have.
  ///
  /// - Parameter services: The full names, or nil for all.
  /// - Returns: The smaller schema.
  /// - Throws: `ProtobufError.unknownType`.
  public func reduced(to services: Set<String>? = nil) throws(ProtobufError) -> ProtobufSchema {
    let kept = self.services.filter { services?.contains($0.key) ?? true }
    var (found, enums) = (Set<String>(), Set<String>())
    var waiting = kept.values.flatMap { $0.methods.flatMap { [$0.input, $0.output] } }
    let packages = Set(kept.keys.compactMap { Self.package(of: $0) })
    waiting += messages.keys.filter { name in packages.contains { name.hasPrefix($0) } }
    while let name = waiting.popLast() {
      guard found.insert(name).inserted else { continue }
      for field in try message(name).fields {
        switch field.kind {
        case .scalar: break
        case .message(let name): waiting.append(name)
        case .enumeration(let name): enums.insert(name)
        }
      }
    }
    return try ProtobufSchema(
      messages: messages.filter { found.contains($0.key) },
      enums: self.enums.filter { enums.contains($0.key) }, services: kept)
  }

  /// The package of a service with a dot behind it, or nil without one.
  private static func package(of service: String) -> Substring? {
    service.lastIndex(of: ".").map { service[...$0] }
  }

  /// Returns the schema with the types of another one, of which equal names are the same types.
  ///
  /// - Throws: `ProtobufError.unknownType`, never for two whole schemas.
  public func merged(with other: ProtobufSchema) throws(ProtobufError) -> ProtobufSchema {
    try ProtobufSchema(
      messages: messages.merging(other.messages) { first, _ in first },
      enums: enums.merging(other.enums) { first, _ in first },
      services: services.merging(other.services) { first, _ in first })
  }
}

/// A message: its fields in the order of their numbers.
public struct MessageType: Sendable, Hashable {
  /// The full name, such as `shop.Order`.
  public let name: String
  /// The fields, by their numbers.
  public let fields: [MessageField]
  private let positions: [Int: Int]
  private let names: [String: Int]

  init(_ name: String, _ fields: [MessageField]) throws(ProtobufError) {
    self.name = name
    self.fields = fields.sorted { $0.number < $1.number }
    var (positions, names) = ([Int: Int](), [String: Int]())
    for (position, field) in self.fields.enumerated() {
      guard positions.updateValue(position, forKey: field.number) == nil else {
        throw .schema("'\(name)' has two fields with the number \(field.number)")
      }
      names[field.name] = position
    }
    // The name in JSON wins over a field's own name that is the same.
    for (position, field) in self.fields.enumerated() { names[field.jsonName] = position }
    (self.positions, self.names) = (positions, names)
  }

  /// The position in `fields` of a number.
  func position(_ number: Int) -> Int? { positions[number] }

  /// The field of a name, in JSON's form or in that of the file.
  func field(named name: String) -> MessageField? { names[name].map { fields[$0] } }
}

/// A field of a message.
public struct MessageField: Sendable, Hashable {
  /// The number of values of a field, and the meaning of its absence.
  public enum Cardinality: Sendable, Hashable {
    /// One value, absent if it is the type's own default.
    case implicit
    /// One value or none.
    case optional
    /// One value.
    case required
    /// Any number of values.
    case repeated
    /// Values by keys of a scalar type.
    case map(ScalarKind)
  }

  /// The name in the file, such as `user_id`.
  public let name: String
  /// The name in JSON, such as `userId`.
  public let jsonName: String
  /// The number on the wire.
  public let number: Int
  /// The type of a value.
  public let kind: FieldKind
  /// The number of values.
  public let cardinality: Cardinality
  /// True if numbers of a repeated field are written together.
  public var isPacked = false
  /// True for a message between two tags, a group, in place of one behind its length.
  public var isDelimited = false
  /// The group of fields of which at most one has a value.
  public var oneof: String?
  /// The default of an absent field, as the file has it.
  public var defaultText: String?

  /// True for values that JSON has in a list.
  var isRepeated: Bool { cardinality == .repeated }
}

/// The type of a field's value.
public enum FieldKind: Sendable, Hashable {
  /// A number, a text, bytes, or true and false.
  case scalar(ScalarKind)
  /// A message, by its full name.
  case message(String)
  /// An enum, by its full name.
  case enumeration(String)
}

/// A scalar type, by its name in `.proto` files.
public enum ScalarKind: String, Sendable, Hashable, CaseIterable {
  /// A type by its name.
  case double, float, int32, int64, uint32, uint64, sint32, sint64
  /// A type by its name.
  case fixed32, fixed64, sfixed32, sfixed64, bool, string, bytes

  /// The form on the wire.
  var wireType: WireType {
    switch self {
    case .double, .fixed64, .sfixed64: .eightBytes
    case .float, .fixed32, .sfixed32: .fourBytes
    case .string, .bytes: .length
    case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool: .varint
    }
  }

  /// True if the keys of a map can have the type.
  var isKey: Bool { self != .double && self != .float && self != .bytes }
}

/// An enum: names and numbers in the order of the file.
public struct EnumType: Sendable, Hashable {
  /// A name with its number.
  public struct Member: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The number, which several names may have.
    public let number: Int32
  }

  /// The full name.
  public let name: String
  /// The members, the default first.
  public let members: [Member]
  /// True if other numbers are unknown fields.
  public let isClosed: Bool
  private let names: [Int32: String]
  private let numbers: [String: Int32]

  init(_ name: String, _ members: [Member], isClosed: Bool) throws(ProtobufError) {
    guard !members.isEmpty else { throw .schema("the enum '\(name)' has no values") }
    (self.name, self.members, self.isClosed) = (name, members, isClosed)
    names = Dictionary(members.map { ($0.number, $0.name) }) { first, _ in first }
    numbers = Dictionary(members.map { ($0.name, $0.number) }) { first, _ in first }
  }

  /// The first name of a number.
  func name(of number: Int32) -> String? { names[number] }

  /// The number of a name.
  func number(of name: String) -> Int32? { numbers[name] }

  /// The number of an absent field.
  var first: Int32 { members.first?.number ?? 0 }
}

/// A service: its methods in the order of the file.
public struct ServiceType: Sendable, Hashable {
  /// The full name, such as `shop.Orders`.
  public let name: String
  /// The methods.
  public let methods: [MethodType]
}

/// A method of a service.
public struct MethodType: Sendable, Hashable {
  /// The safety of a call, as the file declares it.
  public enum Effect: String, Sendable, Hashable {
    /// A call may change something, or the file does not say.
    case unknown
    /// A second call changes nothing more.
    case idempotent
    /// A call changes nothing.
    case none = "no side effects"
  }

  /// The name.
  public let name: String
  /// The full name of the message that it takes.
  public let input: String
  /// The full name of the message that it answers with.
  public let output: String
  /// True if the client sends any number of messages.
  public let clientStreams: Bool
  /// True if the server sends any number of messages.
  public let serverStreams: Bool
  /// The safety of a call.
  public let effect: Effect

  /// A method, as its file declares it.
  public init(
    name: String, input: String, output: String, clientStreams: Bool, serverStreams: Bool,
    effect: Effect
  ) {
    (self.name, self.input, self.output) = (name, input, output)
    (self.clientStreams, self.serverStreams) = (clientStreams, serverStreams)
    self.effect = effect
  }
}
