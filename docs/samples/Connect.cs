// A client of Cairn in one file: connect, tell a position, place, react, resume; and the maps between frames.
//
// For Unity 2021 and newer (.NET Standard 2.1) with the package com.unity.nuget.newtonsoft-json: add it to an object
// of the scene. The project's tests compile and run it with Mono and a stand-in for the few types of Unity that it
// uses.

using System;
using System.Collections.Generic;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;
using UnityEngine;

public class Connect : MonoBehaviour
{
    const string Url = "ws://127.0.0.1:8080/v1";
    // Of an earlier welcome or of your app's backend; empty: the name is enough where the server lets anybody in.
    const string Token = "";
    const string Name = "ada";

    async void Start()
    {
        Frames.Check();
        var here = new JObject { ["lat"] = 47.3769, ["lon"] = 8.5417, ["h"] = 408.0 };
        var quaternion = new JObject { ["x"] = 0, ["y"] = 0, ["z"] = 0, ["w"] = 1 };
        var pose = new JObject { ["geopose"] = new JObject { ["position"] = here, ["quaternion"] = quaternion } };
        var session = new Session(Url, Token, Name);
        Debug.Log("welcome, " + ((await session.Open())["name"] ?? "guest"));
        Debug.Log("in cell " + (await session.Ask("position", here))["positioned"]["cell"]);

        var key = Guid.NewGuid().ToString();
        var body = new JObject { ["object"] = "preset:heart", ["pose"] = pose };
        var heart = (await session.Ask("place", body, key))["placed"]["instance"];
        Debug.Log("placed " + heart["id"]);
        var target = new JObject { ["instance"] = heart["id"], ["cell"] = heart["cell"] };
        var like = (JObject)target.DeepClone();
        like["reaction"] = "like";
        Debug.Log("reacted " + (await session.Ask("react", like, Guid.NewGuid().ToString()))["reactionSet"]);

        // The link breaks. The same request with the same key gives the first answer again and places nothing.
        session.Cut();
        Debug.Log("resumed " + ((await session.Open())["resumed"] ?? false));
        await session.Ask("position", here);
        var again = (await session.Ask("place", body, key))["placed"]["instance"];
        if ((string)again["id"] != (string)heart["id"]) throw new Exception("it was placed twice");
        await session.Ask("remove", target, Guid.NewGuid().ToString());
        Debug.Log("removed " + heart["id"]);
        await session.End();
    }
}

/// Between GeoPose's east-north-up frame and Unity's axes with ARCore Extensions: +X east, +Y up, +Z north,
/// left-handed.
public static class Frames
{
    public static Vector3 ToUnity(Vector3 enu) => new Vector3(enu.x, enu.z, enu.y);
    public static Vector3 FromUnity(Vector3 unity) => new Vector3(unity.x, unity.z, unity.y);
    public static Quaternion ToUnity(Quaternion enu) => new Quaternion(-enu.x, -enu.z, -enu.y, enu.w);
    public static Quaternion FromUnity(Quaternion unity) => new Quaternion(-unity.x, -unity.z, -unity.y, unity.w);

    public static void Check()
    {
        var half = Mathf.Sqrt(0.5f);
        var vectors = new (Vector3 place, Quaternion turn, Vector3 unityPlace, Quaternion unityTurn)[]
        {
            (new Vector3(1, 2, 3), new Quaternion(0, 0, 0, 1), new Vector3(1, 3, 2), new Quaternion(0, 0, 0, 1)),
            (new Vector3(0, 10, 0), new Quaternion(0, 0, half, half),
                new Vector3(0, 0, 10), new Quaternion(0, -half, 0, half)),
            (new Vector3(-4, 0, 1.5f), new Quaternion(half, 0, 0, half),
                new Vector3(-4, 1.5f, 0), new Quaternion(-half, 0, 0, half)),
            (new Vector3(0, -7, -0.25f), new Quaternion(0, half, 0, half),
                new Vector3(0, -0.25f, -7), new Quaternion(0, 0, -half, half)),
            (new Vector3(1, -1, 1), new Quaternion(0.5f, 0.5f, 0.5f, 0.5f),
                new Vector3(1, 1, -1), new Quaternion(-0.5f, -0.5f, -0.5f, 0.5f)),
        };
        foreach (var one in vectors)
        {
            if (ToUnity(one.place) != one.unityPlace || FromUnity(one.unityPlace) != one.place)
                throw new Exception("a place");
            if (ToUnity(one.turn) != one.unityTurn || FromUnity(one.unityTurn) != one.turn)
                throw new Exception("a turn");
        }
    }
}

/// What survives a cut: who we are, and how much of each topic we have seen.
public class Session
{
    readonly string url, name;
    string token, session = "";
    int lastId;
    ClientWebSocket socket;
    readonly Dictionary<string, JObject> cursors = new Dictionary<string, JObject>();
    public readonly Dictionary<string, JToken> Things = new Dictionary<string, JToken>();

    public Session(string url, string token, string name)
    {
        this.url = url;
        this.token = token;
        this.name = name;
    }

    public async Task<JToken> Open()
    {
        socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("cairn.v1.json");
        await socket.ConnectAsync(new Uri(url), CancellationToken.None);
        var hello = new JObject { ["version"] = 1, ["frontEnd"] = "sample", ["session"] = session };
        hello["cursors"] = new JArray(cursors.Values);
        if (token == "") hello["name"] = name;
        else hello["token"] = token;
        var welcome = (await Ask("hello", hello))["welcome"];
        token = (string)welcome["token"] ?? "";
        session = (string)welcome["session"] ?? "";
        return welcome;
    }

    /// Sends a request and waits for its answer. A change has a key: sent again with it, it still happens once.
    public async Task<JObject> Ask(string kind, JObject body, string key = null)
    {
        var id = ++lastId;
        var message = new JObject { ["id"] = id, [kind] = body };
        if (key != null) message["key"] = key;
        var bytes = Encoding.UTF8.GetBytes(message.ToString());
        await socket.SendAsync(new ArraySegment<byte>(bytes), WebSocketMessageType.Text, true, CancellationToken.None);
        while (true)
        {
            JObject answer = null;
            foreach (JObject item in (JArray)JObject.Parse(await Receive())["items"] ?? new JArray())
            {
                Take(item);
                if (item["reply"] is JObject reply && (int?)reply["id"] == id) answer = reply;
            }
            if (answer == null) continue;
            if (answer["refusal"] is JObject refusal) throw new Exception(refusal["code"] + ": " + refusal["message"]);
            return answer;
        }
    }

    async Task<string> Receive()
    {
        var buffer = new byte[65536];
        var text = new List<byte>();
        while (true)
        {
            var piece = await socket.ReceiveAsync(new ArraySegment<byte>(buffer), CancellationToken.None);
            if (piece.MessageType == WebSocketMessageType.Close) throw new Exception("the connection has ended");
            text.AddRange(new ArraySegment<byte>(buffer, 0, piece.Count));
            if (piece.EndOfMessage) return Encoding.UTF8.GetString(text.ToArray());
        }
    }

    /// Keeps the view: snapshots, then numbered events.
    void Take(JObject item)
    {
        if (item["snapshot"] is JObject snapshot)
        {
            var cursor = (JObject)snapshot["cursor"];
            if ((bool?)snapshot["last"] == true) cursors[(string)cursor["topic"]] = (JObject)cursor.DeepClone();
            foreach (var thing in (JArray)snapshot["instances"] ?? new JArray()) Things[(string)thing["id"]] = thing;
        }
        else if (item["event"] is JObject change)
        {
            if (cursors.TryGetValue((string)change["topic"], out var cursor)) cursor["sequence"] = change["sequence"];
            if (change["entered"] is JObject entered) Things[(string)entered["instance"]["id"]] = entered["instance"];
            if (change["left"] is JObject left) Things.Remove((string)left["instance"]);
        }
    }

    /// Ends the link as a tunnel would: the session can be resumed.
    public void Cut() => socket.Abort();

    /// Ends the session.
    public Task End() => socket.CloseAsync(WebSocketCloseStatus.NormalClosure, "", CancellationToken.None);
}
