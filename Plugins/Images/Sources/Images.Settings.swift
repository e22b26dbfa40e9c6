extension Images {
  /// Where the pictures are and how many are kept.
  public struct Settings: Sendable {
    /// A folder, relative to the scenario's.
    public var directory: String
    /// How many pictures the cache keeps; 0 or more.
    public var capacity: Int
  }
}
