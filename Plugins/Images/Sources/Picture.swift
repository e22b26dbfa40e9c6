import FlowCore

/// What is known of a picture file.
struct Picture: Sendable, Hashable {
  let header: PictureHeader
  /// The file's length.
  let byteCount: Int
  let sha256: String
}

extension Picture {
  /// Reads a file; blocks while the system does.
  ///
  /// - Throws: `PictureError`.
  init(reading path: String, in directory: Directory) throws(PictureError) {
    let bytes: [UInt8]
    do { bytes = try directory.read(path) } catch { throw PictureError(error) }
    let header: PictureHeader
    do { header = try PictureHeader(reading: bytes) } catch { throw .noPicture(path, error) }
    self.init(header: header, byteCount: bytes.count, sha256: SHA256(bytes).hexadecimal)
  }
}
