public import FlowCore

/// Pictures of a directory, cached.
///
/// The work is `ImageLibrary`'s; this type brings it to scenarios.
public struct Images: Component {
  /// The plugin `images`.
  public static let plugin = Plugin(
    "images", version: "1.0", "Pictures of a directory, with a bounded cache.", state: .memory,
    settings: Parameter<String>("directory", "The folder of the pictures.", default: "."),
    Parameter<Int>("capacity", "How many pictures the cache keeps; 0 or more.", default: 100),
    operations: [
      Operation(
        "fetch", "Answers what a picture is, from the cache or from its file.",
        Parameter<String>("path", "The file, below the directory."),
        answers: FetchedImage.record, errors: [.missing, .broken, .forbidden, .unavailable],
        retry: .safe
      ) { images, context, path in try await images.fetch(path, context) },
      Operation(
        "clear", "Empties the cache.",
        answers: Record<Int>("removed", "How many pictures were cached."), retry: .safe
      ) { images, _ in await images.library.clear() },
    ]
  ) { context, directory, capacity in
    try Images(capacity: capacity, directory: try context.directory.subdirectory(directory))
  }

  private let library: ImageLibrary

  private init(capacity: Int, directory: Directory) throws {
    guard capacity >= 0 else { throw CapacityError(capacity: capacity) }
    library = ImageLibrary(capacity: capacity) { path in
      Result { () throws(PictureError) in try Picture(reading: path, in: directory) }
    }
  }

  private func fetch(_ path: String, _ context: Context) async throws -> FetchedImage {
    let fetch = await library.fetch(path) { name, work in _ = context.spawn(name, work) }
    return FetchedImage(path, try await fetch.load.picture(), fetch)
  }
}

/// A capacity below zero.
struct CapacityError: Error, Hashable, CustomStringConvertible {
  let capacity: Int

  /// `the capacity -1 is negative`.
  var description: String { "the capacity \(capacity) is negative" }
}
