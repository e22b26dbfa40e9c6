import Testing

@testable import ImagesPlugin

@Suite struct PictureCacheTests {
  @Test func `the picture that was not used for longest leaves`() throws {
    var cache = PictureCache(capacity: 2)
    let pictures = try (1...3).map(picture)

    cache.keep(pictures[0], at: "a")
    cache.keep(pictures[1], at: "b")
    #expect(cache.picture(at: "a") == pictures[0])
    cache.keep(pictures[2], at: "c")

    #expect(cache.picture(at: "a") == pictures[0])
    #expect(cache.picture(at: "b") == nil)
    #expect(cache.picture(at: "c") == pictures[2])
  }

  @Test func `a picture kept twice takes one place and is the newer one`() throws {
    var cache = PictureCache(capacity: 2)

    cache.keep(try picture(1), at: "a")
    cache.keep(try picture(2), at: "b")
    cache.keep(try picture(3), at: "a")

    #expect(cache.picture(at: "b") == (try picture(2)))
    #expect(cache.picture(at: "a") == (try picture(3)))
  }

  @Test func `a cache of no capacity keeps nothing`() throws {
    var cache = PictureCache(capacity: 0)

    cache.keep(try picture(1), at: "a")

    #expect(cache.picture(at: "a") == nil)
    #expect(cache.removeAll() == 0)
  }

  @Test func `paths of other scalars are other files`() throws {
    var cache = PictureCache(capacity: 2)

    cache.keep(try picture(1), at: "caf\u{e9}")
    cache.keep(try picture(2), at: "cafe\u{301}")

    #expect(cache.picture(at: "caf\u{e9}") == (try picture(1)))
    #expect(cache.picture(at: "cafe\u{301}") == (try picture(2)))
  }

  @Test(arguments: [1, 7, 100])
  func `a cache never holds more than its capacity`(_ capacity: Int) throws {
    var cache = PictureCache(capacity: capacity)

    for number in 1...250 { cache.keep(try picture(1), at: "\(number)") }

    #expect(cache.picture(at: "250") != nil)
    #expect(cache.picture(at: "\(250 - capacity)") == nil)
    #expect(cache.removeAll() == capacity)
    #expect(cache.removeAll() == 0)
    #expect(cache.picture(at: "250") == nil)
  }
}

/// A picture of this many pixels across.
func picture(_ width: Int) throws -> Picture {
  Picture(
    header: try PictureHeader(reading: PictureBytes.png(width: UInt32(width), height: 1)),
    byteCount: 33,
    sha256: "")
}
