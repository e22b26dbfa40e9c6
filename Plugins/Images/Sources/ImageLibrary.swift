/// Pictures by their paths: cached, bounded, and each loaded once however many ask for it.
///
/// What a load needs of the task in which it goes on is its `Lane`.
actor ImageLibrary<Lane: Sendable> {
  /// Reads the picture of a path.
  typealias Load = @Sendable (String, Lane) async -> Result<Picture, PictureError>
  /// Starts work of this name, which goes on beside its caller.
  typealias Start = @Sendable (String, @escaping @Sendable (Lane) async -> Void) -> Void

  private let load: Load
  private var cache: PictureCache
  // By the bytes of the path, as in the cache.
  private var loads: [[UInt8]: SharedLoad] = [:]
  private var hits = 0
  private var misses = 0

  init(capacity: Int, load: @escaping Load) {
    self.load = load
    cache = PictureCache(capacity: capacity)
  }

  /// Finds the picture of a path; `start` starts the load when there has to be one.
  func fetch(_ path: String, start: Start) -> ImageFetch {
    let known = cache.picture(at: path).map { SharedLoad(loaded: $0) } ?? loads[Array(path.utf8)]
    if known == nil { misses += 1 } else { hits += 1 }
    return ImageFetch(
      load: known ?? begin(path, start), cached: known != nil, hits: hits, misses: misses)
  }

  /// Forgets all pictures, those that are still being loaded as well; answers how many were cached.
  func clear() -> Int {
    loads = [:]
    return cache.removeAll()
  }

  private func begin(_ path: String, _ start: Start) -> SharedLoad {
    let shared = SharedLoad()
    loads[Array(path.utf8)] = shared
    start("load \(path)") { [load] lane in
      await self.end(shared, path, await load(path, lane))
    }
    return shared
  }

  private func end(
    _ shared: SharedLoad, _ path: String, _ outcome: Result<Picture, PictureError>
  ) {
    // After a `clear` another load, or none, has the path.
    if loads[Array(path.utf8)] === shared {
      loads[Array(path.utf8)] = nil
      if case .success(let picture) = outcome { cache.keep(picture, at: path) }
    }
    shared.finish(outcome)
  }
}

/// How one call comes by its picture; decided when it arrives, before any waiting.
struct ImageFetch: Sendable {
  /// Brings the picture; has ended already for one from the cache.
  let load: SharedLoad
  /// Whether this call reads no file: the picture was cached, or another call is reading it.
  let cached: Bool
  /// How many calls up to this one read no file.
  let hits: Int
  /// How many calls up to this one read a file, or tried to.
  let misses: Int
}

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
