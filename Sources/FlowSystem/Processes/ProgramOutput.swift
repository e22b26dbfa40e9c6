#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What a program of the system printed before it ended, such as `git`.
package struct ProgramOutput: Sendable {
  /// The most bytes kept.
  private static let longest = 1 << 20

  /// The start of both of its streams, up to 1 MiB.
  package let text: String
  /// True if it ended with 0.
  package let succeeded: Bool

  /// Runs a program to its end, with nothing to read.
  ///
  /// - Parameters:
  ///   - words: The program, found in PATH, and its arguments.
  ///   - removed: The names of environment variables that it does not get.
  ///   - variables: Environment variables, in addition to those of this process.
  package init(
    of words: [String], without removed: [String] = [],
    variables: [(name: String, value: String)] = []
  ) {
    let removal = removed.isEmpty ? "" : "unset \(removed.joined(separator: " ")); "
    let settings = variables.map { "\($0.name)=\(Self.quoted($0.value)) " }.joined()
    let program = words.map(Self.quoted).joined(separator: " ")
    let command = removal + settings + program + " 2>&1 </dev/null"
    guard let stream = unsafe popen(command, "r") else {
      (text, succeeded) = ("the program did not start", false)
      return
    }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe fread(&part, 1, part.count, stream)
      if count == 0 { break }
      bytes += part[..<min(count, Self.longest - bytes.count)]
    }
    succeeded = unsafe pclose(stream) == 0
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The first line, without its end.
  package var firstLine: String {
    text.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init) ?? ""
  }

  /// Returns a word as a shell reads it back (POSIX.1-2017, 2.2.2 Single-Quotes).
  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}
