public import FlowCore

/// A message that was read.
public struct ReadMessage: Sendable, Hashable {
  /// The fields that it has, by their names in JSON.
  public let value: Value
  /// The number of fields that the schema does not have, and that writing it again would lose.
  public let unknownCount: Int
}

extension ProtobufSchema {
  /// Reads a message.
  ///
  /// The value is a map of the fields that are present, in the form of the JSON mapping
  /// (https://protobuf.dev/programming-guides/json/), with these differences: whole numbers of 64 bits
  /// are numbers, bytes are bytes, timestamps and durations are those of scenarios, and a number
  /// that an open enum does not name is a string of its digits.
  ///
  /// - Parameters:
  ///   - bytes: The whole message.
  ///   - message: The full name of its type.
  /// - Returns: The value, and what it lacks.
  /// - Throws: `ProtobufError`.
  public func read(_ bytes: [UInt8], as message: String) throws(ProtobufError) -> ReadMessage {
    var decoder = MessageDecoder(self)
    let value = try decoder.value(try self.message(message), bytes[...])
    if let excess = value.excess() { throw .tooLarge("\(excess)") }
    return ReadMessage(value: value, unknownCount: decoder.unknownCount)
  }

  /// Writes a message, always with the same bytes for equal values.
  ///
  /// - Parameters:
  ///   - value: A map or a record of fields, by their names in JSON or in the file, in the forms that
  ///     `read` returns or in those of JSON.
  ///   - message: The full name of its type.
  /// - Returns: The whole message.
  /// - Throws: `ProtobufError`.
  public func written(_ value: Value, as message: String) throws(ProtobufError) -> [UInt8] {
    try MessageEncoder(self).bytes(try self.message(message), value)
  }
}
