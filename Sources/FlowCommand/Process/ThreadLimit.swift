#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

#if canImport(Glibc) || canImport(Musl)
  /// Returns true if the system allows this process so many more threads at once.
  ///
  /// If a limit of memory or processes (`ulimit -v`, `ulimit -u`) is too small, libdispatch
  /// silently starts no worker, and a run would wait forever for its tasks.
  func allowsThreads(_ count: Int) -> Bool {
    guard hasTightLimit else { return true }
    var gate: [CInt] = [0, 0]
    guard unsafe pipe(&gate) == 0 else { return false }
    var threads: [pthread_t] = []
    while threads.count < count, let thread = waitingThread(gate[0]) { threads.append(thread) }
    // Closing the pipe ends all threads.
    close(gate[1])
    for thread in threads { pthread_join(thread, nil) }
    close(gate[0])
    return threads.count == count
  }

  /// True if a limit is set that may be too small.
  ///
  /// A trial costs more than the start of `flow` should.
  private var hasTightLimit: Bool {
    // RLIMIT_NPROC and RLIMIT_AS of <asm-generic/resource.h>, macros and enumerators with other
    // types in Swift.
    let limits: [(CInt, rlim_t)] = [(6, 1_000), (9, 1 << 30)]
    return limits.contains { resource, enough in
      var limit = rlimit()
      return unsafe getrlimit(resource, &limit) != 0 || limit.rlim_cur < enough
    }
  }

  /// Starts a thread that ends when a pipe is closed for writing, or returns nil if the system
  /// refuses it.
  private func waitingThread(_ descriptor: CInt) -> pthread_t? {
    var thread = pthread_t()
    let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(descriptor))
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        var byte: UInt8 = 0
        _ = unsafe read(CInt(Int(bitPattern: argument)), &byte, 1)
        return nil
      }, argument)
    return failure == 0 ? thread : nil
  }
#else
  /// The kernel starts the workers on this system, so no trial is needed.
  func allowsThreads(_ count: Int) -> Bool { true }
#endif
