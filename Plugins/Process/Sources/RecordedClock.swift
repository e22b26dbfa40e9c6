import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The clock of the recording for a program, by libfaketime.
///
/// A program on recorded answers lives in their time: a token in them has not expired, and the dates
/// in its requests are those of that day. libfaketime is loaded before the program's libraries
/// (`LD_PRELOAD`, `DYLD_INSERT_LIBRARIES`), so it does not reach programs that are linked statically,
/// those that ask the kernel themselves, as programs in Go do, and those with more rights than their
/// user.
struct RecordedClock {
  /// The only value of `clock`.
  static let name = "recorded"

  /// The variables for the program.
  let variables: [String: String?]

  #if os(macOS)
    private static let preload = "DYLD_INSERT_LIBRARIES"
    private static let places = ["/opt/homebrew/lib/faketime", "/usr/local/lib/faketime"]
      .flatMap { folder in ["\(folder)/libfaketimeMT.1.dylib", "\(folder)/libfaketime.1.dylib"] }
  #else
    private static let preload = "LD_PRELOAD"
    private static let places =
      ["x86_64", "aarch64", "i386", "arm", "riscv64"]
      .map { "/usr/lib/\($0)-linux-gnu\($0 == "arm" ? "eabihf" : "")" }.flatMap(Self.libraries)
      + ["/usr/lib", "/usr/lib64", "/usr/local/lib"].flatMap(Self.libraries)

    private static func libraries(in folder: String) -> [String] {
      ["\(folder)/faketime/libfaketimeMT.so.1"]
    }
  #endif

  /// Sets a program's clock to the date of the run, which is that of the recording in a replay.
  ///
  /// - Throws: `.invalid` for another value of `clock`, and without libfaketime.
  init(_ clock: String, in context: Context, _ given: [String: String?]) throws(ProcessError) {
    guard clock == Self.name else {
      throw .invalid("'clock' has one value, 'recorded'")
    }
    guard let library = Self.places.first(where: { unsafe access($0, R_OK) == 0 }) else {
      throw .invalid(
        "'clock: recorded' needs libfaketime; Debian's package is libfaketime, Homebrew's libfaketime"
      )
    }
    let offset = -context.recordingAge.components.seconds
    // In a recording the two dates are one.
    guard abs(offset) > 1 else {
      variables = [:]
      return
    }
    let others = (given[Self.preload] ?? nil).map { ":\($0)" } ?? ""
    variables = [
      Self.preload: library + others, "FAKETIME": "\(offset > 0 ? "+" : "")\(offset)",
      // Waiting takes as long as ever.
      "FAKETIME_DONT_FAKE_MONOTONIC": "1",
      // The children of a shell have the same offset, not the rest of one.
      "FAKETIME_NO_CACHE": "1",
    ]
  }
}
