package import FlowCore
package import FlowEngine

extension Session.Options {
  /// The options of a run whose components see a folder, in real or in virtual time.
  package init(in directory: Directory, virtualTime: VirtualTime? = nil) {
    self.init()
    self.directory = directory
    self.virtualTime = virtualTime
  }
}
