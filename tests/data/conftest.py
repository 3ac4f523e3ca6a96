"""A web server on this machine, for what downloads."""

import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Server:
    """Serves a folder, and keeps what was asked for.

    Attributes
    ----------
    asked : list of tuple of str and int
        Path and answer of each request.
    ranges : list of str or None
        The header `Range` of each.
    cut : int or None
        After so many bytes the connection is cut, each time.
    without_ranges : bool
        Whether the server knows nothing of `Range`.
    wrong_ranges : bool
        Whether it answers with the first bytes, whatever part was asked for.
    """

    def __init__(self, folder):
        self.asked, self.ranges = asked, ranges = [], []
        self.cut, self.without_ranges, self.wrong_ranges = None, False, False
        server = self

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self):
                path = folder / self.path.lstrip("/")
                ranges.append(self.headers["Range"])
                if not path.is_file():
                    return self.send_error(404)
                content = path.read_bytes()
                start = 0
                if self.headers["Range"] and not server.without_ranges:
                    start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
                    if start >= len(content):
                        return self.send_error(416)
                    self.send_response(206)
                    start = 0 if server.wrong_ranges else start
                    self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
                else:
                    self.send_response(200)
                self.send_header("Content-Length", str(len(content) - start))
                self.end_headers()
                self.wfile.write(content[start:][: server.cut])
                return None

            def log_request(self, code="-", size="-"):
                asked.append((self.path, int(code)))

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}/data"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def stop(self):
        if self.thread.is_alive():
            self.http.shutdown()
            self.thread.join()
            self.http.server_close()


@pytest.fixture
def serve():
    """Return what serves a folder until the test ends."""
    servers = []

    def start(folder):
        servers.append(Server(folder))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
