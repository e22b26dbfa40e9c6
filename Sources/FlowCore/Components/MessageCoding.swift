/// The messages of a component's calls as bytes and as values, without the component.
///
/// A plugin whose calls pass on binary messages, such as protocol buffers, returns one in
/// `ComponentTraits.messages`. The component that answers another program in its place, live or in a
/// replay, reads that program's bytes and writes its answers with it. It is made of the plugin's
/// declaration alone, does no work outside, and may be used by any task.
public protocol MessageCoding: Sendable {
  /// Returns the sides of a method that send several messages, or nil for an unknown method.
  ///
  /// - Parameter method: The name as the protocol has it, such as `shop.Orders/Watch`.
  /// - Returns: The sides.
  func streams(of method: String) -> MessageStreams?

  /// Reads a message that a program sends to a method.
  ///
  /// - Throws: Any error whose description names the problem of the bytes.
  func value(ofRequest bytes: [UInt8], to method: String) throws -> Value

  /// Writes a message that a method answers with.
  ///
  /// - Throws: Any error whose description names the problem of the value.
  func bytes(ofAnswer message: Value, of method: String) throws -> [UInt8]

  /// The number of a status by its name, such as 5 for `not_found`, or nil for another name.
  func number(ofStatus name: String) -> Int?

  /// Writes a status with its details, as a program gets them beside the number and the message.
  ///
  /// - Parameters:
  ///   - number: The number of the status.
  ///   - message: The message.
  ///   - details: The details, as an answer of the component has them.
  /// - Returns: The bytes, or nil without details.
  /// - Throws: Any error whose description names the problem of a detail.
  func bytes(ofStatus number: Int, message: String, details: [Value]) throws -> [UInt8]?
}

/// The sides of a method that send any number of messages instead of one.
public struct MessageStreams: Sendable, Hashable {
  /// True if the client sends any number of messages.
  public let client: Bool
  /// True if the server sends any number of messages.
  public let server: Bool

  /// The sides of a method.
  public init(client: Bool, server: Bool) { (self.client, self.server) = (client, server) }
}
