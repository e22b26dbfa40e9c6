#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The interpreter of a program that the system does not find.
struct MissingInterpreter {
  /// The reason why the program was not started.
  let reason: String

  // The kernel reads no more of a first line.
  private static let longest = 256

  /// Reads the first line of a program, `#!` and a path.
  init(ofProgramAt path: String) {
    var line = Self.start(of: path).prefix { $0 != UInt8(ascii: "\n") }
    guard line.starts(with: "#!".utf8) else {
      reason = "its interpreter is missing"
      return
    }
    line = line.dropFirst(2).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let name = line.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    let end = UInt8(ascii: "\r")
    let text = String(decoding: name.filter { $0 != end }, as: UTF8.self)
    reason =
      name.last == end
      ? "its interpreter '\(text)\\r' is missing: its first line ends with CR LF instead of LF"
      : "its interpreter '\(text)' is missing"
  }

  private static func start(of path: String) -> ArraySlice<UInt8> {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return bytes.prefix(max(0, count))
  }
}
