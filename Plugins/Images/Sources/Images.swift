public import FlowCore

/// Pictures of a directory, cached.
///
/// The work is `ImageLibrary`'s; this type brings it to scenarios.
public struct Images: Component {
  /// The plugin `images`.
  public static let plugin = Plugin(
    "images", version: "1.0", summary: "Pictures of a directory, with a bounded cache.")

  /// What `with:` of the component holds.
  public static let settings = Record(
    Settings.init(directory:capacity:),
    Field("directory", \.directory, "The folder of the pictures.", default: "."),
    Field("capacity", \.capacity, "How many pictures the cache keeps; 0 or more.", default: 100))

  /// What scenarios can ask of it.
  public static let operations: [Operation<Images>] = [
    Operation(
      "fetch", "Answers what a picture is, from the cache or from its file.",
      input: FetchRequest.record, output: FetchedImage.record,
      errors: [.missing, .broken, .forbidden, .unavailable], retry: .safe
    ) { images, input, context in
      try await images.fetch(input.path, context)
    },
    Operation(
      "clear", "Empties the cache.", input: .none, output: Clearance.record, retry: .safe
    ) { images, _, _ in
      Clearance(removed: await images.library.clear())
    },
  ]

  private let library: ImageLibrary

  /// Opens the directory.
  ///
  /// - Throws: `FileError` when there is no such folder, or an error about the capacity.
  public init(configuration: Settings, context: Context) async throws {
    guard configuration.capacity >= 0 else {
      throw CapacityError(capacity: configuration.capacity)
    }
    let directory = try context.directory.subdirectory(configuration.directory)
    library = ImageLibrary(capacity: configuration.capacity) { path in
      Result { () throws(PictureError) in try Picture(reading: path, in: directory) }
    }
  }

  private func fetch(_ path: String, _ context: Context) async throws -> FetchedImage {
    let fetch = await library.fetch(path) { name, work in _ = context.spawn(name, work) }
    do {
      return FetchedImage(path, try await fetch.load.picture(), fetch)
    } catch let error as PictureError {
      throw ComponentError(error.code, error.description)
    }
  }
}

/// A capacity below zero.
struct CapacityError: Error, Hashable, CustomStringConvertible {
  let capacity: Int

  /// `the capacity -1 is negative`.
  var description: String { "the capacity \(capacity) is negative" }
}
