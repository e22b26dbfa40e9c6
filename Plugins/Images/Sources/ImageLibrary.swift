/// Pictures by their paths: cached, bounded, and each loaded once however many ask for it.
///
/// What a load needs of the task in which it goes on is its `Lane`.
actor ImageLibrary<Lane: Sendable> {
  /// Reads the picture of a path.
  typealias Load = @Sendable (String, Lane) async -> Result<Picture, PictureError>
  /// Starts work with this name, which runs beside its caller.
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

  /// Finds the picture of a path.
  ///
  /// `start` starts a load if one is needed.
  func fetch(_ path: String, start: Start) -> ImageFetch {
    let known = cache.picture(at: path).map { SharedLoad(loaded: $0) } ?? loads[Array(path.utf8)]
    if known == nil { misses += 1 } else { hits += 1 }
    return ImageFetch(
      load: known ?? begin(path, start), cached: known != nil, hits: hits, misses: misses)
  }

  /// Removes all pictures, including those being loaded.
  ///
  /// Returns the number of cached ones.
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

/// The way in which one call gets its picture, decided on arrival, before any wait.
struct ImageFetch: Sendable {
  /// The load of the picture, already finished for a cached one.
  let load: SharedLoad
  /// True if this call reads no file: the picture was cached, or another call is reading it.
  let cached: Bool
  /// The number of calls up to this one that read no file.
  let hits: Int
  /// The number of calls up to this one that read a file, or tried to.
  let misses: Int
}

/// The last used pictures, by their paths.
///
/// The least recently used one leaves first.
struct PictureCache: Sendable {
  private struct Entry {
    let picture: Picture
    var lastUse: Int
  }

  /// The number of pictures kept, 0 or more.
  let capacity: Int
  // By bytes, as the system compares paths: strings fold `é` and `e` with an accent into one.
  private var entries: [[UInt8]: Entry] = [:]
  private var uses = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The picture of a path.
  ///
  /// Asking counts as a use.
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
    // A look through all of them costs less than reading this picture's file.
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
