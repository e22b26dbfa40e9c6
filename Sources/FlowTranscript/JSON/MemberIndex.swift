internal import FlowCore
internal import FlowSystem

/// The members of an object by the bytes of their names.
struct MemberIndex {
  // A short object is searched faster than its names are hashed.
  private static let indexedCount = 8

  private let members: [JSON.Member]
  private var positions: [[UInt8]: Int] = [:]

  /// The members of an object; none for everything else.
  init(_ json: JSON?) {
    guard case .object(let members)? = json else {
      members = []
      return
    }
    self.members = members
    if members.count <= Self.indexedCount { return }
    for (position, member) in members.enumerated() { positions[Array(member.name.utf8)] = position }
  }

  /// The value of a member; nil when there is none.
  subscript(name: String) -> JSON? {
    if positions.isEmpty { return members.first { $0.name.isIdentical(to: name) }?.value }
    return positions[Array(name.utf8)].map { members[$0].value }
  }
}
