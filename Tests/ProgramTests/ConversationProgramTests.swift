import FlowCore
import Foundation
import TestKit
import Testing

/// Programs that talk with their servers in both directions, on recorded answers.
@Suite(.serialized) struct ConversationProgramTests {
  /// A program and its server, with what the program prints.
  struct Talk: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The Python with the module that the server needs, or nil.
    let python: String?
    let server: [String]
    let component: String
    let program: [String]
    let files: [String: String]
    let output: String
    /// A text of the program, and another one that it sends instead.
    let change: (file: String, old: String, new: String)
    /// The difference that the report names.
    let difference: String

    /// True for gRPC, false for a WebSocket.
    var isOfGRPC: Bool { files["test.proto"] != nil }
  }

  @Test(
    .enabled(if: !talks.isEmpty, "no Python with the module 'websockets' or 'grpc_tools' here"),
    arguments: talks)
  func `a conversation is recorded, and goes on without its server`(_ talk: Talk) async throws {
    let folder = try TemporaryFolder()
    for (name, text) in talk.files { try folder.write(text, to: name) }
    try await Self.record(talk, in: folder)

    for _ in 1...3 {
      let replay = try await BuiltProgram.run("flow", ["test", "s.yaml", "--quiet"], in: folder)
      #expect(replay.code == 0, "\(replay.output)\(replay.errors)")
    }
    let (file, old, new) = talk.change
    try folder.write(try folder.text(file).replacing(existing: old, with: new), to: file)
    let changed = try await BuiltProgram.run("flow", ["test", "s.yaml"], in: folder)
    #expect(changed.code == 1)
    #expect((changed.output + changed.errors).contains(talk.difference), "\(changed.output)")
  }

  /// Records the program with its server, which has ended afterwards.
  private static func record(_ talk: Talk, in folder: TemporaryFolder) async throws {
    let server = try ChildProcess(
      talk.python ?? "", talk.server, in: folder.directory.path, hasInput: true)
    defer { server.send(SIGKILL) }
    let port = try #require(Int(server.firstLine()))
    let settings = talk.component.replacing("PORT", with: "\(port)")
    let argv = talk.program.map { "\"\($0)\"" }.joined(separator: ", ")
    try folder.write(
      """
      flow: 1
      components:
        server: \(settings)
        up: {plugin: upstream, live: true, using: {\(talk.isOfGRPC ? "grpc" : "websocket"): server}}
        programs: {plugin: process, live: true}
      steps:
        - {id: at, uses: up.address}
        - uses: programs.run
          with: {argv: [\(argv), "${{ steps.at.url }}"]}
          expect: {status: 0, stdout: '\(talk.output)'}

      """, to: "s.yaml")
    if talk.isOfGRPC {
      try folder.write(
        "flow: 1\nplugins:\n  test: {grpc: \"http://127.0.0.1:\(port)\"}\n", to: "flow.yaml")
      let lock = try await BuiltProgram.run("flow", ["plugin", "lock"], in: folder)
      #expect(lock.code == 0, "\(lock.errors)")
    }
    let run = try await BuiltProgram.run(
      "flow", ["run", "s.yaml", "--record", "--quiet"], in: folder)
    #expect(run.code == 0, "\(run.output)\(run.errors)")
  }

  private static let talks =
    [
      sockets(["PYTHON", "client.py"]),
      sockets(["node", "--experimental-websocket", "client.mjs"]),
    ]
    .filter { $0.python != nil }
    + [calls(["PYTHON", "client.py"]), calls(["node", "client.mjs"]), interoperability]
    .filter { $0.python != nil }

  // MARK: - WebSocket

  private static func sockets(_ program: [String]) -> Talk {
    let python = Python.having("websockets")
    return Talk(
      testDescription: "WebSocket, \(program[0] == "node" ? "Node" : "Python")", python: python,
      server: ["server.py"],
      component: "{plugin: websocket, with: {base: \"ws://127.0.0.1:PORT\"}}",
      program: program.map { $0 == "PYTHON" ? python ?? "" : $0 },
      files: ["server.py": socketServer, "client.py": socketClient, "client.mjs": socketNode],
      output: "/chat?room=1 chat echo one 7 4001 as asked",
      change: (program.last ?? "", "one", "two"),
      difference: #"text: recorded "one", now "two""#)
  }

  private static let socketServer = """
    import asyncio, json, websockets
    async def talk(ws):
        path = ws.path if hasattr(ws, "path") else ws.request.path
        await ws.send(path + " " + ws.subprotocol)
        async for message in ws:
            if message == "bye": await ws.close(4001, "as asked")
            elif isinstance(message, bytes): await ws.send(message[::-1])
            elif message[0] == "{": await ws.send(json.dumps({"sum": sum(json.loads(message)["of"])}))
            else: await ws.send("echo " + message)
    async def main():
        async with websockets.serve(talk, "127.0.0.1", 0, subprotocols=["chat"]) as server:
            print(server.sockets[0].getsockname()[1], flush=True)
            await asyncio.Future()
    asyncio.run(main())

    """

  private static let socketClient = """
    import asyncio, json, sys, websockets
    async def main():
        url = sys.argv[1].replace("http", "ws") + "/chat?room=1"
        async with websockets.connect(url, subprotocols=["chat"]) as ws:
            said = [await ws.recv()]
            await ws.send("one"); said.append(await ws.recv())
            await ws.send('{"of": [3,  4]}'); said.append(str(json.loads(await ws.recv())["sum"]))
            await (await ws.ping())
            await ws.send(bytes(70000) + b"\\x01"); assert (await ws.recv())[0] == 1
            await ws.send("bye")
            try: await ws.recv()
            except websockets.ConnectionClosed as end: said.append(f"{end.rcvd.code} {end.rcvd.reason}")
        print(*said, end="")
    asyncio.run(main())

    """

  private static let socketNode = """
    const socket = new WebSocket(process.argv[2].replace("http", "ws") + "/chat?room=1", "chat");
    socket.binaryType = "arraybuffer";
    const said = [], waiting = [];
    socket.onmessage = ({ data }) => waiting.shift()(data);
    const next = () => new Promise((done) => waiting.push(done));
    const first = next();
    socket.onopen = async () => {
      said.push(await first);
      let answer = next(); socket.send("one"); said.push(await answer);
      answer = next(); socket.send('{"of": [3,  4]}'); said.push(JSON.parse(await answer).sum);
      const bytes = new Uint8Array(70001); bytes[70000] = 1;
      answer = next(); socket.send(bytes);
      if (new Uint8Array(await answer)[0] !== 1) process.exit(3);
      socket.send("bye");
    };
    socket.onclose = ({ code, reason }) => process.stdout.write([...said, code, reason].join(" "));

    """

  // MARK: - gRPC

  private static func calls(_ program: [String]) -> Talk {
    let python = Python.having("grpc_tools")
    let isNode = program[0] == "node"
    let folder = ProjectFiles.root + "/Plugins/GRPC/Tests"
    let description = (try? String(contentsOfFile: folder + "/test.proto", encoding: .utf8)) ?? ""
    return Talk(
      testDescription: "gRPC, \(isNode ? "Node" : "Python")", python: python,
      server: ["\(folder)/server.py"],
      component: "{plugin: test, with: {address: \"http://127.0.0.1:PORT\"}}",
      program: program.map { $0 == "PYTHON" ? python ?? "" : $0 },
      files: [
        "test.proto": description, "client.py": callClient, "client.mjs": callNode,
      ],
      output: isNode ? "0 7 0 13" : "5 UNKNOWN wörld [3, 1] 9 [31, 9]",
      change: isNode ? ("client.mjs", "16, 7", "16, 8") : ("client.py", "[31, 9]", "[31, 8]"),
      difference: isNode
        ? "message.responseSize: recorded 7, now 8"
        : "message.responseParameters[0].size: recorded 9, now 8")
  }

  /// The official cases, as far as they need no authentication.
  private static var interoperability: Talk {
    let python = Python.having("grpc_tools")
    let folder = ProjectFiles.root + "/Plugins/GRPC/Tests"
    let texts = ["test.proto", "client.py"].map { name in
      (name, (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "")
    }
    return Talk(
      testDescription: "gRPC, the cases of interoperability", python: python,
      server: ["\(folder)/server.py"],
      component: "{plugin: test, with: {address: \"http://127.0.0.1:PORT\"}}",
      program: [python ?? "", "client.py"], files: Dictionary(uniqueKeysWithValues: texts),
      output:
        "large_unary client_compressed_unary server_compressed_unary client_streaming "
        + "server_streaming empty_stream custom_metadata status_messages details "
        + "unimplemented_service cancel_after_begin cancel_after_first_response "
        + "timeout_on_sleeping_server",
      change: ("client.py", "response_size=1)", "response_size=2)"),
      difference: "message.responseSize: recorded 1, now 2")
  }

  private static let callClient = """
    import queue, sys, grpc
    pb, services = grpc.protos_and_services("test.proto")
    test = services.TestServiceStub(grpc.insecure_channel(sys.argv[1].removeprefix("http://")))
    said = [len(test.UnaryCall(pb.SimpleRequest(response_size=5), timeout=60).payload.body)]
    try: test.UnaryCall(pb.SimpleRequest(response_status=pb.EchoStatus(code=2, message="wörld")))
    except grpc.RpcError as error: said += [error.code().name, error.details()]
    sizes = lambda *sizes: [pb.ResponseParameters(size=size) for size in sizes]
    asked = pb.StreamingOutputCallRequest(response_parameters=sizes(3, 1))
    said.append([len(part.payload.body) for part in test.StreamingOutputCall(asked)])
    parts = (pb.StreamingInputCallRequest(payload=pb.Payload(body=bytes(n))) for n in (2, 7))
    said.append(test.StreamingInputCall(parts).aggregated_payload_size)
    waiting, heard = queue.Queue(), []
    call = test.FullDuplexCall(iter(waiting.get, None))
    for size in [31, 9]:
        waiting.put(pb.StreamingOutputCallRequest(response_parameters=sizes(size)))
        heard.append(len(next(call).payload.body))
    waiting.put(None)
    print(*said, heard, end="")
    assert not list(call)

    """

  // No package: the messages are written by hand.
  private static let callNode = """
    import http2 from "node:http2";
    const session = http2.connect(process.argv[2]);
    const call = (method, message, count = 1) => new Promise((done) => {
      const stream = session.request({
        ":method": "POST", ":path": "/grpc.testing.TestService/" + method,
        "content-type": "application/grpc", te: "trailers",
      });
      let body = Buffer.alloc(0), status;
      stream.on("response", (headers) => { status = headers["grpc-status"]; });
      stream.on("trailers", (headers) => { status = headers["grpc-status"]; });
      stream.on("data", (part) => { body = Buffer.concat([body, part]); });
      stream.on("end", () => done({ status, body }));
      const head = Buffer.alloc(5);
      head.writeUInt32BE(message.length, 1);
      for (; count > 0; count--) stream.write(Buffer.concat([head, Buffer.from(message)]));
      stream.end();
    });
    const empty = await call("EmptyCall", []);
    const sized = await call("UnaryCall", [16, 7]);
    // A method without a stream takes one message, and a second one is no call.
    const twice = await call("EmptyCall", [], 2);
    const said = [empty.status, sized.body.length - 9, sized.status, twice.status];
    process.stdout.write(said.join(" "));
    session.close();

    """
}
