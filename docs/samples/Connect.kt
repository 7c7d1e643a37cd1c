// A client of Cairn in one file: connect, tell a position, place, react, resume; and the maps between frames.
//
// For Android with OkHttp 3 or 4 (com.squareup.okhttp3:okhttp); org.json is part of Android. Call `connectToCairn()`
// from a background thread. The project's tests compile and run it with Kotlin 1.3 and OkHttp 3, outside of Android.

import java.util.UUID
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import org.json.JSONArray
import org.json.JSONObject

const val URL = "ws://127.0.0.1:8080/v1" // on a device: the address of the machine, with wss
/** Of an earlier welcome or of your app's backend; empty: the name is enough where the server lets anybody in. */
const val TOKEN = ""
const val NAME = "ada"

// Between GeoPose's east-north-up frame and the axes of ARCore: +X east, +Y up, +Z south.

data class Placed(val position: List<Double>, val turn: List<Double>) {
    fun toDevice() = Placed(
        listOf(position[0], position[2], -position[1]), listOf(turn[0], turn[2], -turn[1], turn[3]))

    fun fromDevice() = Placed(
        listOf(position[0], -position[2], position[1]), listOf(turn[0], -turn[2], turn[1], turn[3]))

    fun isNear(other: Placed) =
        (position + turn).zip(other.position + other.turn).all { (a, b) -> Math.abs(a - b) < 1e-12 }
}

val HALF = Math.sqrt(0.5)
val VECTORS = listOf( // east-north-up, then the device's
    Placed(listOf(1.0, 2.0, 3.0), listOf(0.0, 0.0, 0.0, 1.0)) to
        Placed(listOf(1.0, 3.0, -2.0), listOf(0.0, 0.0, 0.0, 1.0)),
    Placed(listOf(0.0, 10.0, 0.0), listOf(0.0, 0.0, HALF, HALF)) to
        Placed(listOf(0.0, 0.0, -10.0), listOf(0.0, HALF, 0.0, HALF)),
    Placed(listOf(-4.0, 0.0, 1.5), listOf(HALF, 0.0, 0.0, HALF)) to
        Placed(listOf(-4.0, 1.5, 0.0), listOf(HALF, 0.0, 0.0, HALF)),
    Placed(listOf(0.0, -7.0, -0.25), listOf(0.0, HALF, 0.0, HALF)) to
        Placed(listOf(0.0, -0.25, 7.0), listOf(0.0, 0.0, -HALF, HALF)),
    Placed(listOf(1.0, -1.0, 1.0), listOf(0.5, 0.5, 0.5, 0.5)) to
        Placed(listOf(1.0, 1.0, 1.0), listOf(0.5, 0.5, -0.5, 0.5)))

class Refused(val code: String, message: String) : Exception("$code: $message")

/** What survives a cut: who we are, and how much of each topic we have seen. */
class Session : WebSocketListener() {
    private val http = OkHttpClient()
    private var socket: WebSocket? = null
    private val messages = LinkedBlockingQueue<String>()
    private var token = TOKEN
    private var session = ""
    private val cursors = HashMap<String, JSONObject>()
    val things = HashMap<String, JSONObject>()
    private var lastId = 0

    override fun onMessage(webSocket: WebSocket, text: String) {
        if (webSocket === socket) messages.put(text)
    }

    fun connect(): JSONObject {
        messages.clear()
        val request = Request.Builder().url(URL).header("Sec-WebSocket-Protocol", "cairn.v1.json").build()
        socket = http.newWebSocket(request, this)
        val hello = JSONObject().put("version", 1).put("frontEnd", "sample").put("session", session)
            .put("cursors", JSONArray(cursors.values))
        if (token.isEmpty()) hello.put("name", NAME) else hello.put("token", token)
        val welcome = ask("hello", hello).getJSONObject("welcome")
        token = welcome.optString("token")
        session = welcome.optString("session")
        return welcome
    }

    /** Sends a request and waits for its answer. A change has a key: sent again with it, it still happens once. */
    fun ask(kind: String, body: JSONObject, key: String? = null): JSONObject {
        val id = ++lastId
        val message = JSONObject().put("id", id).put(kind, body)
        if (key != null) message.put("key", key)
        socket!!.send(message.toString())
        while (true) {
            val text = messages.poll(30, TimeUnit.SECONDS) ?: throw Refused("unreachable", "no answer")
            val items = JSONObject(text).optJSONArray("items") ?: continue
            var answer: JSONObject? = null
            for (index in 0 until items.length()) {
                val item = items.getJSONObject(index)
                take(item)
                item.optJSONObject("reply")?.let { if (it.optInt("id") == id) answer = it }
            }
            val reply = answer ?: continue
            reply.optJSONObject("refusal")?.let { throw Refused(it.getString("code"), it.optString("message")) }
            return reply
        }
    }

    /** Keeps the view: snapshots, then numbered events. */
    private fun take(item: JSONObject) {
        item.optJSONObject("snapshot")?.let { snapshot ->
            val cursor = snapshot.getJSONObject("cursor")
            if (snapshot.optBoolean("last")) cursors[cursor.getString("topic")] = cursor
            val instances = snapshot.optJSONArray("instances") ?: JSONArray()
            for (index in 0 until instances.length()) {
                instances.getJSONObject(index).let { things[it.getString("id")] = it }
            }
        }
        item.optJSONObject("event")?.let { event ->
            cursors[event.getString("topic")]?.put("sequence", event.getString("sequence"))
            event.optJSONObject("entered")?.getJSONObject("instance")?.let { things[it.getString("id")] = it }
            event.optJSONObject("left")?.let { things.remove(it.getString("instance")) }
        }
    }

    /** Ends the link as a tunnel would: the session can be resumed. */
    fun cut() = socket!!.cancel()

    /** Ends the session. */
    fun end() = socket!!.close(1000, null)
}

fun connectToCairn() {
    for ((enu, device) in VECTORS) check(enu.toDevice().isNear(device) && device.fromDevice().isNear(enu))

    val here = JSONObject().put("lat", 47.3769).put("lon", 8.5417).put("h", 408.0)
    val quaternion = JSONObject().put("x", 0).put("y", 0).put("z", 0).put("w", 1)
    val pose = JSONObject().put("geopose", JSONObject().put("position", here).put("quaternion", quaternion))
    val session = Session()
    println("welcome, " + session.connect().optString("name", "guest"))
    println("in cell " + session.ask("position", here).getJSONObject("positioned").getString("cell"))

    val key = UUID.randomUUID().toString()
    val place = {
        session.ask("place", JSONObject().put("object", "preset:heart").put("pose", pose), key)
            .getJSONObject("placed").getJSONObject("instance")
    }
    val heart = place()
    println("placed " + heart.getString("id"))
    fun target() = JSONObject().put("instance", heart.getString("id")).put("cell", heart.getString("cell"))
    println("reacted " + session.ask("react", target().put("reaction", "like"), UUID.randomUUID().toString()))

    // The link breaks. The same request with the same key gives the first answer again and places nothing.
    session.cut()
    println("resumed " + session.connect().optBoolean("resumed"))
    session.ask("position", here)
    check(place().getString("id") == heart.getString("id"))
    session.ask("remove", target(), UUID.randomUUID().toString())
    println("removed " + heart.getString("id"))
    session.end()
}
