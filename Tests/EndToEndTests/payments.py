"""An outside service of payments, as an adaptor: its charges outlive it; it is slow and loses answers.

Each key has one file: `charged` or `closed`, made by whoever is first. What a service that is being killed has begun,
it ends, so that a charge may come after its caller is gone.
"""

import json
import os

SERVICE = """
import json, os, random, signal, sys, threading, time
folder, seconds, wild = sys.argv[1], float(sys.argv[2]), sys.argv[3] == "wild"
lock = threading.Lock()


def claim(key, word):
    draft = os.path.join(folder, f".{key}.{os.getpid()}.{threading.get_ident()}.{time.monotonic_ns()}")
    with open(draft, "w") as file:
        file.write(word)
    try:
        os.link(draft, os.path.join(folder, key))
    except FileExistsError:
        pass
    os.unlink(draft)
    with open(os.path.join(folder, key)) as file:
        return file.read()


def answer(id, **outcome):
    with lock:
        try:
            print(json.dumps({"id": id, **outcome}), flush=True)
        except OSError:
            pass


def serve(call):
    key, dice = call["key"], random.random() if wild else 1.0
    if call["do"] == "charge":
        threading.Event().wait(seconds * (3 if dice < 0.2 else random.random()))
        while os.path.exists(os.path.join(folder, ".hold")):
            threading.Event().wait(0.02)
        state = claim(key, "charged")
        if wild and random.random() < 0.3:
            state = claim(key, "charged")
        if dice > 0.8 and wild:
            return
        if state == "charged":
            answer(call["id"], done={"charge": key[:12]})
            if wild and random.random() < 0.2:
                answer(call["id"], done={"charge": key[:12]})
        else:
            answer(call["id"], refused={"code": "payment_declined", "message": "closed"})
    elif call["do"] == "settle":
        if wild and random.random() < 0.2 or os.path.exists(os.path.join(folder, ".mute")):
            return
        state = claim(key, "closed")
        done = {"state": state}
        if state == "charged":
            done["charge"] = key[:12]
        answer(call["id"], done=done)
    elif call["do"] == "refund":
        mood = os.path.join(folder, ".mood")
        mood = open(mood).read() if os.path.exists(mood) else ""
        if mood == "refusing":
            return answer(call["id"], refused={"code": "too_old", "message": "too long ago"})
        if mood == "failing":
            return answer(call["id"], failed={"message": "out of order"})
        if mood != "hanging":
            claim(key + ".refund", "refunded")
        if wild:
            threading.Event().wait(seconds * random.random())
            if random.random() < 0.3:
                return
        if mood in ("", "well"):
            answer(call["id"], done={})
            if wild and random.random() < 0.2:
                answer(call["id"], done={})


for line in sys.stdin:
    threading.Thread(target=serve, args=[json.loads(line)]).start()
"""


class Payments:
    """The service's books."""

    def __init__(self, folder, *, seconds=0.02, wild=False):
        self.folder = folder / "charges"
        self.folder.mkdir()
        script = folder / "payments.py"
        script.write_text(SERVICE)
        self.command = f"/usr/bin/env python3 {script} {self.folder} {seconds} {'wild' if wild else 'tame'}"

    @property
    def settings(self):
        return {"adaptors__payment": self.command}

    def states(self):
        """The state of each key."""
        return {
            name: (self.folder / name).read_text() for name in os.listdir(self.folder) if not name.startswith(".")
        }

    def set_mood(self, mood):
        """How the service takes refunds: "well", "refusing", "failing", "hanging" (it does nothing) or "silent" (it
        pays back and says nothing)."""
        (self.folder / ".mood").write_text(mood)

    def hold(self, is_held=True):
        """Whether charges wait until they are let go."""
        if is_held:
            (self.folder / ".hold").touch()
        else:
            (self.folder / ".hold").unlink()

    def mute(self, is_mute=True):
        """Whether the service says nothing about what became of a charge."""
        if is_mute:
            (self.folder / ".mute").touch()
        else:
            (self.folder / ".mute").unlink()

    @property
    def refunded(self):
        """Keys that were paid back."""
        return sorted(name.removesuffix(".refund") for name in self.states() if name.endswith(".refund"))

    @property
    def charged(self):
        return sorted(name for name, state in self.states().items() if state == "charged")
