import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import WebSocketPlugin

/// Conversations with servers of other libraries.
@Suite struct PeerTests {
  /// A server in Python, which returns messages and has the commands of `conversation`.
  struct Peer: Sendable, CustomTestStringConvertible {
    let module: String
    let program: String
    var testDescription: String { module }
    var isHere: Bool { Python.having(module) != nil }
  }

  static let peers = [
    Peer(module: "websockets", program: websockets), Peer(module: "wsproto", program: wsproto),
  ].filter(\.isHere)

  @Test(
    .enabled(if: !peers.isEmpty, "no Python with the module 'websockets' or 'wsproto' here"),
    arguments: peers, [true, false])
  func `a server of another library understands it`(_ peer: Peer, _ compresses: Bool) async throws {
    let server = try WebSocketServer(peer.program, with: peer.module)

    let run = try await WebSocketRun.run(
      Self.conversation, server, with: "compress: \(compresses), protocols: [chat]")

    #expect(run.failures == "")
  }

  private static let conversation = """
    - uses: it.connect
      with: {path: room}
      expect: {status: 101, protocol: chat}
    - uses: it.ping
    - for: count
      in: ${{ [0, 1, 125, 126, 65535, 65536, 100000] }}
      do:
        - uses: it.send
          with: {text: "${{ lists.range(count).map(i, '*').join('') }}"}
        - {id: text, await: it.message, timeout: 1h}
        - assert: ["${{ steps.text.text.size() == count }}"]
    - uses: it.send
      with: {json: {greeting: "κόσμε 🇺🇳", list: [1, 2]}}
    - {id: json, await: it.message, timeout: 1h}
    - assert: ["${{ steps.json.json == {'greeting': 'κόσμε 🇺🇳', 'list': [1, 2]} }}"]
    - uses: it.send
      with: {bytes: "${{ bytes('\\\\x00\\\\xff') }}"}
    - {id: bytes, await: it.message, timeout: 1h}
    - assert: ["${{ steps.bytes.bytes == bytes('\\\\x00\\\\xff') }}"]
    - uses: it.send
      with: {text: fragments}
    - {id: fragments, await: it.message, timeout: 1h}
    - assert: ["${{ steps.fragments.text == 'one two three' }}"]
    - uses: it.send
      with: {text: ping}
    - {id: pong, await: it.message, timeout: 1h}
    - assert: ["${{ steps.pong.text == 'pong' }}"]
    - uses: it.send
      with: {text: bye}
    - {id: end, await: it.closed, timeout: 1h}
    - assert: ["${{ steps.end.code == 4001 && steps.end.reason == 'as asked' }}"]
    - uses: it.connect
    - uses: it.close
      with: {code: 4002, reason: enough}
      expect: {code: 4002}
    """

  private static let websockets = """
    import asyncio
    try: from websockets.asyncio.server import serve
    except ImportError: from websockets.server import serve
    async def talk(connection):
      async for message in connection:
        if message == "fragments": await connection.send(["one ", "two ", "three"])
        elif message == "bye": await connection.close(4001, "as asked")
        elif message == "ping":
          await (await connection.ping())
          await connection.send("pong")
        else: await connection.send(message)
    async def main():
      async with serve(talk, "127.0.0.1", 0, subprotocols=["chat"], max_size=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.Future()
    asyncio.run(main())
    """

  private static let wsproto = """
    import socket, threading
    from wsproto import ConnectionType, WSConnection
    from wsproto.events import *
    from wsproto.extensions import PerMessageDeflate
    def talk(stream):
      peer, parts = WSConnection(ConnectionType.SERVER), []
      send = lambda event: stream.sendall(peer.send(event))
      while content := stream.recv(65536):
        peer.receive_data(content)
        for event in peer.events():
          if isinstance(event, Request):
            chosen = "chat" if "chat" in event.subprotocols else None
            send(AcceptConnection(subprotocol=chosen, extensions=[PerMessageDeflate()]))
          elif isinstance(event, CloseConnection):
            return send(event.response())
          elif isinstance(event, Ping): send(event.response())
          elif isinstance(event, Pong): send(Message(data="pong"))
          elif isinstance(event, Message):
            parts.append(event.data)
            if not event.message_finished: continue
            data = type(event.data)().join(parts)
            parts.clear()
            if data == "fragments":
              for text in ["one ", "two "]: send(TextMessage(data=text, message_finished=False))
              send(TextMessage(data="three"))
            elif data == "ping": send(Ping(b"there?"))
            elif data == "bye": send(CloseConnection(4001, "as asked"))
            else: send(type(event)(data=data))
    def run(stream):
      with stream:
        try: talk(stream)
        except Exception: pass
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True: threading.Thread(target=run, args=(listener.accept()[0],), daemon=True).start()
    """
}
