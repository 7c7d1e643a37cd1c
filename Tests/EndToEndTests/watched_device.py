"""A connection that reads all that it gets to an oracle, for visible_crowd.py."""

import asyncio
import json
import uuid

from cairn import Ended, Refused
from quick_socket import QuickSocket
from visibility import items_of


class Device:
    """One connection of a person, with as little state as a resume needs."""

    def __init__(self, person):
        self.person, self.socket = person, None
        self.asked, self.cursors, self.number = {}, {}, 0
        self.rosters = {}  # cell -> {slot: account}
        self.broken = None

    async def open(self, url):
        self.socket = await QuickSocket.connect(url, "cairn.v1.json", self._read)
        self.socket.closed.add_done_callback(lambda _: self._ended())

    async def cut(self):
        self.socket.abort()
        await self.socket.closed

    def _read(self, text):
        try:
            for item in items_of(text):
                self.person.crowd.oracle.judge(self.person.id, self, item)
                self._take(item.content)
                if "event" in item.content:
                    self.person.crowd.leak(item.content, self)
        except Exception as error:  # a broken rule: the next step of anybody ends the run
            self.person.crowd.broken = self.person.crowd.broken or error
            self.socket.abort()

    def _ended(self):
        for answer in self.asked.values():
            if not answer.done():
                answer.set_exception(Ended("cut"))
        self.asked.clear()

    def _take(self, item):
        if "reply" in item:
            reply = item["reply"]
            answer = self.asked.pop(reply.get("id", 0), None)
            if answer is None or answer.done():
                return
            kind, result = next((kind, result) for kind, result in reply.items() if kind != "id")
            answer.set_exception(Refused(result)) if kind == "refusal" else answer.set_result(result)
        elif "event" in item:
            cursor = self.cursors.get(item["event"]["topic"])
            assert cursor, f"an event of a topic that is not followed: {item}"
            assert int(item["event"]["sequence"]) == int(cursor["sequence"]) + 1, f"a gap before {item}"
            cursor["sequence"] = item["event"]["sequence"]
        elif "snapshot" in item:
            self.cursors[item["snapshot"]["cursor"]["topic"]] = dict(item["snapshot"]["cursor"])
        elif "presence" in item:
            self._meet(item["presence"])
        elif "unfollowed" in item:
            self.cursors.pop(item["unfollowed"]["topic"], None)
        elif "resync" in item:
            self.cursors.pop(item["resync"]["topic"], None)

    def _meet(self, batch):
        """The people of a cell: every pose is of a person whom the connection knows."""
        if batch.get("keyframe"):
            self.rosters[batch["cell"]] = {}
        roster = self.rosters.setdefault(batch["cell"], {})
        for person in batch.get("joined", []):
            roster[person.get("slot", 0)] = person["id"]
        for pose_ in batch.get("livePoses", []):
            self.person.crowd.oracle.judge_pose(self.person.id, pose_.get("slot", 0), roster, batch)
        for slot in batch.get("left", []):
            roster.pop(slot, None)  # also of somebody who was never named

    async def ask(self, kind, body, key=True):
        self.number += 1
        answer = self.asked[self.number] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        message = {"id": self.number, kind: body}
        if key:
            message["key"] = uuid.uuid4().hex
        if self.socket.closed.done():
            answer.set_exception(Ended("cut"))
        else:
            self.socket.send(json.dumps(message))
        return await asyncio.wait_for(answer, 300)
