/// Pictures by their paths: cached, bounded, and each loaded once however many ask for it.
actor ImageLibrary {
  /// Reads the picture of a path.
  typealias Load = @Sendable (String) async -> Result<Picture, PictureError>
  /// Starts work of this name, which goes on beside its caller.
  typealias Start = @Sendable (String, @escaping @Sendable () async -> Void) -> Void

  /// How one call comes by its picture; decided when it arrives, before any waiting.
  struct Fetch: Sendable {
    /// Brings the picture; has ended already for one from the cache.
    let load: SharedLoad
    /// Whether this call reads no file: the picture was cached, or another call is reading it.
    let cached: Bool
    /// How many calls up to this one read no file.
    let hits: Int
    /// How many calls up to this one read a file, or tried to.
    let misses: Int
  }

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
  func fetch(_ path: String, start: Start) -> Fetch {
    let known = cache.picture(at: path).map { SharedLoad(loaded: $0) } ?? loads[Array(path.utf8)]
    if known == nil { misses += 1 } else { hits += 1 }
    return Fetch(
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
    start("load \(path)") { [load] in
      await self.end(shared, path, await load(path))
    }
    return shared
  }

  private func end(
    _ shared: SharedLoad, _ path: String, _ outcome: Result<Picture, PictureError>
  ) {
    // After a `clear` the path is another load's, or nobody's.
    if loads[Array(path.utf8)] === shared {
      loads[Array(path.utf8)] = nil
      if case .success(let picture) = outcome { cache.keep(picture, at: path) }
    }
    shared.finish(outcome)
  }
}
