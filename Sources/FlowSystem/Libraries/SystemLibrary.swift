public import CLibrary

/// A C library of the system that is loaded on first use.
public struct SystemLibrary: Sendable {
  private let need: String
  private let debian: String
  private let newerDebian: String?
  private let homebrew: String?

  /// Creates a library with the start of the sentence for its absence, such as "requests need", and the
  /// packages that contain it.
  ///
  /// A package of Debian whose name has the library's version is missing on other releases. There
  /// the one for developers, which has one name, installs it.
  public init(
    _ need: String, debian: String, newerDebian: String? = nil, homebrew: String? = nil
  ) {
    self.need = need
    self.debian = debian
    self.newerDebian = newerDebian
    self.homebrew = homebrew
  }

  /// Returns the functions that `load` finds by `flow_library_load`.
  public func load<Functions>(
    _ load: (inout flow_library_problem) -> Functions?
  ) throws(LibraryError) -> Functions {
    var problem = flow_library_problem()
    if let functions = load(&problem) { return functions }
    throw error(problem.fileName, problem.reasonText, isMissing: problem.is_missing)
  }

  /// Returns the error for a file.
  package func error(_ file: String, _ reason: String, isMissing: Bool) -> LibraryError {
    let packages =
      "Debian and Ubuntu have it in the package '\(debian)'"
      + (newerDebian.map { ", newer ones by '\($0)'" } ?? "")
      + (homebrew.map { ", Homebrew in '\($0)'" } ?? "")
    return LibraryError(
      description: "\(need) \(file), which cannot be loaded: \(reason)"
        + (isMissing ? "; \(packages)" : ""))
  }
}

/// An error for a C library that is missing, too old or otherwise unusable.
public struct LibraryError: Error, Hashable, CustomStringConvertible {
  /// The file and the reason, and the packages that contain a missing file.
  public let description: String
}

extension flow_library_problem {
  fileprivate var fileName: String { text(of: file) }
  fileprivate var reasonText: String { text(of: reason) }

  /// Returns the characters of an array before the first zero byte.
  private func text(of characters: some Any) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
