"""A server that reads its settings again on SIGHUP, and ends on SIGINT after its work."""
import signal
import sys
import time


def reload(number, frame):
    print("reloaded", flush=True)


def drain(number, frame):
    print("draining", flush=True)
    time.sleep(0.3)
    print("bye", flush=True)
    sys.exit(0)


signal.signal(signal.SIGHUP, reload)
signal.signal(signal.SIGINT, drain)
print("up", flush=True)
while True:
    signal.pause()
