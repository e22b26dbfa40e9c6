#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Reads a small file; without Foundation, whose loading costs every run several milliseconds.
enum FileBytes {
  private static let limit = 1_000_000

  /// The file's bytes; nil when it cannot be read or is larger than any zone of the database.
  static func read(_ path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
      if bytes.count > limit { return nil }
    }
    return unsafe ferror(file) == 0 ? bytes : nil
  }
}
