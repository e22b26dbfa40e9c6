import FlowCore
import Synchronization
import Testing

@testable import ImagesPlugin

/// Loads run when the test says so: what is in flight is decided here, never waited for.
@Suite(.timeLimit(.minutes(30))) struct ImageLibraryTests {
  @Test func `callers at once share one load`() async throws {
    let desk = LoadingDesk([.success(try picture(7))])
    let library = ImageLibrary(capacity: 10, load: desk.load)

    let fetches = await library.fetch(["a", "a", "b", "a"], desk)
    #expect(desk.waiting == ["load a", "load b"])
    await desk.run("load a")
    let last = await library.fetch("a", start: desk.start)

    #expect(fetches.map(text) == ["read 0:1", "shared 1:1", "read 1:2", "shared 2:2"])
    #expect(text(last) == "shared 3:2")
    for fetch in [fetches[0], fetches[1], fetches[3], last] {
      #expect(try await fetch.load.picture() == (try picture(7)))
    }
  }

  @Test func `paths of other scalars share neither load nor place`() async throws {
    let desk = LoadingDesk([.success(try picture(1)), .success(try picture(2))])
    let library = ImageLibrary(capacity: 10, load: desk.load)
    let paths = ["caf\u{e9}", "cafe\u{301}"]

    let fetches = await library.fetch(paths, desk)
    for name in desk.waiting { await desk.run(name) }
    let last = await library.fetch(paths, desk)

    #expect((fetches + last).map(text) == ["read 0:1", "read 0:2", "shared 1:2", "shared 2:2"])
    #expect(try await fetches[1].load.picture() == (try picture(2)))
    #expect(try await last[0].load.picture() == (try picture(1)))
  }

  @Test func `a failed load reaches all waiting callers, is not kept, and is tried again`()
    async throws
  {
    let desk = LoadingDesk([.failure(missing), .success(try picture(7))])
    let library = ImageLibrary(capacity: 10, load: desk.load)
    let fetches = await library.fetch(["a", "a"], desk)

    await desk.run("load a")
    for fetch in fetches {
      await #expect(throws: missing) { try await fetch.load.picture() }
    }
    let again = await library.fetch("a", start: desk.start)
    #expect(text(again) == "read 1:2")
    await desk.run("load a")

    #expect(try await again.load.picture() == (try picture(7)))
  }

  @Test func `a load that ends after a clear does not fill the cache`() async throws {
    let desk = LoadingDesk([.success(try picture(1)), .success(try picture(2))])
    let library = ImageLibrary(capacity: 10, load: desk.load)
    let old = await library.fetch("a", start: desk.start)
    #expect(await library.clear() == 0)

    let new = await library.fetch("a", start: desk.start)
    await desk.run("load a")
    #expect(try await old.load.picture() == (try picture(1)))
    #expect(await library.clear() == 0)
    await desk.run("load a")

    #expect(text(new) == "read 0:2")
    #expect(try await new.load.picture() == (try picture(2)))
    #expect(await library.clear() == 0)
  }

  @Test func `the picture that was not used for longest leaves and is read again`() async throws {
    let desk = LoadingDesk(try (1...4).map { .success(try picture($0)) })
    let library = ImageLibrary(capacity: 2, load: desk.load)

    var texts: [String] = []
    for path in ["a", "b", "a", "c", "b", "c"] {
      texts.append(text(await library.fetch(path, start: desk.start)))
      await desk.run("load \(path)")
    }

    #expect(texts == ["read 0:1", "read 0:2", "shared 1:2", "read 1:3", "read 1:4", "shared 2:4"])
    #expect(await library.clear() == 2)
  }

  @Test(arguments: [0, 1, 7, 100])
  func `no more pictures are kept than the capacity`(_ capacity: Int) async throws {
    let desk = LoadingDesk(Array(repeating: .success(try picture(1)), count: 251))
    let library = ImageLibrary(capacity: capacity, load: desk.load)

    for number in 1...250 {
      _ = await library.fetch("\(number)", start: desk.start)
      await desk.run("load \(number)")
    }

    #expect(await library.fetch("250", start: desk.start).cached == (capacity > 0))
    #expect(await library.fetch("\(250 - capacity)", start: desk.start).cached == (capacity == 0))
    #expect(await library.clear() == capacity)
    #expect(await library.clear() == 0)
  }

  /// `read` or `shared`, then hits and misses.
  private func text(_ fetch: ImageFetch) -> String {
    "\(fetch.cached ? "shared" : "read") \(fetch.hits):\(fetch.misses)"
  }
}

extension ImageLibrary<Void> {
  /// Fetches of callers that arrive one after another.
  fileprivate func fetch(_ paths: [String], _ desk: LoadingDesk) -> [ImageFetch] {
    paths.map { fetch($0, start: desk.start) }
  }
}

/// Holds the loads that were started until the test runs them, and answers them in turn.
private final class LoadingDesk: Sendable {
  private struct State {
    var outcomes: [Result<Picture, PictureError>]
    var works: [(name: String, work: @Sendable (()) async -> Void)] = []
  }

  private let state: Mutex<State>

  init(_ outcomes: [Result<Picture, PictureError>]) {
    state = Mutex(State(outcomes: outcomes))
  }

  /// The names of the loads that have not run.
  var waiting: [String] { state.withLock { $0.works.map(\.name) } }

  var load: ImageLibrary<Void>.Load {
    { path, _ in
      self.state.withLock { state in
        state.outcomes.isEmpty
          ? .failure(.unreadable(FileError(.unreadable, path: path, reason: "no outcome is left")))
          : state.outcomes.removeFirst()
      }
    }
  }

  var start: ImageLibrary<Void>.Start {
    { name, work in self.state.withLock { $0.works.append((name, work)) } }
  }

  /// Runs the oldest load of this name, when there is one.
  func run(_ name: String) async {
    let work = state.withLock { state in
      state.works.firstIndex { $0.name == name }.map { state.works.remove(at: $0).work }
    }
    await work?(())
  }
}

/// A picture of this many pixels across.
func picture(_ width: UInt32) throws -> Picture {
  let bytes: [UInt8] = .png(width: width, height: 1)
  return Picture(header: try PictureHeader(reading: bytes), byteCount: bytes.count, sha256: "")
}

/// There is no file at `a`.
let missing = PictureError.unreadable(FileError(.missing, path: "a"))
