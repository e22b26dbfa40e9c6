import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Programs run from outside, as a user runs them.
enum ChildProcess {
  struct Failure: Error {
    let command: [String]
    let status: CInt
  }

  /// The `flow` that was built beside this program; nil when it was not.
  static var flow: String? {
    let path = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "flow").path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  /// How long a program runs, from its start to its end.
  static func milliseconds(_ command: [String]) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try run(command)
    return start.duration(to: clock.now) / .milliseconds(1)
  }

  /// Runs a program to its end; what it prints goes to this file.
  ///
  /// Foundation's `Process` is no use here: its waiting alone takes up to 50 ms.
  static func run(_ command: [String], output: String = "/dev/null") throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var arguments = unsafe command.map { unsafe strdup($0) }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    unsafe arguments.append(nil)
    var child = pid_t()
    let failure = unsafe posix_spawn(&child, command[0], &actions, nil, arguments, environ)
    guard failure == 0 else { throw Failure(command: command, status: failure) }
    var status: CInt = 0
    while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw Failure(command: command, status: status) }
  }
}
