"""The server of gRPC's interoperability tests, on grpcio, with reflection and health checks.

It prints its port. `server.py tls FOLDER` has the certificate of FOLDER/cert.pem and FOLDER/key.pem.
"""
import os
import sys
import threading
import time
from concurrent import futures

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

pb, pb_grpc = grpc.protos_and_services("test.proto")
INITIAL, TRAILING = "x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin"
cancelled = threading.Event()


def payload(size): return pb.Payload(body=bytes(size))


def echo(context):
    sent = dict(context.invocation_metadata())
    if INITIAL in sent: context.send_initial_metadata(((INITIAL, sent[INITIAL]),))
    if TRAILING in sent: context.set_trailing_metadata(((TRAILING, sent[TRAILING]),))


def fail(context, status):
    if status.code == 0: return
    if status.message == "details":
        detail = any_pb2.Any()
        detail.Pack(error_details_pb2.ErrorInfo(reason="CLOSED", metadata={"order": "7"}))
        context.abort_with_status(rpc_status.to_status(
            status_pb2.Status(code=status.code, message="it is closed", details=[detail])))
    codes = {code.value[0]: code for code in grpc.StatusCode}
    context.abort(codes[status.code], status.message)


class Service(pb_grpc.TestServiceServicer):
    def EmptyCall(self, request, context):
        if dict(context.invocation_metadata()).get("ask") == "cancelled":
            context.abort(grpc.StatusCode.OK if False else grpc.StatusCode.ABORTED,
                          "cancelled" if cancelled.wait(20) else "not cancelled")
        return pb.Empty()

    def UnaryCall(self, request, context):
        echo(context)
        fail(context, request.response_status)
        if request.response_compressed.value: context.set_compression(grpc.Compression.Gzip)
        return pb.SimpleResponse(payload=payload(request.response_size))

    def StreamingOutputCall(self, request, context):
        for part in request.response_parameters:
            time.sleep(part.interval_us / 1e6)
            yield pb.StreamingOutputCallResponse(payload=payload(part.size))

    def StreamingInputCall(self, requests, context):
        context.add_callback(lambda: context.is_active() or cancelled.set())
        size = sum(len(r.payload.body) for r in requests)
        return pb.StreamingInputCallResponse(aggregated_payload_size=size)

    def FullDuplexCall(self, requests, context):
        echo(context)
        context.add_callback(lambda: cancelled.set())
        for request in requests:
            fail(context, request.response_status)
            for part in request.response_parameters:
                time.sleep(part.interval_us / 1e6)
                yield pb.StreamingOutputCallResponse(payload=payload(part.size))


server = grpc.server(futures.ThreadPoolExecutor(32), options=[("grpc.so_reuseport", 0)])
pb_grpc.add_TestServiceServicer_to_server(Service(), server)
health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
names = ["grpc.testing.TestService", "grpc.testing.UnimplementedService", health.SERVICE_NAME, reflection.SERVICE_NAME]
reflection.enable_server_reflection(names, server)
if sys.argv[1:2] == ["tls"]:
    key, cert = (open(os.path.join(sys.argv[2], n), "rb").read() for n in ("key.pem", "cert.pem"))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, cert)]))
else:
    port = server.add_insecure_port("127.0.0.1:0")
server.start()
print(port, flush=True)
# The end of the standard input is the end of the test.
sys.stdin.read()
server.stop(None)
