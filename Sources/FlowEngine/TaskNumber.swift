#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

// The calls of one task follow each other by the program's order, those of two tasks need not. Nothing else tells tasks
// apart: values of task-locals are inherited, and the memory of a task that has ended is used again. The function is
// the runtime's own (`swift_task_getJobTaskId`, swift/Runtime/Concurrency.h), which debuggers use.
@_silgen_name("swift_task_getJobTaskId")
private func taskID(of job: UnsafeRawPointer) -> UInt64

/// A number that no other task of the process has.
package enum TaskNumber {
  /// That of the present task; 0 outside of tasks.
  package static var current: UInt64 {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      return unsafe taskID(of: unsafeBitCast(task, to: UnsafeRawPointer.self))
    }
  }

  /// That of the task that a job goes on with; of an actor's own job its address, which is as good to look things up.
  static func of(_ job: UnownedJob) -> UInt64 {
    let pointer = unsafe unsafeBitCast(job, to: UnsafeRawPointer.self)
    let number = unsafe taskID(of: pointer)
    return number != 0 ? number : UInt64(UInt(bitPattern: pointer))
  }
}

/// A number that no other thread has which goes on.
enum ThreadNumber {
  /// That of the present thread.
  static var current: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }
}
