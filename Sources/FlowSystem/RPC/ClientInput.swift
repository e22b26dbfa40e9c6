private import Dispatch

/// The standard input of a server whose client is another process.
package enum ClientInput {
  /// Returns the parts of standard input up to its end, read on a separate thread, which may block.
  ///
  /// They end with a process, too, since another one may keep the pipe open.
  package static func parts<Splitter: StreamSplitter>(
    by splitter: Splitter, endingWith process: Int32? = nil
  ) -> AsyncStream<Splitter.Part> {
    let (parts, input) = AsyncStream.makeStream(of: Splitter.Part.self)
    if let process {
      DispatchQueue(label: "flow.client").async {
        if OtherProcess.waitForEnd(of: process) { input.finish() }
      }
    }
    DispatchQueue(label: "flow.client-input").async {
      var splitter = splitter
      while let piece = FileSystem.nextInput() {
        for part in splitter.parts(adding: piece) { input.yield(part) }
      }
      input.finish()
    }
    return parts
  }
}
