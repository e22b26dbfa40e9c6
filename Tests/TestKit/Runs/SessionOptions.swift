package import FlowCore
package import FlowEngine

extension Session.Options {
  /// The options of a run with a folder for its components, in real or in virtual time.
  package init(in directory: Directory, virtualTime: VirtualTime? = nil) {
    self.init()
    self.directory = directory
    self.virtualTime = virtualTime
  }
}
