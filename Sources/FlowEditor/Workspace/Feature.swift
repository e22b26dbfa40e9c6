internal import FlowSystem

/// A request of the protocol, its answer, and how the server announces it.
struct Feature: Sendable {
  let method: String
  /// The member of the server's capabilities, or nil if another feature announces it.
  let capability: (name: String, value: JSON)?
  let answer: @Sendable (inout Workspace, JSON) throws(RPCError) -> JSON
}
