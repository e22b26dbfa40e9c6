import CFuzzer
import FuzzTargets

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

guard Fuzzed.isChosen else {
  print("FLOW_FUZZ is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
  exit(64)
}
var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
let status = unsafe LLVMFuzzerRunDriver(&argumentCount, &arguments) { start, count in
  unsafe Fuzzed.feed(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
exit(status)
