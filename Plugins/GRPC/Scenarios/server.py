"""A server with the health service of the package grpcio-health-checking, and its reflection."""
import sys
from concurrent import futures

import grpc
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

server = grpc.server(futures.ThreadPoolExecutor(8))
health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
reflection.enable_server_reflection([health.SERVICE_NAME, reflection.SERVICE_NAME], server)
print(server.add_insecure_port(f"127.0.0.1:{sys.argv[1] if sys.argv[1:] else 50051}"), flush=True)
server.start()
server.wait_for_termination()
