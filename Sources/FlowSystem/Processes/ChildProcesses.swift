#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The living processes that this process has started, directly or through others.
package enum ChildProcesses {
  /// The numbers of the processes.
  ///
  /// A process leaves the set when it ends, or when the process that started it does.
  package static var all: Set<Int32> { below([getpid()]) }

  /// Returns the processes that some others have started, directly or through others.
  package static func below(_ processes: Set<Int32>) -> Set<Int32> {
    var found: Set<Int32> = []
    let children = children(below: processes)
    var waiting = Array(processes)
    while let parent = waiting.popLast() {
      waiting += (children[parent] ?? []).filter { found.insert($0).inserted }
    }
    return found
  }

  /// Returns the living ones of some processes, which may have left the set.
  package static func living(of processes: Set<Int32>) -> Set<Int32> {
    processes.filter(isLiving)
  }

  /// Ends processes at once.
  package static func kill(_ processes: Set<Int32>) {
    for process in processes.sorted() { _ = kill(pid_t(process), SIGKILL) }
  }

  private static func kill(_ process: pid_t, _ signal: CInt) -> CInt {
    #if canImport(Glibc)
      Glibc.kill(process, signal)
    #elseif canImport(Musl)
      Musl.kill(process, signal)
    #else
      Darwin.kill(process, signal)
    #endif
  }

  #if os(Linux)
    /// The children of each process of the system.
    private static func children(below _: Set<Int32>) -> [Int32: [Int32]] {
      var children: [Int32: [Int32]] = [:]
      // Without /proc no process is known.
      for entry in (try? FileSystem.entries(of: "/proc")) ?? [] {
        guard let process = Int32(entry.name), let parent = parent(of: process) else { continue }
        children[parent, default: []].append(process)
      }
      return children
    }

    private static func isLiving(_ process: Int32) -> Bool { parent(of: process) != nil }

    /// The parent of a living process, or nil: the fields 3 and 4 of proc_pid_stat(5).
    private static func parent(of process: Int32) -> Int32? {
      // A process may end at any time.
      guard let bytes = try? FileSystem.contents(of: "/proc/\(process)/stat", limit: 4096) else {
        return nil
      }
      // The name before may contain anything.
      let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      guard let fields, fields.count > 1, fields[0] != "Z" else { return nil }
      return Int32(fields[1])
    }
  #else
    private static func children(below processes: Set<Int32>) -> [Int32: [Int32]] {
      var (children, waiting) = ([Int32: [Int32]](), Array(processes))
      while let parent = waiting.popLast(), children[parent] == nil {
        children[parent] = unsafe Self.children(of: parent)
        waiting += children[parent] ?? []
      }
      return children
    }

    private static func children(of parent: Int32) -> [Int32] {
      var found = [Int32](repeating: 0, count: 4096)
      let size = Int32(found.count * MemoryLayout<Int32>.size)
      let bytes = unsafe proc_listpids(UInt32(PROC_PPID_ONLY), UInt32(parent), &found, size)
      return Array(found.prefix(max(0, Int(bytes)) / MemoryLayout<Int32>.size)).filter { $0 > 0 }
    }

    private static func isLiving(_ process: Int32) -> Bool { kill(process, 0) == 0 }
  #endif
}
