"""The client of gRPC's interoperability tests, on grpcio: it prints the cases that hold."""
import sys, time, grpc
pb, svc = grpc.protos_and_services("test.proto")
ch = grpc.insecure_channel(sys.argv[1].removeprefix("http://"))
stub = svc.TestServiceStub(ch)
R = pb.ResponseParameters
ok = []
# large_unary
r = stub.UnaryCall(pb.SimpleRequest(response_size=314159, payload=pb.Payload(body=bytes(271828)))); assert len(r.payload.body) == 314159; ok.append("large_unary")
# client_compressed_unary
r = stub.UnaryCall(pb.SimpleRequest(response_size=314159, payload=pb.Payload(body=bytes(271828)), expect_compressed=pb.BoolValue(value=True)), compression=grpc.Compression.Gzip); assert len(r.payload.body)==314159; ok.append("client_compressed_unary")
# server_compressed_unary
r = stub.UnaryCall(pb.SimpleRequest(response_size=314159, payload=pb.Payload(body=bytes(271828)), response_compressed=pb.BoolValue(value=True))); assert len(r.payload.body)==314159; ok.append("server_compressed_unary")
# client_streaming
assert stub.StreamingInputCall(pb.StreamingInputCallRequest(payload=pb.Payload(body=bytes(n))) for n in (27182, 8, 1828, 45904)).aggregated_payload_size == 74922; ok.append("client_streaming")
# server_streaming
assert [len(m.payload.body) for m in stub.StreamingOutputCall(pb.StreamingOutputCallRequest(response_parameters=[R(size=s) for s in (31415, 9, 2653, 58979)]))] == [31415, 9, 2653, 58979]; ok.append("server_streaming")
# ping_pong / empty_stream
assert list(stub.FullDuplexCall(iter([]))) == []; ok.append("empty_stream")
# custom_metadata
md = (("x-grpc-test-echo-initial", "test_initial_metadata_value"), ("x-grpc-test-echo-trailing-bin", b"\xab\xab\xab"))
r, call = stub.UnaryCall.with_call(pb.SimpleRequest(response_size=1), metadata=md)
assert dict(call.initial_metadata())["x-grpc-test-echo-initial"] == "test_initial_metadata_value"
assert dict(call.trailing_metadata())["x-grpc-test-echo-trailing-bin"] == b"\xab\xab\xab", dict(call.trailing_metadata()); ok.append("custom_metadata")
# status_code_and_message, special_status_message
for text in ("test status message", "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"):
    try: stub.UnaryCall(pb.SimpleRequest(response_status=pb.EchoStatus(code=2, message=text))); raise SystemExit("no error")
    except grpc.RpcError as e: assert e.code() == grpc.StatusCode.UNKNOWN and e.details() == text, repr(e.details())
ok.append("status_messages")
# details
try: stub.UnaryCall(pb.SimpleRequest(response_status=pb.EchoStatus(code=9, message="details")))
except grpc.RpcError as e:
    from grpc_status import rpc_status
    st = rpc_status.from_call(e); assert st.code == 9 and len(st.details) == 1, st
ok.append("details")
try: svc.UnimplementedServiceStub(ch).UnimplementedCall(pb.Empty())
except grpc.RpcError as e: assert e.code() == grpc.StatusCode.UNIMPLEMENTED
ok.append("unimplemented_service")
# cancel_after_begin
import queue
q = queue.Queue(); f = stub.StreamingInputCall.future(iter(q.get, None)); f.cancel(); assert f.cancelled(); ok.append("cancel_after_begin")
# cancel_after_first_response
q = queue.Queue(); c = stub.FullDuplexCall(iter(q.get, None)); q.put(pb.StreamingOutputCallRequest(response_parameters=[R(size=31415)])); next(c); c.cancel()
try: next(c)
except grpc.RpcError as e: assert e.code() == grpc.StatusCode.CANCELLED
ok.append("cancel_after_first_response")
# timeout_on_sleeping_server
q = queue.Queue(); q.put(pb.StreamingOutputCallRequest(payload=pb.Payload(body=bytes(27182)), response_parameters=[R(size=1, interval_us=3000000)]))
c = stub.FullDuplexCall(iter(q.get, None), timeout=0.3)
try: next(c); raise SystemExit("no timeout")
except grpc.RpcError as e: assert e.code() == grpc.StatusCode.DEADLINE_EXCEEDED, e
ok.append("timeout_on_sleeping_server")
print(*ok, end="")
