"""The pages for browsers at the server's address, and the figures for collectors."""

import http.client
import re
import urllib.parse

from cairn import PATIENCE
from operators import credential_of, fetch

SECRET = "collector-collector-collector"
SETTINGS = {"stats__metricsCredential": SECRET, "listen__behindProxy": "true"}


def test_the_front_page_says_what_this_is_and_no_version(server):
    status, headers, text = fetch(server, "/")
    assert status == 200 and headers["Content-Type"].startswith("text/html") and "docs/protocol.md" in text
    assert not re.search(r"\d+\.\d+\.\d+", text) and "Server" not in headers


def test_the_sockets_address_asks_for_an_upgrade(server):
    status, headers, text = fetch(server, "/v1")
    assert status == 426 and headers["Upgrade"] == "websocket" and "cairn.v1.json" in text


def test_an_upgrade_to_http2_is_passed_over(server):
    """RFC 9110, 7.8. Java's client and `curl --http2` ask for it with each first request."""
    asked = {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAARAAAAAAAIAAAAA"}
    line = http.client.HTTPConnection(urllib.parse.urlsplit(server.http).netloc, timeout=PATIENCE)
    for _ in range(3):
        line.request("GET", "/livez", headers=asked)
        answer = line.getresponse()
        assert (answer.status, answer.getheader("Upgrade")) == (200, None) and answer.read()
    line.close()


def test_behind_a_proxy_figures_want_a_credential(server):
    status, headers, _ = fetch(server, "/metrics")
    assert status == 401 and headers["WWW-Authenticate"] == "Bearer"
    assert fetch(server, "/metrics", Authorization="Bearer guess-guess-guess-guess")[0] == 401
    for credential in (SECRET, credential_of(server)):
        status, _, text = fetch(server, "/metrics", Authorization=f"Bearer {credential}")
        assert status == 200 and "cairn_connections" in text


def test_the_collectors_credential_opens_nothing_else(server):
    assert fetch(server, "/v1/operator", Authorization=f"Bearer {SECRET}")[0] == 403
    assert fetch(server, "/console", Authorization=f"Bearer {SECRET}")[0] == 403


def test_a_page_of_another_site_cannot_sign_an_operator_out(server):
    import urllib.error
    import urllib.request

    headers = {"Authorization": f"Bearer {credential_of(server)}"}

    def post(**more):
        request = urllib.request.Request(server.http + "/v1/operator/end", method="POST", headers=headers | more)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    assert post(Origin="https://evil.example") == 403
    assert post(Origin=server.http) == 204
