private import Dispatch
internal import FlowSystem

/// The messages on standard input.
package enum MessageInput {
  /// Returns the parts of standard input up to its end, read on a separate thread, which may block.
  ///
  /// They end with a process, too, since another one may keep the pipe open.
  package static func standardInput(endingWith process: Int32) -> AsyncStream<MessageStream.Part> {
    let (parts, input) = AsyncStream.makeStream(of: MessageStream.Part.self)
    DispatchQueue(label: "flow.client").async {
      if OtherProcess.waitForEnd(of: process) { input.finish() }
    }
    DispatchQueue(label: "flow.messages").async {
      var stream = MessageStream()
      while let piece = FileSystem.nextInput() {
        for part in stream.parts(adding: piece) { input.yield(part) }
      }
      input.finish()
    }
    return parts
  }
}
