#if canImport(Darwin)
  private import Darwin
#endif

/// The shared libraries loaded by the process.
package enum SharedLibraries {
  /// The names of their files without folders, sorted and unique, as in `libc.so.6`.
  ///
  /// Empty if the system does not provide them.
  package static var names: [String] {
    Set(paths.map { String($0.split(separator: "/").last ?? "") }).sorted()
  }

  #if canImport(Darwin)
    private static var paths: [String] {
      // The first one is the program.
      (1..<max(1, _dyld_image_count())).compactMap { index in
        unsafe _dyld_get_image_name(index).map { unsafe String(cString: $0) }
      }
    }
  #else
    private static var paths: [String] {
      // See proc_pid_maps(5): a path is the sixth word, and the rest of its line.
      let maps = try? FileSystem.contents(of: "/proc/self/maps", limit: 1 << 20)
      return String(decoding: maps ?? [], as: UTF8.self).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 5)
        let name = words.count == 6 ? words[5].split(separator: "/").last ?? "" : ""
        return name.contains(".so") ? String(name) : nil
      }
    }
  #endif
}
