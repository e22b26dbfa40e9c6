#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
  /// Whether the system allows this process so many more threads at once.
  ///
  /// Where a limit of memory or processes (`ulimit -v`, `ulimit -u`) is too small, libdispatch starts no
  /// worker and says nothing, and a run would wait forever for a task that nothing executes.
  func allowsThreads(_ count: Int) -> Bool {
    var gate: [CInt] = [0, 0]
    guard unsafe pipe(&gate) == 0 else { return false }
    var threads: [pthread_t] = []
    while threads.count < count, let thread = waitingThread(gate[0]) { threads.append(thread) }
    // The end of the pipe ends all of them.
    close(gate[1])
    for thread in threads { pthread_join(thread, nil) }
    close(gate[0])
    return threads.count == count
  }

  /// A thread that ends when nothing can come through a pipe any more; nil when the system refuses it.
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
  /// The system's kernel starts the workers there, so nothing has to be tried.
  func allowsThreads(_ count: Int) -> Bool { true }
#endif
