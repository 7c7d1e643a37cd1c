"""A connection that reads all that it gets to an oracle, for visible_crowd.py."""

import asyncio
import json
import uuid

import websockets

from cairn import Ended, Refused


class Device:
    """One connection of a person, with as little state as a resume needs."""

    def __init__(self, person, socket):
        self.person, self.socket = person, socket
        self.asked, self.cursors, self.number = {}, {}, 0
        self.rosters = {}  # cell -> {slot: account}
        self.listening = asyncio.create_task(self._listen())

    async def _listen(self):
        oracle, account = self.person.crowd.oracle, self.person
        try:
            async for text in self.socket:
                message = json.loads(text)
                assert message.keys() == {"items"}
                for item in message["items"]:
                    oracle.judge(account.id, self, json.dumps(item))
                    self._take(item)
                    if "event" in item:
                        self.person.crowd.leak(item, self)
        except websockets.ConnectionClosed:
            pass
        for answer in self.asked.values():
            if not answer.done():
                answer.set_exception(Ended("cut"))

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
        """The people of a cell: every pose is of somebody whom the connection has been told of."""
        if batch.get("keyframe"):
            self.rosters[batch["cell"]] = {}
        roster = self.rosters.setdefault(batch["cell"], {})
        for person in batch.get("joined", []):
            roster[person.get("slot", 0)] = person["id"]
        for pose_ in batch.get("livePoses", []):
            self.person.crowd.oracle.judge_pose(self.person.id, pose_.get("slot", 0), roster, str(batch))
        for slot in batch.get("left", []):
            roster.pop(slot, None)  # also of somebody who was never named

    async def ask(self, kind, body, key=True):
        self.number += 1
        answer = self.asked[self.number] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        message = {"id": self.number, kind: body}
        if key:
            message["key"] = uuid.uuid4().hex
        try:
            await self.socket.send(json.dumps(message))
        except websockets.ConnectionClosed:
            raise Ended("cut") from None
        return await asyncio.wait_for(answer, 60)
