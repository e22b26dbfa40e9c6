internal import FlowSystem

/// A file that is written in pieces and takes its place only when it is complete.
///
/// If it is released before, nothing is written, and the old file remains. One task writes at a
/// time.
public final class FileOutput: Sendable {
  /// The path as it was asked for.
  public let path: String
  private let output: OutputFile

  fileprivate init(_ full: String, path: String) throws(FileError) {
    self.path = path
    output = try OutputFile(replacing: full)
  }

  /// Appends bytes.
  ///
  /// - Throws: `FileError` when the system refuses, as on a full disk.
  public func append(_ bytes: [UInt8]) throws(FileError) {
    do { try output.append(bytes) } catch { throw error.writing(path) }
  }

  /// Puts the complete file in its place.
  ///
  /// - Throws: `FileError` when the system refuses. The old file then remains.
  public func commit() throws(FileError) {
    do { try output.commit() } catch { throw error.writing(path) }
  }
}

extension Directory {
  /// Opens a file for writing in pieces, in an existing folder.
  ///
  /// - Throws: `FileError`.
  public func output(at path: String) throws(FileError) -> FileOutput {
    noteChange(path)
    do { return try FileOutput(try resolve(path), path: path) } catch { throw error.writing(path) }
  }
}

extension FileError {
  /// Returns the failure with the path given by the caller.
  fileprivate func writing(_ path: String) -> FileError {
    FileError(kind, path: path, reason: reason, isWriting: true)
  }
}
