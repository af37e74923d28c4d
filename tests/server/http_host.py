"""HTTP servers on free ports that tests start in their own process, and that remember what they were asked."""
import collections
import http.server
import json
import threading

Asked = collections.namedtuple("Asked", "path headers body")


class HttpHost:
    """Answers GET and POST with what `answer(path)` gives: a status, the bytes of the body, and further headers."""

    def __init__(self, answer):
        self.asked = asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(Asked(self.path, dict(self.headers), self.rfile.read(int(self.headers.get("Content-Length", 0)))))
                status, body, headers = answer(self.path)
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def paths(self):
        return [asked.path for asked in self.asked]

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_port}{path}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class PetHost(HttpHost):
    """Has an OpenAPI document at /api.json, and the operation "getPet" that it describes, whose server is relative to it.

    /moved leads to the document, /round to itself.
    """
    PARAMETERS = [{"name": "petId", "in": "path", "required": True}]
    DOCUMENT = {"openapi": "3.0.3", "servers": [{"url": "/v1"}],
                "paths": {"/pets/{petId}": {"get": {"operationId": "getPet", "parameters": PARAMETERS}}}}
    FOUND = {"/api.json": DOCUMENT, "/v1/pets/7": {"name": "Fido"}}
    LEADS_TO = {"/moved": "/api.json", "/round": "/round"}

    def __init__(self):
        super().__init__(self.find)

    def find(self, path):
        if path in self.LEADS_TO:
            return 302, b"", {"Location": self.LEADS_TO[path]}
        return (200 if path in self.FOUND else 404), json.dumps(self.FOUND.get(path)).encode(), {}
