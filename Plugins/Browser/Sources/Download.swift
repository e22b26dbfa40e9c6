import FlowCore

/// A file that the browser downloads into a new folder beside the scenario.
///
/// The driver and the browser have to be on this machine.
struct Download: Sendable {
  private let folder: Directory
  private let path: String

  /// The name and the size of a complete file.
  struct Result: Sendable {
    var name: String
    var size: Int

    static let record = Record(
      Result.init(name:size:),
      Field("name", \.name, "The name that the page suggests for the file."),
      Field("size", \.size, "The size in bytes."))
  }

  /// Creates the folder.
  ///
  /// - Throws: `BrowserError.file`.
  init(in folder: Directory) throws(BrowserError) {
    self.folder = folder
    // By chance and not by the seed: two runs at once need two folders.
    path = ".flow/download-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    do { try folder.makeFolder(path) } catch { throw .file(error) }
  }

  /// Tells the browser about the folder, or about the end of the download for false.
  func expect(_ isExpected: Bool, in session: DriverSession, _ context: Context) async throws {
    let place: Substring
    do { place = try folder.fullPath(of: path + "/f").dropLast(2) } catch {
      throw BrowserError.file(error)
    }
    _ = try await session.command(
      "Browser.setDownloadBehavior",
      isExpected
        ? ["behavior": .string("allow"), "downloadPath": .string(String(place))]
        : ["behavior": .string("default")], context)
  }

  /// Waits until the file is complete, and moves it to a path of the scenario's folder.
  ///
  /// - Throws: `BrowserError.file`, `CancellationError`.
  func finish(at target: String, _ context: Context) async throws -> Result {
    do {
      let name = try await context.outside {
        while true {
          if let name = try completeName { return name }
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      let size = try folder.sizeAndMode(of: path + "/" + name).size
      try folder.makeFolders(around: target)
      try folder.move(path + "/" + name, to: target)
      return Result(name: name, size: size)
    } catch let error as FileError {
      throw BrowserError.file(error)
    } catch {
      context.log(sight)
      throw error
    }
  }

  /// Chromium renames a file when it is complete.
  private static let ending = ".crdownload"

  private var names: [String] {
    get throws(FileError) { try folder.entries(of: path).map(\.name) }
  }

  private var completeName: String? {
    get throws(FileError) {
      try names.first { !$0.hasPrefix(".") && !$0.hasSuffix(Self.ending) }
    }
  }

  private var sight: String {
    let count = (try? names.count) ?? 0
    return count == 0 ? "the browser has downloaded nothing" : "the download is not complete"
  }

  /// Removes the folder.
  func remove() {
    // A file in use cannot be helped.
    try? folder.remove(path, recursively: true)
    // Only if it is empty.
    try? folder.remove(".flow")
  }
}
