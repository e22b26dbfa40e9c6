#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

// The calls of one task follow each other in the program's order. Those of two tasks need not.
// Nothing else tells tasks apart: task-local values are inherited, and the memory of an ended task
// is reused. The function is the runtime's own (`swift_task_getJobTaskId`,
// swift/Runtime/Concurrency.h), and debuggers use it.
@_silgen_name("swift_task_getJobTaskId")
private func taskID(of job: UnsafeRawPointer) -> UInt64

/// A unique number for each task of the process.
package enum TaskNumber {
  /// The number of the present task, or 0 outside tasks.
  package static var current: UInt64 {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      return unsafe taskID(of: unsafeBitCast(task, to: UnsafeRawPointer.self))
    }
  }

  /// The number of a job's task.
  ///
  /// For an actor's own job its address, which serves as well for look-ups.
  static func of(_ job: UnownedJob) -> UInt64 {
    let pointer = unsafe unsafeBitCast(job, to: UnsafeRawPointer.self)
    let number = unsafe taskID(of: pointer)
    return number != 0 ? number : UInt64(UInt(bitPattern: pointer))
  }
}

/// A unique number for each running thread.
enum ThreadNumber {
  /// The number of the present thread.
  static var current: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }
}
