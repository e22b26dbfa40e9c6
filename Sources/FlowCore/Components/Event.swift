/// An event's name and payload, without the payload's Swift type.
public struct EventDescription: Sendable {
  /// The name behind the component's in `component.name`.
  public let name: String
  /// When it is emitted, one sentence.
  public let summary: String
  /// The fields of its payload.
  public let payload: RecordType
  /// Decodes a payload and encodes it again.
  package let payloadCopy: @Sendable (Value) throws(DecodeError) -> Value
}

/// An event of any payload, as a plugin lists it: `EventKind` alone.
public protocol DeclaredEvent: Sendable {
  /// Name, meaning and payload. Read once, when the registry is made.
  var description: EventDescription { get }
}

/// Something that a component reports by itself, such as `balance.changed`.
///
///     static let changed = EventKind("changed", "The balance changed.", balance)
///     // in the plugin:
///     events: [changed]
///     // in an operation:
///     context.emit(Self.changed, newBalance)
public struct EventKind<Payload: Sendable>: DeclaredEvent {
  /// Name, meaning and payload.
  public let description: EventDescription
  let record: Record<Payload>

  /// An event of this name, which carries the fields of `payload`.
  public init(_ name: String, _ summary: String, _ payload: Record<Payload>) {
    record = payload
    description = EventDescription(
      name: name, summary: summary, payload: payload.type, payloadCopy: payload.copy)
  }
}
