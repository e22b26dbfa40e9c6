/// A list in the inputs or answers of an operation whose elements have a name for a person, such as
/// the messages of a conversation.
public struct NamedList: Sendable, Hashable {
  /// The place in the input, as names separated by points: `json.messages`.
  public let path: String
  /// The word for an element: `message`.
  public let element: String
  /// The members of an element that say which one it is, the first ones that it has: `role`, `name`.
  public let names: [String]

  /// Creates the list at a place.
  public init(_ path: String, element: String, names: [String]) {
    (self.path, self.element, self.names) = (path, element, names)
  }
}
