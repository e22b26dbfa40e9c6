public import FlowCore
private import FlowProcess

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The size of a terminal in characters.
public struct TerminalSize: Sendable, Hashable {
  let columns: UInt16
  let rows: UInt16

  /// Creates a size, such as 80 by 24.
  public init(columns: UInt16, rows: UInt16) {
    (self.columns, self.rows) = (columns, rows)
  }
}

/// A started program in a session and a process group of its own, with the descriptors that its
/// owner has to close.
public struct Subprocess: Sendable {
  /// The number of the process, and of its group.
  public let pid: Int32
  /// A descriptor that is readable once the process has ended.
  public let exit: Int32
  /// The writing end of its standard input, or nil if it reads nothing.
  public let input: Int32?
  /// The reading end of its standard output, or of its terminal, or nil if it has the streams of this
  /// process.
  public let output: Int32?
  /// The reading end of its standard error, or nil if `output` has it, too.
  public let errors: Int32?

  /// The folder in which a program runs.
  public struct Place: Sendable {
    let path: String
    let folder: OpenFolder?

    /// Creates the place at a path, or that of an open folder, which cannot be replaced before the
    /// program runs in it.
    public init(path: String, folder: OpenFolder? = nil) {
      (self.path, self.folder) = (path, folder)
    }
  }

  /// Starts a program, which is found in the PATH of this process if its name has no slash.
  ///
  /// `environment` has all variables, as `NAME=VALUE`. With `joinsOutputs` both outputs are one pipe.
  ///
  /// - Throws: `StartError`, with nothing open and nothing running.
  public init(
    _ program: String, arguments: [String], environment: [[UInt8]], in place: Place,
    hasInput: Bool, joinsOutputs: Bool = false
  ) throws(StartError) {
    var process = flow_process()
    let failure = unsafe CStrings(arguments.map { Array($0.utf8) }).with { arguments in
      unsafe CStrings(environment).with { environment in
        unsafe flow_process_start(
          program, arguments, environment, place.path, place.folder?.descriptor ?? -1, hasInput,
          joinsOutputs, &process)
      }
    }
    guard failure == 0 else { throw StartError(number: failure) }
    self.init(process)
  }

  /// Starts a program with the three streams of this process.
  ///
  /// The rest is as above.
  public init(
    inForeground program: String, arguments: [String], environment: [[UInt8]], in place: Place
  ) throws(StartError) {
    var process = flow_process()
    let failure = unsafe CStrings(arguments.map { Array($0.utf8) }).with { arguments in
      unsafe CStrings(environment).with { environment in
        unsafe flow_process_start_in_foreground(
          program, arguments, environment, place.path, place.folder?.descriptor ?? -1, &process)
      }
    }
    guard failure == 0 else { throw StartError(number: failure) }
    self.init(process)
  }

  /// Starts a program with a new terminal as its three streams.
  ///
  /// The rest is as above.
  public init(
    _ program: String, arguments: [String], environment: [[UInt8]], in place: Place,
    terminal: TerminalSize
  ) throws(StartError) {
    var process = flow_process()
    let size = flow_size(columns: terminal.columns, rows: terminal.rows)
    let failure = unsafe CStrings(arguments.map { Array($0.utf8) }).with { arguments in
      unsafe CStrings(environment).with { environment in
        unsafe flow_process_start_on_terminal(
          program, arguments, environment, place.path, place.folder?.descriptor ?? -1, size,
          &process)
      }
    }
    guard failure == 0 else { throw StartError(number: failure) }
    self.init(process)
  }

  private init(_ process: flow_process) {
    pid = process.pid
    exit = process.exit
    input = process.input < 0 ? nil : process.input
    output = process.output < 0 ? nil : process.output
    errors = process.errors < 0 ? nil : process.errors
  }
}

/// The reason why a program was not started.
public struct StartError: Error, Sendable, Hashable {
  let number: Int32

  /// True if the program, its interpreter or its folder is missing.
  public var isMissing: Bool { number == ENOENT }

  /// The reason in the words of the system, in lower case.
  public var reason: String { unsafe String(cString: strerror(number)).lowercased() }
}

/// C strings as an array of pointers with a null pointer at the end.
private struct CStrings {
  private let texts: [[UInt8]]

  init(_ texts: [[UInt8]]) {
    self.texts = texts
  }

  /// Lends the array for the duration of the call.
  func with<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe texts.map { unsafe strdup($0 + [0]) }
    defer { unsafe pointers.forEach { unsafe free($0) } }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeBufferPointer { buffer in
      // An array with an element has an address.
      guard let address = buffer.baseAddress else { preconditionFailure("an empty array") }
      return unsafe body(address)
    }
  }
}
