#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Returns true if the system allows this process so many more open files.
///
/// libdispatch ends the process if it gets none for its own, and components report the strangest
/// things if there is none for a library or a folder.
func allowsDescriptors(_ count: Int) -> Bool {
  var held: [CInt] = []
  defer { for descriptor in held { close(descriptor) } }
  while held.count < count {
    let descriptor = dup(STDERR_FILENO)
    guard descriptor >= 0 else { return false }
    held.append(descriptor)
  }
  return true
}

/// Waits for a moment on the clock of runs.
///
/// libdispatch opens a descriptor for a clock with its first timer, and ends the process if there
/// are none left by then.
func openTimer() async { try? await Task.sleep(for: .milliseconds(1)) }
