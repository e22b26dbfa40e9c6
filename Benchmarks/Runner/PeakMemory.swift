#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The largest resident size of this program until now, in bytes, which never falls.
func peakMemory() -> Int {
  #if canImport(Darwin)
    var usage = rusage()
    _ = unsafe getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
  #else
    // On Linux the maximum of `getrusage` is inherited from the parent of this process.
    guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    let peak = lines.first { $0.hasPrefix("VmHWM:") }
    return (Int(peak?.filter(\.isNumber) ?? "") ?? 0) << 10
  #endif
}
