internal import FlowCore
private import Synchronization

/// The open connections of a component by their names.
final class OpenChannels: Sendable {
  private struct State {
    var open: [String: Channel] = [:]
    var endings: [String: (url: String, ending: Ending)] = [:]
    /// The name of the connection that has ended last.
    var latest: String?
    var counts: [String: Int] = [:]
    /// The names whose messages a task waits for.
    var read: Set<String> = []
  }

  private let state = Mutex(State())

  /// Adds a connection, and returns its name: `/chat#1`.
  ///
  /// The name says which path it belongs to, so that it is the same in every run.
  func add(_ channel: Channel, path: String) -> String {
    let path = path.prefix { $0 != "?" }
    let start = path.isEmpty ? "/" : path.hasPrefix("/") ? String(path) : "/\(path)"
    return state.withLock { state in
      state.counts[start, default: 0] += 1
      let name = "\(start)#\(state.counts[start] ?? 1)"
      state.open[name] = channel
      return name
    }
  }

  /// Removes a connection that has ended.
  func remove(_ name: String, _ ending: Ending) {
    state.withLock { state in
      guard let channel = state.open.removeValue(forKey: name) else { return }
      state.endings[name] = (channel.url, ending)
      state.latest = name
    }
  }

  /// Removes a connection that has ended, before its reader notices it.
  func remove(_ channel: Channel, _ ending: Ending) {
    let name = state.withLock { $0.open.first { $0.value === channel }?.key }
    if let name { remove(name, ending) }
  }

  /// Returns the connection of a name, or the only open one.
  ///
  /// - Throws: `WebSocketError`.
  func channel(_ name: String?) throws(WebSocketError) -> Channel {
    try state.withLock { state throws(WebSocketError) in
      if let name {
        if let channel = state.open[name] { return channel }
        if let (url, ending) = state.endings[name] { throw .closed(url, ending) }
        throw .unknownConnection(name)
      }
      if state.open.count > 1 { throw .severalConnections(state.open.keys.sorted()) }
      if let channel = state.open.first?.value { return channel }
      if let latest = state.latest, let (url, ending) = state.endings[latest] {
        throw .closed(url, ending)
      }
      throw .noConnection
    }
  }

  /// Begins to read a stream.
  ///
  /// - Throws: `WebSocketError` if it is not open or is being read.
  func beginReading(_ name: String) throws(WebSocketError) -> Channel {
    try state.withLock { state throws(WebSocketError) in
      guard let channel = state.open[name], state.read.insert(name).inserted else {
        throw .noStream(name)
      }
      return channel
    }
  }

  /// Ends the reading of a stream.
  func endReading(_ name: String) { state.withLock { _ = $0.read.remove(name) } }

  /// Ends all connections.
  func close() async {
    let channels = state.withLock { state in
      defer { state.open = [:] }
      return Array(state.open.values)
    }
    await withDiscardingTaskGroup { group in
      for channel in channels { group.addTask { await channel.leave() } }
    }
  }
}
