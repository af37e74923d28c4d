"""The worker of the crash test: answers tasks over HTTP and notes every call. It lives through the kills of the server."""
import http.server
import json
import queue
import random
import threading
import time

SLOW_SECONDS_MAX = 0.05
SINK_REFUSES = 0.05  # so many first arrivals of events


class Worker:
    """What a call is answered with is decided when its idempotency key comes first; the same key gets the same answer again."""

    def __init__(self, journal):
        self.journal = journal
        self.lock = threading.Lock()
        self.answers = {}              # idempotency key -> (status, body)
        self.tries = {}                # (n, path) -> how many keys came
        self.finished = set()          # n whose last task was called
        self.refused = set()           # ids of events that the sink did not take at first
        self.asked = queue.Queue()     # (token, n, kind) of tasks that wait for a client
        self.server = QuietServer(("127.0.0.1", 0), make_handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, key, path, sent):
        body = sent.get("parameters", sent)  # of a service integration, and of a URL
        self.journal.add("call", key=key, path=path, body=body, n=body["n"], at=time.time())
        with self.lock:
            is_new = key not in self.answers
            if is_new:
                self.tries[body["n"], path] = self.tries.get((body["n"], path), 0) + 1
                self.answers[key] = self.first_answer(path, body)
        if "first" in body:
            self.finished.add(body["n"])
        if is_new and path == "/ask":
            self.asked.put((body.get("token"), body["n"], body["kind"]))
        if path == "/slow":
            time.sleep(random.uniform(0, SLOW_SECONDS_MAX))
        return self.answers[key]

    def first_answer(self, path, body):
        n, tries = body["n"], self.tries[body["n"], path]
        if path == "/broken" or (path == "/flaky" and tries == 1):
            return 503, {"errorType": "Worker.Busy" if path == "/flaky" else "Worker.Broken", "errorMessage": str(n)}
        if path == "/repaired" and body["redrives"] == 0:
            return 503, {"errorType": "Worker.Broken", "errorMessage": str(n)}
        return 200, {"/double": {"doubled": 2 * n}, "/flaky": {"try": tries}, "/slow": {"item": body.get("item"), "n": n},
                     "/repaired": {"redrives": body.get("redrives")}}.get(path, {})

    def take_event(self, event):
        """Of a produced event: the status that the sink answers with."""
        if event["id"] not in self.refused and random.random() < SINK_REFUSES:
            self.refused.add(event["id"])
            return 503
        self.journal.add("sink", id=event["id"], type=event["type"], n=event["data"]["n"])
        return 200

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class QuietServer(http.server.ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # a connection that a kill cut off


def make_handler(worker):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/sink":
                status, given = worker.take_event(body), {}
            else:
                status, given = worker.answer(self.headers["Idempotency-Key"], self.path, body)
            answer = json.dumps(given).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            except OSError:
                pass  # the server was killed: it will ask again

        def log_message(self, *_):
            pass

    return Handler
