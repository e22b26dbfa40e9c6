public import FlowCore

/// Pictures of a folder, cached.
///
/// `ImageLibrary` does the work. This type offers it to scenarios.
public struct Images: Component {
  /// The name in `plugin:`.
  public static let pluginName = "images"

  /// The plugin `images`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Reads pictures of a folder or a server, with a cache.",
    state: .memory, reaches: [.files],
    settings: Parameter<String>(
      "directory", "The folder of the pictures. Unused if a server has them.", default: "."),
    Parameter<Int>("capacity", "The maximum number of cached pictures, 0 or more.", default: 100),
    uses: [PictureServer.get],
    operations: [
      Operation(
        "fetch", "Returns the format, size and digest of a picture.",
        Parameter<String>("path", "The path of the file, in 'directory' or on the server."),
        answers: FetchedImage.record, errors: [.missing, .broken, .forbidden, .unavailable],
        retry: .safe
      ) { images, context, path in try await images.fetch(path, context) },
      Operation(
        "clear", "Empties the cache.",
        answers: Record<Int>("removed", "The number of removed pictures."), retry: .safe
      ) { images, _ in await images.library.clear() },
    ]
  ) { context, directory, capacity in
    guard PictureServer.role.isFilled(in: context) else {
      let folder = try context.directory.subdirectory(directory)
      return Images(capacity: capacity) { path, _ in
        Result { () throws(PictureError) in try Picture(reading: path, in: folder) }
      }
    }
    guard directory == "." else {
      throw ComponentError(.settings, "the pictures are in a directory or on a server, not both")
    }
    return Images(capacity: capacity) { await PictureServer.load($0, $1) }
  }.checking { (_: String, capacity: Int) in
    guard capacity >= 0 else {
      throw ComponentError(.settings, "'capacity' is \(capacity); it must be 0 or more")
    }
  }.example

  private let library: ImageLibrary<Context>

  private init(capacity: Int, load: @escaping ImageLibrary<Context>.Load) {
    library = ImageLibrary(capacity: capacity, load: load)
  }

  private func fetch(_ path: String, _ context: Context) async throws -> FetchedImage {
    let fetch = await library.fetch(path) { _, work in
      context.spawn("load") { context in await work(context) }
    }
    let picture = try await fetch.load.picture()
    return FetchedImage(
      path: path, format: picture.header.format, width: picture.header.width,
      height: picture.header.height, bytes: picture.byteCount, sha256: picture.sha256,
      cached: fetch.cached, hits: fetch.hits, misses: fetch.misses)
  }
}

/// The answer of `fetch`.
struct FetchedImage: Sendable {
  var path: String
  var format: PictureFormat
  var width: Int
  var height: Int
  var bytes: Int
  var sha256: String
  var cached: Bool
  var hits: Int
  var misses: Int

  static let record = Record(
    FetchedImage.init(path:format:width:height:bytes:sha256:cached:hits:misses:),
    Field("path", \.path, "The requested path."),
    Field("format", \.format, "The format, found from the first bytes of the file."),
    Field("width", \.width, "The width in pixels."),
    Field("height", \.height, "The height in pixels."),
    Field("bytes", \.bytes, "The size of the file in bytes."),
    Field("sha256", \.sha256, "The SHA-256 digest of the file, 64 hexadecimal digits."),
    Field("cached", \.cached, "True if this call did not load the picture."),
    Field("hits", \.hits, "The number of cache hits so far."),
    Field("misses", \.misses, "The number of cache misses so far."))
}
