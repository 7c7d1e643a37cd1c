"""An app's own backend: signs arbitrary tokens with its own key (ACC-12). Ed25519 by OpenSSL."""

import base64
import json
import subprocess
import time


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Backend:
    """Signs tokens for people at the server with `settings`."""

    def __init__(self, folder, issuer="https://id.example", name="backend"):
        self.issuer = issuer
        self.key = folder / f"{name}.pem"
        self.public = folder / f"{name}.pub.pem"
        self._message = folder / f"{name}.message"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.key], check=True)
        self.publish(self.public)

    def publish(self, path):
        """Writes the public key where a server reads it."""
        subprocess.run(["openssl", "pkey", "-in", self.key, "-pubout", "-out", path], check=True)

    @property
    def settings(self):
        """The settings by which a server accepts its tokens."""
        return {
            "accounts__open": "false",
            "appTokens__issuers": self.issuer,
            "appTokens__audiences": "cairn",
            "appTokens__keyFiles": str(self.public),
            "appTokens__leewaySeconds": 0,
        }

    def token(self, subject, name=None, *, seconds=3600, issued=None, **claims):
        """A token for a person; a claim that is None is left out."""
        issued = time.time() if issued is None else issued
        claims = {
            "iss": self.issuer,
            "aud": "cairn",
            "sub": subject,
            "name": name or subject,
            "iat": issued,
            "exp": issued + seconds,
            **claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        signed = encoded(b'{"alg":"EdDSA"}') + "." + encoded(json.dumps(claims).encode())
        self._message.write_text(signed)
        signature = subprocess.run(
            ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.key, "-in", self._message],
            check=True,
            capture_output=True,
        ).stdout
        return signed + "." + encoded(signature)
