internal import FlowCore

// MARK: - From the wire

extension ScalarKind {
  /// Returns the value of a number's bits.
  ///
  /// Numbers of 32 bits are signed ones of 64, which scenarios compute with most easily.
  func value(_ bits: UInt64) -> Value {
    switch self {
    case .double: .double(Double(bitPattern: bits))
    case .float: .double(Self.double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case .int32, .sfixed32: .int(Int(Int32(truncatingIfNeeded: bits)))
    case .int64, .sfixed64: .int(Int(Int64(bitPattern: bits)))
    case .uint32, .fixed32: .int(Int(UInt32(truncatingIfNeeded: bits)))
    case .uint64, .fixed64: .uint(UInt(bits))
    case .sint32: .int(Self.unfolded(UInt64(UInt32(truncatingIfNeeded: bits))))
    case .sint64: .int(Self.unfolded(bits))
    case .bool: .bool(bits != 0)
    case .string, .bytes: .null
    }
  }

  /// The number with the fewest digits that is the same `float`, as JSON has it.
  private static func double(_ float: Float) -> Double { Double("\(float)") ?? Double(float) }

  /// Undoes "zigzag": 0, -1, 1, -2 and so on.
  private static func unfolded(_ bits: UInt64) -> Int {
    Int(Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1))
  }

  /// The value of an absent field.
  var zero: Value {
    switch self {
    case .string: .string("")
    case .bytes: .bytes(Bytes([]))
    default: value(0)
    }
  }
}

// MARK: - To the wire

extension ScalarKind {
  /// Returns the bits of a number.
  ///
  /// - Throws: `ProtobufError.value`.
  func bits(_ value: Value) throws(ProtobufError) -> UInt64 {
    switch self {
    case .double: return try Self.double(value).bitPattern
    case .float: return UInt64(try Self.float(value).bitPattern)
    case .uint64, .fixed64: return UInt64(try unsigned(value))
    case .bool: return try Self.bool(value) ? 1 : 0
    case .sint32, .sint64:
      let number = Int64(try signed(value))
      return UInt64(bitPattern: number << 1 ^ number >> 63)
    case .sfixed32: return UInt64(UInt32(bitPattern: Int32(try signed(value))))
    case .int32, .int64, .sfixed64, .uint32, .fixed32:
      return UInt64(bitPattern: Int64(try signed(value)))
    case .string, .bytes: return 0
    }
  }

  private func problem(_ value: Value) -> ProtobufError {
    .value("a value of the type \(rawValue) cannot be \(value.summary(limit: 60))", at: "")
  }

  /// The numbers of the type, apart from those of the unsigned ones of 64 bits.
  private var range: ClosedRange<Int> {
    switch self {
    case .int32, .sint32, .sfixed32: Int(Int32.min)...Int(Int32.max)
    case .uint32, .fixed32: 0...Int(UInt32.max)
    default: Int.min...Int.max
    }
  }

  private func signed(_ value: Value) throws(ProtobufError) -> Int {
    let number: Int? =
      switch value {
      case .int(let number): number
      case .uint(let number): Int(exactly: number)
      case .double(let number): Int(exactly: number)
      case .decimal(let number): Int(exactly: number.double)
      case .number(let number): try signed(number.value)
      case .string(let text): Int(text)
      default: nil
      }
    guard let number, range.contains(number) else { throw problem(value) }
    return number
  }

  private func unsigned(_ value: Value) throws(ProtobufError) -> UInt {
    let number: UInt? =
      switch value {
      case .int(let number): UInt(exactly: number)
      case .uint(let number): number
      case .double(let number): UInt(exactly: number)
      case .decimal(let number): UInt(exactly: number.double)
      case .number(let number): try unsigned(number.value)
      case .string(let text): UInt(text)
      default: nil
      }
    guard let number else { throw problem(value) }
    return number
  }

  private static func double(_ value: Value) throws(ProtobufError) -> Double {
    switch value {
    case .double(let number): return number
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .string(let text):
      if let number = Double(text), number.isFinite { return number }
    default:
      if case .double(let number)? = try? value.converted(to: .double) { return number }
    }
    throw double.problem(value)
  }

  private static func float(_ value: Value) throws(ProtobufError) -> Float {
    let number = try double(value)
    let float = Float(number)
    guard float.isFinite || !number.isFinite else { throw Self.float.problem(value) }
    return float
  }

  private static func bool(_ value: Value) throws(ProtobufError) -> Bool {
    switch value {
    case .bool(let value): return value
    case .string("true"): return true
    case .string("false"): return false
    default: throw bool.problem(value)
    }
  }

  /// Returns the bytes of a string, or of bytes that may be a string in base 64.
  ///
  /// - Throws: `ProtobufError.value`.
  func content(_ value: Value) throws(ProtobufError) -> [UInt8] {
    switch (self, value) {
    case (.string, .string(let text)): return Array(text.utf8)
    case (.bytes, .bytes(let bytes)): return bytes.content
    case (.bytes, .string(let text)):
      guard let bytes = Self.bytes(text) else { throw problem(value) }
      return bytes
    default: throw problem(value)
    }
  }

  /// Decodes base 64 of both alphabets, with padding or without.
  private static func bytes(_ text: String) -> [UInt8]? {
    let letters = text.prefix { $0 != "=" }.map { character -> Character in
      switch character {
      case "-": "+"
      case "_": "/"
      default: character
      }
    }
    let padding = String(repeating: "=", count: (4 - letters.count % 4) % 4)
    return Bytes(base64: String(letters) + padding)?.content
  }
}

// MARK: - Keys

extension ScalarKind {
  /// Returns the text of a map's key, as JSON has it.
  func keyText(_ value: Value) -> String {
    switch value {
    case .string(let text): text
    case .bool(let value): "\(value)"
    case .int(let number): "\(number)"
    case .uint(let number): "\(number)"
    default: ""
    }
  }
}
