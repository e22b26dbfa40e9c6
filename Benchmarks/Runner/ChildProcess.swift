import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Programs run from outside, as a user runs them.
enum ChildProcess {
  struct Failure: Error, CustomStringConvertible {
    let command: [String]
    let status: CInt

    var description: String {
      "a program ended with \(status): \(command.prefix(4).joined(separator: " "))"
    }
  }

  /// The cost of a program, in milliseconds.
  struct Cost {
    /// From its start to its end.
    let elapsed: Double
    /// Of all processors together, in the program and in the system.
    let processor: Double
  }

  /// The error for unexpected output of a program, perhaps of another version.
  struct WrongOutput: Error, CustomStringConvertible {
    let command: [String]
    let count: Int

    var description: String {
      "a program did not print \(count) numbers: \(command.prefix(4).joined(separator: " "))"
    }
  }

  /// Returns the printed numbers of a program, as many as `count`, and its cost.
  static func numbers(
    _ command: [String], count: Int
  ) throws -> (numbers: [Double], cost: Cost) {
    let output = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID()).txt")
    defer { try? FileManager.default.removeItem(at: output) }
    let cost = try run(command, output: output.path)
    let numbers = try String(contentsOf: output, encoding: .utf8).split(
      whereSeparator: \.isWhitespace
    )
    .compactMap { Double($0) }
    guard numbers.count == count else { throw WrongOutput(command: command, count: count) }
    return (numbers, cost)
  }

  /// Runs a program to its end, with its output in this file.
  ///
  /// With codes it may also fail with one of these, without showing its messages. Foundation's
  /// `Process` is too slow for this: its waiting alone takes up to 50 ms.
  @discardableResult
  static func run(
    _ command: [String], output: String = "/dev/null", failsWith codes: Set<CInt> = []
  ) throws -> Cost {
    let start = ContinuousClock().now
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if !codes.isEmpty {
      unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    var arguments = unsafe command.map { unsafe strdup($0) }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    unsafe arguments.append(nil)
    var child = pid_t()
    let failure = unsafe posix_spawn(&child, command[0], &actions, nil, arguments, environ)
    guard failure == 0 else { throw Failure(command: command, status: failure) }
    var (status, usage) = (CInt(0), rusage())
    while unsafe wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
    guard status == 0 || codes.contains(status >> 8) && status & 0x7F == 0 else {
      throw Failure(command: command, status: status)
    }
    let times = [usage.ru_utime, usage.ru_stime]
    return Cost(
      elapsed: start.duration(to: ContinuousClock().now) / .milliseconds(1),
      processor: times.reduce(0) { $0 + Double($1.tv_sec) * 1_000 + Double($1.tv_usec) / 1_000 })
  }
}
