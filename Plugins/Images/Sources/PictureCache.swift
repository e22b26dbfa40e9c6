/// The pictures used last, by their paths; the one that was not used for longest leaves first.
struct PictureCache: Sendable {
  private struct Entry {
    let picture: Picture
    var lastUse: Int
  }

  /// How many pictures are kept, 0 or more.
  let capacity: Int
  // By bytes, as the system compares paths: strings fold `é` and `e` with an accent into one.
  private var entries: [[UInt8]: Entry] = [:]
  private var uses = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The picture of a path, which counts as its use.
  mutating func picture(at path: String) -> Picture? {
    guard let entry = entries[Array(path.utf8)] else { return nil }
    keep(entry.picture, at: path)
    return entry.picture
  }

  /// Keeps a picture, in place of the oldest one when the cache is full.
  mutating func keep(_ picture: Picture, at path: String) {
    uses += 1
    entries[Array(path.utf8)] = Entry(picture: picture, lastUse: uses)
    guard entries.count > capacity else { return }
    // Looking through all of them costs less than the file that was read for this picture.
    if let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
  }

  /// Forgets all pictures and answers how many there were.
  mutating func removeAll() -> Int {
    defer { entries = [:] }
    return entries.count
  }
}
